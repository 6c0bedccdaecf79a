//! The light map of the drawing, and its lamps.

use bevy::{camera::ScalingMode, prelude::*};
use lanternfell::prelude::*;

use crate::{
    drawing::{Drawing, Lamp, Walls},
    tiles::TILE,
};

/// Default share of direct light, which casts shadows.
pub const DIRECT: f32 = 0.6;

/// Light settings from the panel and the keys.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    pub settings: LightSettings,
    pub flow: LightFlow,
    pub display: LightDisplay,
    pub debug: LightDebug,
    /// Whether direct light is shown in finer cells, with soft shadows.
    pub fine: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            settings: LightSettings {
                direct: DIRECT,
                ..default()
            },
            flow: LightFlow::default(),
            display: LightDisplay::default(),
            debug: LightDebug::default(),
            fine: true,
        }
    }
}

impl Rules {
    /// The soft shadows, or `None` if they are off or there is no direct light.
    fn detail(&self) -> Option<SoftShadows> {
        let direct = self.settings.direct;
        (self.fine && direct > 0.0).then_some(SoftShadows {
            direct,
            ..default()
        })
    }

    /// Radius of a light of strength 1, in cells.
    pub fn radius(&self) -> f32 {
        self.settings.falloff.radius(self.settings.neighborhood)
    }

    /// Sets the radius, clamped to 2 to 80 cells.
    pub fn set_radius(&mut self, cells: f32) {
        self.settings.falloff = Falloff::Radius(cells.clamp(2.0, 80.0));
    }
}

/// A lamp of the drawing. Its entity also has a mesh that shows the lamp.
#[derive(Component)]
struct LampOf(Lamp);

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            update_light_map.run_if(resource_changed::<Drawing>.or_else(resource_changed::<Walls>)),
            hang_lamps.run_if(resource_changed::<Drawing>),
            rule.run_if(resource_changed::<Rules>),
            fit_camera.run_if(resource_changed::<Drawing>),
        )
            .chain(),
    );
}

/// Copies the cells of the drawing to the light map. A drawing of another size gets a new map.
fn update_light_map(
    drawing: Res<Drawing>,
    walls: Res<Walls>,
    rules: Res<Rules>,
    mut maps: Query<(Entity, &mut TorchlightMap)>,
    mut commands: Commands,
) -> Result {
    for (entity, mut map) in &mut maps {
        if map.grid().size() == drawing.size() {
            for (at, material) in drawing.cells() {
                map.set_cell(at, material.cell(*walls))?;
            }
            return Ok(());
        }
        commands.entity(entity).despawn();
    }
    let size = drawing.size();
    let mut grid = LightGrid::new(size.x, size.y, rules.settings)?;
    grid.set_cells(
        drawing
            .cells()
            .map(|(_, material)| material.cell(*walls))
            .collect(),
    )?;
    let mut map = commands.spawn((
        TorchlightMap::new(grid).with_cell_size(TILE as f32),
        rules.flow,
        rules.display,
        rules.debug,
    ));
    if let Some(detail) = rules.detail() {
        map.insert(detail);
    }
    Ok(())
}

/// Spawns and despawns the entities of lamps.
fn hang_lamps(
    drawing: Res<Drawing>,
    mut hanging: Query<(Entity, &LampOf, &mut Transform)>,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (entity, lamp, mut transform) in &mut hanging {
        if drawing.lamps().contains(&lamp.0) {
            // If the size of the drawing changed, the same cell is at another position.
            transform.set_if_neq(lamp_place(&drawing, &lamp.0));
        } else {
            commands.entity(entity).despawn();
        }
    }
    for (n, lamp) in drawing.lamps().iter().enumerate() {
        if hanging.iter().any(|(_, hanging, _)| hanging.0 == *lamp) {
            continue;
        }
        commands.spawn((
            LampOf(*lamp),
            lamp.hue.light(),
            Flicker {
                depth: 0.12,
                ..Flicker::candle(n as u32)
            },
            Mesh2d(meshes.add(Circle::new(0.2 * TILE as f32))),
            MeshMaterial2d(materials.add(lamp.hue.color().mix(&Color::WHITE, 0.5))),
            lamp_place(&drawing, lamp),
        ));
    }
}

fn lamp_place(drawing: &Drawing, lamp: &Lamp) -> Transform {
    let at = UVec2::from(lamp.at).as_vec2();
    Transform::from_translation(place(drawing.size(), at).extend(ABOVE_LIGHT))
}

/// Z of sprites that are drawn over the light and not darkened by it.
pub const ABOVE_LIGHT: f32 = 200.0;

/// Converts a position in cells to world coordinates.
pub fn place(size: UVec2, cell: Vec2) -> Vec2 {
    let center = (size.as_vec2() - 1.0) / 2.0;
    (cell - center) * Vec2::new(1.0, -1.0) * TILE as f32
}

/// Converts world coordinates to a position in cells.
pub fn cell_at(size: UVec2, place: Vec2) -> Vec2 {
    let center = (size.as_vec2() - 1.0) / 2.0;
    place / TILE as f32 * Vec2::new(1.0, -1.0) + center
}

/// Applies the settings to the light map.
fn rule(
    rules: Res<Rules>,
    mut maps: Query<(
        Entity,
        &mut TorchlightMap,
        &mut LightFlow,
        &mut LightDisplay,
        &mut LightDebug,
    )>,
    mut commands: Commands,
) {
    for (entity, mut map, mut flow, mut display, mut debug) in &mut maps {
        if map.settings != rules.settings {
            map.settings = rules.settings;
        }
        flow.set_if_neq(rules.flow);
        display.set_if_neq(rules.display);
        debug.set_if_neq(rules.debug);
        match rules.detail() {
            Some(detail) => commands.entity(entity).insert(detail),
            None => commands.entity(entity).try_remove::<SoftShadows>(),
        };
    }
}

/// Keeps the whole drawing in view.
fn fit_camera(drawing: Res<Drawing>, mut camera: Single<&mut Projection, With<Camera2d>>) {
    let size = (drawing.size() * TILE).as_vec2();
    **camera = Projection::Orthographic(OrthographicProjection {
        scaling_mode: ScalingMode::AutoMin {
            min_width: size.x,
            min_height: size.y,
        },
        ..OrthographicProjection::default_2d()
    });
}
