//! Land without end: any rectangle of an endless plane, made alone.
//!
//! Problem: a world that one can walk through for ever in any direction, whose seams fit, and whose
//! ground is the same when one comes back.
//!
//! Idea: noise is a function of the place, and places go on. So do filters that look at a cell's
//! surroundings only. A rectangle is therefore a [window](super::evaluator) in the middle of a
//! world that is moved to wherever it is asked for; the world's borders are never looked at.
//!
//! ```text
//!        . . . . . . . . . . . . .
//!        . +-----------------+   .      the plane, to 2^40 cells on each side of its origin
//!        . |  moved   +----+ |   .
//!        . |  world   |part| |   .
//!        . |          +----+ |   .
//!        . +-----------------+   .
//!        . . . . . . . . . . . . .
//! ```
//!
//! What asks for a border, or for the highest and the lowest of all ground, is refused by name: there
//! is neither. Heights are cut off at 0 and 1, since nothing can bring them there that has not seen all of
//! them.
//!
//! Cost: that of a tile. No prepass: a plane costs nothing before its first part.

use super::{
    TileError, TilePrepass, coarse::CoarseWorld, evaluator::TileEvaluator, prepass::fingerprint,
};
use crate::{
    Filter, Heightmap, MapSize, Progress, Recipe, Scale, Window,
    evaluate::Parts,
    filter::Locality,
    recipe::{Operation, Plan, Step},
    rows,
};

/// Worlds are moved by whole multiples of this, so that what is done by twos or fours is done so
/// everywhere.
const STEP: i64 = 1024;

/// Where in the moved world the part lies at least: about in its middle.
const BEFORE: i64 = 24 * STEP;

/// How far steps may look all together: less than there is of the moved world around any part.
const FURTHEST: usize = 16 * STEP as usize;

/// The endless plane of a recipe.
///
/// The recipe's own map begins at its origin: [`part`](Self::part) of (0, 0) and the recipe's size
/// is [`Recipe::generate`]'s map, but for cells near its border where filters look around, and for
/// heights beyond 0 to 1.
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
/// let beside = plane.part((-10_000_000 + 63, 40), size, &progress)?;
/// assert_eq!(far.get(63, 20), beside.get(0, 20));
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
    /// The endless plane that this recipe's map is a part of.
    ///
    /// It can be made of [`FractalNoise`](crate::FractalNoise),
    /// [`RidgedMultifractal`](crate::RidgedMultifractal) and [`Worley`](crate::Worley), of blends and
    /// selections, and of filters that look at a cell and some around it: heights curved, cut,
    /// terraced, smoothed a little, warped, slid by [`ThermalErosion`](crate::erosion::ThermalErosion).
    /// Filters take all heights to be from 0 to 1.
    ///
    /// # Errors
    /// When the recipe is not valid, or a step needs a whole map: its error names it. So do lines,
    /// hills, fluids, rivers, images, masks at a map's border and [`Filter::Normalize`]
    /// ([`Filter::Linear`] says by how much instead). [Holes](Self::holes) are refused as well.
    pub fn plane(&self) -> Result<Plane, TileError> {
        let side = u64::from(MapSize::MAX_WORLD_SIDE);
        let world = MapSize::of_world(side, side).expect("the largest world is one");
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
                    "it and the steps before it look further than 16384 cells",
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
    /// The furthest from its origin that the plane goes, in cells along either axis.
    pub const MAX_ORIGIN: i64 = (1 << 40) - (1 << 20);

    /// Metres from cell to cell and from height 0 to 1: the recipe's.
    pub fn scale(&self) -> Scale {
        self.recipe.scale()
    }

    /// The height of the water: [`Recipe::water_level`].
    pub fn water_level(&self) -> f32 {
        self.recipe.water_level()
    }

    /// The recipe that it is the plane of, as large as a world: its [`plane`](Recipe::plane) is this one.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// How many cells around a part its filters look at: the part is made with so many more on each
    /// side, which are cut off.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// Tells planes of different heights apart; the same on every machine, as long as the version of recipes is.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(&self.recipe)
    }

    /// The rectangle of this size whose north-west cell is at `origin`, column and row: to the east
    /// and the south they grow. A cell's bits depend on the recipe alone, not on the part that it is
    /// asked for in.
    ///
    /// # Errors
    /// When the origin is further than [`MAX_ORIGIN`](Self::MAX_ORIGIN), the part has more than 16,384
    /// cells a side, or the work was cancelled.
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
        let window = Window::new(x, y, size, self.recipe.size).ok_or(TileError::Outside)?;
        let Self {
            recipe,
            plan,
            prepass,
            coarse,
            ..
        } = self;
        let evaluator =
            TileEvaluator::new(recipe, plan, prepass, coarse, progress).on_plane((left, top));
        let mut map = evaluator.make(recipe.result_name(), window)?;
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

/// Where the moved world begins along an axis, and where in it that cell lies.
fn moved(at: i64) -> (i64, usize) {
    let place = BEFORE + at.rem_euclid(STEP);
    (at - place, place as usize)
}

/// How many cells around it a step looks at, or why it can not be made.
fn look_around(operation: &Operation, world: MapSize, scale: Scale) -> Result<usize, &'static str> {
    match operation {
        Operation::Generate { by, .. } => match by.parts() {
            Parts::Pointwise(generator) if generator.has_border() => {
                Err("its mask lies along a map's border")
            }
            Parts::Pointwise(_) => Ok(0),
            Parts::Stretched(_) => Err("its heights are stretched by those of a whole map"),
            Parts::Whole(why) => Err(why),
        },
        Operation::Image { .. } => Err("an image has an end"),
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
        Locality::Stretched => {
            Err("there is no lowest and no highest ground; Linear says by how much")
        }
        Locality::Placed => Err("it has a place on a map"),
        Locality::Near { guided: true, .. } => Err("it needs the valleys of a whole map"),
        Locality::Near { guided: false, .. } => Err("its bell is too wide to end anywhere"),
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

    /// Of whatever a plane may be made of, with what it needs around it.
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
    fn parts_that_overlap_agree_to_the_last_bit() {
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
            // It does not repeat itself, unless it is told to.
            let here = part(&plane, (0, 0), size(70, 50));
            assert_ne!(here, part(&plane, (1 << 32, 17), size(70, 50)));
        }
    }

    #[test]
    fn the_recipes_map_is_a_part_of_the_plane() {
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
    fn what_needs_an_end_is_refused_by_name() {
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
            (filtered(Filter::Island(Mask::Radial)), "place on a map"),
            (
                filtered(Filter::HydraulicErosion(HydraulicErosion::default())),
                "valleys",
            ),
            (filtered(Filter::Smooth(Smooth::Gaussian(40.0))), "too wide"),
            (filtered(Filter::Seamless(0.2)), "sides"),
        ] {
            let error = refused(recipe);
            assert!(
                error.contains("without end") && error.contains(why),
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
    fn parts_too_large_or_too_far_are_refused() {
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
        let cancelled = Progress::default();
        cancelled.cancel();
        assert!(plane.part((0, 0), size(50, 50), &cancelled).is_err());
    }
}
