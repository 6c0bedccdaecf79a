//! Endless terrain: any rectangle of an endless plane, generated on its own.
//!
//! Problem: a world in which you can walk in any direction forever, without seams, and with the same terrain when you
//! come back.
//!
//! Idea: noise is a function of the position, and positions have no end. The same holds for filters that only read the
//! neighborhood of a cell. So a rectangle is a [region](super::evaluator) in the middle of a world that is moved to the
//! requested position. The borders of that world are never read.
//!
//! ```text
//!        . . . . . . . . . . . . .
//!        . +-----------------+   .      the plane, up to 2^40 cells on each side of its origin
//!        . |  moved   +----+ |   .
//!        . |  world   |part| |   .
//!        . |          +----+ |   .
//!        . +-----------------+   .
//!        . . . . . . . . . . . . .
//! ```
//!
//! Steps that need a border, or the highest or lowest point of the terrain, are rejected with an error that names the
//! step. Heights are clamped to 0 to 1, because stretching them to that range would need all of them.
//!
//! Cost: that of a tile. There is no prepass: the first part costs no more than the others.

use super::{
    TileError, TilePrepass, coarse::CoarseWorld, evaluator::TileEvaluator, prepass::fingerprint,
};
use crate::{
    Filter, Heightmap, MapRegion, MapSize, Progress, Recipe, Scale,
    evaluate::Parts,
    filter::Locality,
    recipe::{Operation, Plan, Step},
    rows,
};

/// Worlds are moved by multiples of this, so that steps that process cells in groups of a power of two group them in
/// the same way everywhere.
const STEP: i64 = 1024;

/// The minimum position of the part in the moved world: about its middle.
const BEFORE: i64 = 24 * STEP;

/// The maximum total reach of the steps. The moved world has more cells than this around every part.
const FURTHEST: usize = 16 * STEP as usize;

/// The endless plane of a recipe.
///
/// The recipe's own map starts at the origin of the plane: [`part`](Self::part) of (0, 0) with the size of the recipe
/// is the map of [`Recipe::generate`]. It differs only in cells near the border, if filters read beyond it, and where
/// heights are outside 0 to 1.
///
/// ```
/// use lanternfell_heightmap::{FractalNoise, MapSize, Progress, Recipe};
///
/// let size = MapSize::new(64, 64)?;
/// let recipe = Recipe::new(size, 7, FractalNoise::default());
/// let plane = recipe.plane()?;
/// let progress = Progress::default();
/// assert_eq!(plane.part((0, 0), size, &progress)?, recipe.generate(&progress)?);
///
/// // Ten million cells to the west.
/// let far = plane.part((-10_000_000, 40), size, &progress)?;
/// let adjacent = plane.part((-10_000_000 + 63, 40), size, &progress)?;
/// assert_eq!(far.get(63, 20), adjacent.get(0, 20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Plane {
    recipe: Recipe,
    plan: Plan,
    prepass: TilePrepass,
    coarse: CoarseWorld,
    reach: usize,
}

impl Recipe {
    /// The endless plane that contains this recipe's map.
    ///
    /// A plane supports [`FractalNoise`](crate::FractalNoise), [`RidgedMultifractal`](crate::RidgedMultifractal) and
    /// [`Worley`](crate::Worley), blends and selections, and filters that read a limited neighborhood: curves, clamps,
    /// terraces, small blurs, warps and [`ThermalErosion`](crate::erosion::ThermalErosion). Filters assume that all
    /// heights are from 0 to 1.
    ///
    /// # Errors
    /// If the recipe is not valid, or a step needs a whole map; the error names the step. Such steps are, for example,
    /// fault lines, hills, fluids, erosion by rivers or rain, images, masks along the border of a map, and
    /// [`Filter::Normalize`] (use [`Filter::Linear`] with fixed numbers instead). [Holes](Self::holes) are also
    /// rejected.
    pub fn plane(&self) -> Result<Plane, TileError> {
        let side = u64::from(MapSize::MAX_WORLD_SIDE);
        let world = MapSize::of_world(side, side).expect("the size of the largest world is valid");
        let recipe = Self {
            size: world,
            scale: Some(self.scale()),
            sea_level: Some(self.water_level()),
            ..self.clone()
        };
        let plan = recipe.plan()?;
        self.refuse_holes()?;
        let mut reach = 0;
        for &step in &plan.order {
            let Step { name, operation } = &recipe.steps[step];
            let bounded = |why: &str| TileError::Bounded {
                step: name.clone(),
                why: why.to_owned(),
            };
            reach += look_around(operation, world, recipe.scale()).map_err(bounded)?;
            if reach > FURTHEST {
                return Err(bounded(
                    "it and the steps before it reach further than 16384 cells",
                ));
            }
        }
        Ok(Plane {
            prepass: TilePrepass::default(),
            coarse: CoarseWorld::begin(&recipe, &plan),
            recipe,
            plan,
            reach,
        })
    }
}

impl Plane {
    /// The maximum distance from the origin of the plane, in cells along each axis.
    pub const MAX_ORIGIN: i64 = (1 << 40) - (1 << 20);

    /// The scale of the recipe: meters per cell and per height of 1.
    pub fn scale(&self) -> Scale {
        self.recipe.scale()
    }

    /// The height of the water: [`Recipe::water_level`].
    pub fn water_level(&self) -> f32 {
        self.recipe.water_level()
    }

    /// The recipe of the plane, with the size of the largest world. Its [`plane`](Recipe::plane) is this one.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The total reach of the filters, in cells. A part is generated with a margin of this width on each side, which is
    /// then cut off.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// A hash of everything that affects the heights. It is the same on every machine for the same version of the
    /// recipe format.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(&self.recipe)
    }

    /// Generates the rectangle of this size whose north-western cell is at `origin` (column, row). Columns increase to
    /// the east, rows to the south.
    ///
    /// The bits of a cell depend only on the recipe, not on the part that contains it.
    ///
    /// # Errors
    /// If the origin is further away than [`MAX_ORIGIN`](Self::MAX_ORIGIN), the part has more than 16,384 cells per
    /// side, or the work is canceled.
    pub fn part(
        &self,
        origin: (i64, i64),
        size: MapSize,
        progress: &Progress,
    ) -> Result<Heightmap, TileError> {
        let near = |at: i64| (-Self::MAX_ORIGIN..=Self::MAX_ORIGIN).contains(&at);
        if !near(origin.0) || !near(origin.1) || !size.is_of_map() {
            return Err(TileError::Outside);
        }
        let [(left, x), (top, y)] = [origin.0, origin.1].map(moved);
        let region = MapRegion::new(x, y, size, self.recipe.size).ok_or(TileError::Outside)?;
        let Self {
            recipe,
            plan,
            prepass,
            coarse,
            ..
        } = self;
        let evaluator =
            TileEvaluator::new(recipe, plan, prepass, coarse, progress).on_plane((left, top));
        let mut map = evaluator.make(recipe.result_name(), region)?;
        rows::for_each_row(
            map.heights_mut(),
            size.width(),
            &progress.span(0.9, 1.0),
            |_, row| {
                for z in row {
                    *z = z.clamp(0.0, 1.0);
                }
            },
        )?;
        Ok(map)
    }
}

/// The position of the moved world along an axis, and the position of the cell in it.
fn moved(at: i64) -> (i64, usize) {
    let place = BEFORE + at.rem_euclid(STEP);
    (at - place, place as usize)
}

/// How many cells around a cell a step reads, or why it cannot be generated.
fn look_around(operation: &Operation, world: MapSize, scale: Scale) -> Result<usize, &'static str> {
    match operation {
        Operation::Generate { by, .. } => match by.parts() {
            Parts::Pointwise(generator) if generator.has_border() => {
                Err("its mask follows the border of the map")
            }
            Parts::Pointwise(_) => Ok(0),
            Parts::Stretched(_) => Err("its heights are stretched by the range of the whole map"),
            Parts::Whole(why) => Err(why),
        },
        Operation::Image { .. } => Err("an image has borders"),
        Operation::Filter { by, .. } => by.iter().try_fold(0, |reach, filter| {
            Ok(reach + filter_around(filter, world, scale)?)
        }),
        Operation::Select { by, .. } => Ok(by.reach()),
        Operation::Flat { .. } | Operation::Blend { .. } => Ok(0),
    }
}

fn filter_around(filter: &Filter, world: MapSize, scale: Scale) -> Result<usize, &'static str> {
    match filter.locality(world, scale) {
        Locality::Exact { reach, .. } => Ok(reach),
        Locality::Stretched => Err("there is no lowest and highest point; use Linear instead"),
        Locality::Placed => Err("it depends on the position on the map"),
        Locality::Near { guided: true, .. } => Err("it needs the valleys of the whole map"),
        Locality::Near { guided: false, .. } => Err("its kernel is too wide"),
        Locality::Whole(why) => Err(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Band, Blend, Fluid, FractalNoise, Generator, Hills, Mask, RidgedMultifractal, Selection,
        Worley,
        erosion::{HydraulicErosion, ThermalErosion},
        filter::{Linear, Smooth, Warp},
    };

    fn size(width: u64, height: u64) -> MapSize {
        MapSize::new(width, height).unwrap()
    }

    fn noise(scale: f64) -> FractalNoise {
        FractalNoise {
            scale,
            ..FractalNoise::default()
        }
    }

    fn filtered(filter: Filter) -> Recipe {
        Recipe::new(size(90, 70), 5, noise(40.0)).with_filter(filter)
    }

    fn generated(generator: impl Into<Generator>) -> Recipe {
        Recipe::new(size(90, 70), 5, generator)
    }

    /// One recipe for each kind of step that a plane supports.
    fn recipes() -> Vec<Recipe> {
        let slope = Selection::Slope(Band {
            from: Some(20.0),
            fade: 10.0,
            ..Band::default()
        });
        let masked = generated(noise(60.0))
            .with_step(
                "crests",
                Operation::Generate {
                    by: RidgedMultifractal::default().into(),
                    salt: None,
                },
            )
            .with_step(
                "steep",
                Operation::Select {
                    of: "crests".to_owned(),
                    by: slope,
                },
            );
        let ground = masked.steps[0].name.clone();
        let masked = masked.with_step(
            "mixed",
            Operation::Blend {
                ground,
                layer: "crests".to_owned(),
                how: Blend::Mix,
                weight: 0.7,
                mask: Some("steep".to_owned()),
            },
        );
        vec![
            generated(noise(243.0)),
            generated(FractalNoise {
                warp: 30.0,
                quantized: true,
                ..noise(50.0)
            }),
            generated(RidgedMultifractal::default()),
            generated(RidgedMultifractal {
                period: Some(64),
                scale: 32.0,
                ..RidgedMultifractal::default()
            }),
            generated(Worley::default()),
            generated(Worley {
                period: Some(60),
                scale: 12.0,
                ..Worley::default()
            }),
            filtered(Filter::Warp(Warp::default())),
            filtered(Filter::Smooth(Smooth::Median(3))),
            filtered(Filter::Smooth(Smooth::Gaussian(2.0))),
            filtered(Filter::Gamma(1.7)),
            filtered(Filter::ThermalErosion(ThermalErosion {
                passes: 20,
                ..ThermalErosion::default()
            })),
            filtered(Filter::Linear(Linear {
                scale: 2.0,
                offset: -0.5,
            })),
            masked,
        ]
    }

    #[track_caller]
    fn part(plane: &Plane, origin: (i64, i64), size: MapSize) -> Heightmap {
        plane.part(origin, size, &Progress::default()).unwrap()
    }

    #[test]
    fn overlapping_parts_have_the_same_bits() {
        let far = Plane::MAX_ORIGIN - 5000;
        let places = [(0, 0), (-1, -1), (70_001, -31), (-far, far), (-1023, 4097)];
        for recipe in recipes() {
            let plane = recipe.plane().unwrap();
            for (x, y) in places {
                let whole = part(&plane, (x, y), size(70, 50));
                for (dx, dy) in [(0, 0), (1, 0), (13, 31), (37, 2)] {
                    let small = part(&plane, (x + dx, y + dy), size(33, 19));
                    let (dx, dy) = (dx as usize, dy as usize);
                    let cut = whole.cropped((dx, dy), size(33, 19)).unwrap();
                    assert_eq!(small, cut, "{recipe:?} at {x} {y}");
                }
                let (low, high) = whole.range();
                assert!(0.0 <= low && low < high && high <= 1.0, "{recipe:?}");
            }
            // The plane does not repeat unless a period is set.
            let here = part(&plane, (0, 0), size(70, 50));
            assert_ne!(here, part(&plane, (1 << 32, 17), size(70, 50)));
        }
    }

    #[test]
    fn recipe_map_is_part_of_the_plane() {
        for recipe in recipes() {
            let plane = recipe.plane().unwrap();
            let map = recipe.generate(&Progress::default()).unwrap();
            let reach = plane.reach();
            if 2 * reach + 2 > map.height() {
                continue;
            }
            let inner = size(
                (map.width() - 2 * reach) as u64,
                (map.height() - 2 * reach) as u64,
            );
            let mut expected = map.cropped((reach, reach), inner).unwrap();
            for z in expected.heights_mut() {
                *z = z.clamp(0.0, 1.0);
            }
            let reach = reach as i64;
            assert_eq!(part(&plane, (reach, reach), inner), expected, "{recipe:?}");
        }
    }

    #[test]
    fn rejects_steps_that_need_a_whole_map() {
        let refused = |recipe: Recipe| match recipe.plane() {
            Ok(_) => panic!("{recipe:?}"),
            Err(error) => error.to_string(),
        };
        for (recipe, why) in [
            (generated(Hills::default()), "stretched"),
            (generated(Fluid::default()), "fluid"),
            (
                generated(FractalNoise {
                    mask: Mask::Radial,
                    ..noise(40.0)
                }),
                "border",
            ),
            (filtered(Filter::Normalize), "lowest"),
            (
                filtered(Filter::Island(Mask::Radial)),
                "position on the map",
            ),
            (
                filtered(Filter::HydraulicErosion(HydraulicErosion::default())),
                "valleys",
            ),
            (filtered(Filter::Smooth(Smooth::Gaussian(40.0))), "too wide"),
            (filtered(Filter::Seamless(0.2)), "sides"),
        ] {
            let error = refused(recipe);
            assert!(
                error.contains("endless plane") && error.contains(why),
                "{error}"
            );
        }
        let nothing = generated(FractalNoise {
            octaves: 0,
            ..noise(40.0)
        });
        assert!(refused(nothing).contains("octaves"));
    }

    #[test]
    fn rejects_parts_too_large_or_too_far() {
        let plane = filtered(Filter::Warp(Warp::default())).plane().unwrap();
        assert_eq!(plane.reach(), 13);
        let part = |origin, size| plane.part(origin, size, &Progress::default());
        assert!(part((1023, -1), size(16_384, 2)).is_ok());
        assert!(part((1023, -1), size(2, 16_384)).is_ok());
        let world = MapSize::of_world(16_385, 2).unwrap();
        assert_eq!(part((0, 0), world), Err(TileError::Outside));
        for far in [i64::MAX, i64::MIN, Plane::MAX_ORIGIN + 1] {
            assert_eq!(part((far, 0), size(2, 2)), Err(TileError::Outside));
        }
        let canceled = Progress::default();
        canceled.cancel();
        assert!(plane.part((0, 0), size(50, 50), &canceled).is_err());
    }
}
