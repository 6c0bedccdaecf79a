//! Preset vegetation.

use lanternfell_plants::{
    grow::PlantKind,
    scatter::{Clumping, ScatterRule, SoftRange},
};

use crate::vegetation::{Plant, Vegetation};

impl Vegetation {
    /// Temperate forests and meadows, for the layers of
    /// [`TerrainLayers::temperate`](lanternfell_terrain::TerrainLayers::temperate).
    ///
    /// Pines, broadleaf trees and birches grow on forest floor, flowers and grass on meadows, and bushes between them.
    /// There are palms and driftwood on beaches, dead trees on dry ground, and stones below cliffs.
    pub fn temperate() -> Self {
        Self::below(trees().into())
    }

    /// A cool mountain coast: pines up to the rocks, with birches, dead trees and a few broadleaf trees. Undergrowth,
    /// stones and layers are those of [`temperate`](Self::temperate).
    pub fn alpine() -> Self {
        let [mut broadleaf, pine, mut birch, _, dead] = trees();
        broadleaf.rule.density = 0.15;
        birch.rule.density = 0.6;
        Self::below(vec![broadleaf, pine, birch, dead])
    }

    /// Warm islands: palms on beaches and, further inland, among broadleaf trees. Undergrowth, stones and layers are
    /// those of [`temperate`](Self::temperate).
    pub fn tropical() -> Self {
        let [broadleaf, _, _, mut palm, _] = trees();
        palm.rule.height = SoftRange::new(0.9, 14.0, 5.0);
        palm.layers.push(("forest floor".to_owned(), 0.3));
        // Earlier plants take precedence.
        Self::below(vec![palm, broadleaf])
    }

    /// Combines the trees with the stones, bushes and herbs that all presets share.
    fn below(trees: Vec<Plant>) -> Self {
        let mut plants = trees;
        plants.extend(stones());
        plants.extend(bushes());
        plants.extend(herbs());
        Self {
            plants,
            seed: 0,
            exclusions: Vec::new(),
            distance: 2000.0,
            detail: 1.0,
        }
    }

    /// Stones below cliffs and on gravel, dead trees, and dry, widely spaced bushes and grass. For the layers of
    /// [`TerrainLayers::desert`](lanternfell_terrain::TerrainLayers::desert).
    pub fn desert() -> Self {
        let dead = ScatterRule {
            clumping: stands(80.0, 0.8, 1),
            ..tree(12.0, 1.0, [0.4, 0.9])
        };
        let bush = ScatterRule {
            spacing: 6.0,
            size: [0.35, 0.8],
            clumping: stands(50.0, 0.9, 2),
            ..bush()
        };
        let tuft = ScatterRule {
            spacing: 1.4,
            size: [0.7, 1.3],
            clumping: stands(30.0, 0.9, 2),
            ..herb()
        };
        let mut plants =
            vec![Plant::new(PlantKind::Dead, dead).on_layers(&[("pebbles", 0.25), ("sand", 0.02)])];
        plants.extend(stones());
        plants.extend([
            Plant::new(PlantKind::Bush, bush).on_layers(&[("pebbles", 0.5), ("sand", 0.06)]),
            Plant::new(PlantKind::Grass, tuft).on_layers(&[("pebbles", 0.6), ("sand", 0.08)]),
        ]);
        Self {
            plants,
            ..Self::temperate()
        }
    }
}

const DRY_LAND: SoftRange = SoftRange::new(1.2, f32::MAX, 0.8);

/// Patches, shared by all rules with the same salt.
fn stands(wavelength: f32, strength: f32, salt: u64) -> Option<Clumping> {
    Some(Clumping {
        wavelength,
        strength,
        salt: Some(salt),
    })
}

/// A tree with the given crown radius, on ground that is not too steep.
fn tree(spacing: f32, crown: f32, size: [f32; 2]) -> ScatterRule {
    ScatterRule {
        spacing,
        crown,
        size,
        clearance: 0.5,
        margin: 1.0,
        tilt: 3.0,
        upright: 0.95,
        slope: SoftRange::new(0.0, 26.0, 10.0),
        height: DRY_LAND,
        ..ScatterRule::default()
    }
}

fn trees() -> [Plant; 5] {
    let pine = ScatterRule {
        clumping: stands(60.0, 0.85, 1),
        slope: SoftRange::new(0.0, 32.0, 10.0),
        ..tree(3.6, 1.5, [0.55, 1.25])
    };
    let broadleaf = ScatterRule {
        clumping: stands(70.0, 0.7, 2),
        ..tree(5.0, 2.4, [0.6, 1.2])
    };
    let birch = ScatterRule {
        clumping: stands(45.0, 0.8, 3),
        ..tree(4.0, 1.5, [0.6, 1.15])
    };
    let palm = ScatterRule {
        height: SoftRange::new(0.9, 4.5, 0.8),
        slope: SoftRange::new(0.0, 14.0, 6.0),
        clumping: stands(38.0, 0.9, 4),
        upright: 0.9,
        tilt: 8.0,
        ..tree(4.5, 1.6, [0.6, 1.1])
    };
    let dead = tree(14.0, 1.2, [0.6, 1.1]);
    [
        Plant::new(PlantKind::Broadleaf, broadleaf).on_layers(&[
            ("forest floor", 0.8),
            ("grass", 0.10),
            ("meadow", 0.05),
            ("mud", 0.2),
        ]),
        Plant::new(PlantKind::Pine, pine).on_layers(&[
            ("forest floor", 0.9),
            ("moss", 0.35),
            ("grass", 0.10),
            ("dry grass", 0.06),
        ]),
        Plant::new(PlantKind::Birch, birch).on_layers(&[
            ("forest floor", 0.3),
            ("meadow", 0.12),
            ("grass", 0.10),
            ("mud", 0.3),
        ]),
        Plant::new(PlantKind::Palm, palm).on_layers(&[("sand", 0.7), ("grass", 0.25)]),
        Plant::new(PlantKind::Dead, dead).on_layers(&[
            ("dry grass", 0.25),
            ("scree", 0.2),
            ("mud", 0.2),
        ]),
    ]
}

/// A stone, partly aligned with the slope.
fn stone(spacing: f32, size: [f32; 2]) -> ScatterRule {
    ScatterRule {
        spacing,
        size,
        clearance: 0.6,
        upright: 0.4,
        tilt: 14.0,
        // On steeper slopes, stones would roll away.
        slope: SoftRange::new(0.0, 32.0, 8.0),
        // Includes the intertidal zone.
        height: SoftRange::new(-0.5, f32::MAX, 0.5),
        ..ScatterRule::default()
    }
}

fn stones() -> [Plant; 4] {
    let boulder = ScatterRule {
        clumping: stands(26.0, 0.8, 5),
        ..stone(3.2, [0.25, 1.6])
    };
    let slab = ScatterRule {
        clumping: stands(30.0, 0.85, 5),
        ..stone(5.0, [0.4, 1.5])
    };
    let spire = ScatterRule {
        upright: 0.8,
        ..stone(16.0, [0.5, 1.6])
    };
    let driftwood = ScatterRule {
        spacing: 9.0,
        height: SoftRange::new(0.3, 1.4, 0.4),
        slope: SoftRange::new(0.0, 12.0, 5.0),
        size: [0.5, 1.1],
        clearance: 0.6,
        upright: 0.0,
        ..ScatterRule::default()
    };
    [
        Plant::new(PlantKind::Spire, spire).on_layers(&[("granite", 0.5), ("scree", 0.3)]),
        Plant::new(PlantKind::Slab, slab).on_layers(&[
            ("sandstone", 0.5),
            ("basalt", 0.4),
            ("pebbles", 0.2),
            ("grass", 0.02),
        ]),
        Plant::new(PlantKind::Boulder, boulder).on_layers(&[
            ("scree", 0.8),
            ("granite", 0.4),
            ("moss", 0.25),
            ("pebbles", 0.4),
            ("grass", 0.03),
            ("dry grass", 0.05),
            ("forest floor", 0.05),
        ]),
        Plant::new(PlantKind::Driftwood, driftwood)
            .on_layers(&[("sand", 0.35), ("wet sand", 0.25)]),
    ]
}

fn bush() -> ScatterRule {
    ScatterRule {
        spacing: 2.2,
        crown: 0.6,
        size: [0.5, 1.3],
        clearance: 0.3,
        upright: 0.8,
        tilt: 6.0,
        slope: SoftRange::new(0.0, 32.0, 10.0),
        height: DRY_LAND,
        clumping: stands(24.0, 0.85, 6),
        ..ScatterRule::default()
    }
}

fn bushes() -> [Plant; 1] {
    [Plant::new(PlantKind::Bush, bush()).on_layers(&[
        ("forest floor", 0.3),
        ("grass", 0.28),
        ("meadow", 0.12),
        ("dry grass", 0.2),
        ("sand", 0.04),
        ("moss", 0.2),
    ])]
}

/// Base rule for ground cover.
fn herb() -> ScatterRule {
    ScatterRule {
        upright: 0.5,
        tilt: 8.0,
        slope: SoftRange::new(0.0, 36.0, 8.0),
        height: SoftRange::new(0.9, f32::MAX, 0.5),
        ..ScatterRule::default()
    }
}

fn herbs() -> [Plant; 3] {
    let fern = ScatterRule {
        spacing: 0.9,
        size: [0.5, 1.2],
        clumping: stands(14.0, 0.8, 7),
        ..herb()
    };
    let flower = ScatterRule {
        spacing: 0.6,
        size: [0.6, 1.1],
        clumping: stands(11.0, 0.95, 8),
        ..herb()
    };
    let grass = ScatterRule {
        spacing: 0.42,
        size: [0.7, 1.4],
        ..herb()
    };
    [
        Plant::new(PlantKind::Fern, fern).on_layers(&[
            ("forest floor", 0.6),
            ("moss", 0.6),
            ("mud", 0.3),
        ]),
        Plant::new(PlantKind::Flower, flower).on_layers(&[("meadow", 0.7), ("grass", 0.15)]),
        Plant::new(PlantKind::Grass, grass).on_layers(&[
            ("grass", 0.9),
            ("meadow", 0.9),
            ("dry grass", 0.7),
            ("forest floor", 0.12),
            ("mud", 0.2),
        ]),
    ]
}
