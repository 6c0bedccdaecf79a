//! The light on screen. A cellular automaton flows toward the light of the rules in every frame.
//!
//! The rules settle their gray light once per turn. This module copies its cells and sources, in color, to a
//! [`TorchlightMap`] in which the light flows: a snuffed torch fades, and a lit one fills the room. Flames flicker
//! here, but never in the rules.
//!
//! The light of the whole floor is computed, because the glow of a lamp around a corner may be visible. The player sees
//! light only on sprites below it, which are only drawn for visible cells.

use bevy::{math::ops, prelude::*};
use gutterlight_rules::{SeenGuard, View, rules::LightRules};
use lanternfell_torchlight::{lightgrid::Source, prelude::*};

use crate::play::{
    game::{FloorVisit, Game, GameSystems},
    options::Options,
    place::CELL,
    scene::{
        figures::Stride,
        gloom::{Gloom, Grounds},
        sheet::Sheet,
    },
};

/// The light map of a floor.
#[derive(Component)]
struct Shine(FloorVisit);

/// A light, by its index in the rules' list.
#[derive(Component)]
struct Lamp(usize);

/// The position of a light in the rules, and whether a figure carries it.
#[derive(Component)]
struct Stands {
    at: IVec2,
    carried: bool,
}

/// The flow rate. Extinguished light is gone after about a second.
const FLOW: LightFlow = LightFlow::Automaton {
    steps_per_second: 90.0,
};

/// The depth of flicker.
const FLICKERS: f32 = 0.18;

/// The gamma and exposure at normal brightness.
const LOOK: (f32, f32) = (1.6, 1.2);

/// The effect of one step of brightness: added to the gamma, and multiplied with the exposure. Changing mostly the
/// gamma helps dark screens in bright rooms. More exposure would clip to white.
const STEP: (f32, f32) = (0.12, 1.14);

/// The number of brightness steps in each direction.
pub const STEPS: i8 = 5;

pub fn plugin(app: &mut App) {
    let fresh = resource_exists_and_changed::<Game>;
    let set = resource_changed::<Options>;
    app.add_systems(
        Update,
        (
            update_light_map.run_if(fresh),
            place_lamps.run_if(fresh.or_else(set)),
            carry,
            bend.run_if(fresh.or_else(set)),
        )
            .chain()
            .after(crate::play::scene::figures::Moved)
            .in_set(GameSystems::Show),
    );
}

/// The display settings at a brightness from -5 to 5, for the ground of a theme.
fn look(brightness: i8, grounds: Grounds) -> LightDisplay {
    let least = Gloom::of(grounds, brightness).least_light;
    LightDisplay {
        floor: Color::linear_rgb(least.x, least.y, least.z),
        ..curve(brightness)
    }
}

/// The display settings for a floor. In the dark part of the opening, nothing can be told apart.
fn look_of(view: View<'_>, sheet: &Sheet, brightness: i8) -> LightDisplay {
    match view.wick_is_wet() {
        true => curve(brightness),
        false => look(brightness, sheet.grounds(view.theme())),
    }
}

/// The part of the display settings that brightens dim light.
fn curve(brightness: i8) -> LightDisplay {
    let steps = f32::from(brightness.clamp(-STEPS, STEPS));
    LightDisplay {
        gamma: LOOK.0 + STEP.0 * steps,
        exposure: LOOK.1 * ops::powf(STEP.1, steps),
        ..default()
    }
}

/// The sRGB value of a white surface in gray light, from 0 to 1, as the light's shader computes it at this brightness.
pub fn shown(light: f32, brightness: i8) -> f32 {
    let look = curve(brightness);
    let seen = ops::powf(light.max(0.0) * look.exposure, look.gamma.recip());
    // The shader also shifts light above 1 toward white, which does not change gray.
    Srgba::gamma_function_inverse(seen.min(1.0))
}

/// Applies the player's brightness.
fn bend(
    options: Res<Options>,
    game: Res<Game>,
    sheet: Res<Sheet>,
    mut looks: Query<&mut LightDisplay, With<Shine>>,
) {
    for mut shown in &mut looks {
        shown.set_if_neq(look_of(game.view(), &sheet, options.brightness));
    }
}

/// Creates or updates the light map of the floor.
fn update_light_map(
    game: Res<Game>,
    options: Res<Options>,
    sheet: Res<Sheet>,
    maps: Query<(Entity, &Shine, &mut TorchlightMap)>,
    mut commands: Commands,
) -> Result {
    let (view, light) = (game.view(), game.light());
    let mut there = false;
    for (entity, shine, mut map) in maps {
        if shine.0 != game.floor_visit() {
            commands.entity(entity).despawn();
            continue;
        }
        there = true;
        for y in 0..light.height() as i32 {
            for x in 0..light.width() as i32 {
                let at = IVec2::new(x, y);
                if map.cell(at) != light.cell(at) {
                    map.set_cell(at, light.cell(at))?;
                }
            }
        }
    }
    if there {
        return Ok(());
    }
    let mut grid = LightGrid::new(light.width(), light.height(), *light.settings())?;
    grid.set_cells(light.cells().to_vec())?;
    grid.set_sources(light.sources())?;
    // Light that was burning before the thief arrives is already settled.
    grid.settle(view.rules().light.tolerance);
    let shine = Shine(game.floor_visit());
    let map = TorchlightMap::new(grid).with_cell_size(CELL);
    // The floor is small, so stepping inside the frame is faster than handing the work to a task, and has no latency.
    let flow = (FLOW, LightTiming::InStep);
    let look = look_of(view, &sheet, options.brightness);
    commands.spawn((shine, map, look, flow));
    Ok(())
}

/// Spawns or updates a light for each source of the rules.
fn place_lamps(
    game: Res<Game>,
    options: Res<Options>,
    mut lamps: Query<(Entity, &Lamp, &mut LightSource, &mut Flicker, &mut Stands)>,
    mut commands: Commands,
) {
    let (view, sources) = (game.view(), game.light().sources());
    let mut there = 0;
    // The flicker depends on the lamp's position, not on its index.
    let flame = |source: &Source| Flicker {
        depth: match options.flicker && is_flame(&view.rules().light, source.light) {
            true => FLICKERS,
            false => 0.0,
        },
        ..Flicker::torch(match Stands::of(view, source) {
            Stands { carried: true, .. } => 0,
            Stands { at, .. } => (at.y * view.size().x + at.x) as u32,
        })
    };
    for (entity, lamp, mut source, mut flicker, mut stands) in &mut lamps {
        match sources.get(lamp.0) {
            Some(new) => {
                there += 1;
                let shines = shining(new.light);
                source.set_if_neq(shines);
                flicker.set_if_neq(flame(new));
                *stands = Stands::of(view, new);
            }
            None => commands.entity(entity).despawn(),
        }
    }
    for (number, new) in sources.iter().enumerate().skip(there) {
        commands.spawn((
            Lamp(number),
            Stands::of(view, new),
            shining(new.light),
            flame(new),
            LightCell(new.at),
        ));
    }
}

impl Stands {
    /// A light is carried if a figure in its cell carries a light of this kind. Sconces and torches on the floor
    /// therefore stay in place when a figure walks over them.
    fn of(view: View<'_>, source: &Source) -> Self {
        let (at, light, thief) = (source.cell(), source.light.to_array(), view.thief());
        let LightRules { torch, ember, .. } = view.rules().light;
        let by_thief = thief.at == at
            && (light == torch && thief.torch_burns() || light == ember && thief.ember_shines());
        let carries = |guard: SeenGuard| {
            guard.at == at && guard.lantern && view.rules().guard(guard.kind).light == light
        };
        let by_guard = view.guards().any(carries);
        Self {
            at,
            carried: by_thief || by_guard,
        }
    }
}

/// Flames flicker. Moonlight, fungus and crystals do not.
fn is_flame(rules: &LightRules, light: Vec3) -> bool {
    let steady = [rules.fungus, rules.crystal, rules.moonlight];
    !steady.contains(&light.to_array())
}

/// The component for a light with linear color.
fn shining(light: Vec3) -> LightSource {
    let strength = light.max_element().max(1e-3);
    let color = light / strength;
    LightSource::new(Color::linear_rgb(color.x, color.y, color.z)).with_strength(strength)
}

/// Moves carried lights smoothly with their figure.
fn carry(strides: Query<&Stride>, mut lamps: Query<(&Stands, &mut LightCell)>) {
    for (stands, mut cell) in &mut lamps {
        let find = || strides.iter().find(|stride| stride.to == stands.at);
        let bearer = stands.carried.then(find).flatten();
        let at = bearer.map_or(stands.at.as_vec2(), |stride| stride.shown);
        cell.set_if_neq(LightCell(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: core::ops::RangeInclusive<i8> = -STEPS..=STEPS;

    /// Light from zero to twice full light.
    fn lights() -> impl Iterator<Item = f32> {
        (0..=200).map(|percent| percent as f32 / 100.0)
    }

    #[test]
    fn zero_light_is_black() {
        for brightness in ALL {
            assert_eq!(shown(0.0, brightness), 0.0, "{brightness}");
            assert_eq!(shown(-1.0, brightness), 0.0, "{brightness}");
        }
    }

    #[test]
    fn display_is_monotonic() {
        for brightness in ALL {
            for light in lights() {
                let now = shown(light, brightness);
                assert!((0.0..=1.0).contains(&now), "{light} at {brightness}: {now}");
                assert!(
                    shown(light + 0.01, brightness) >= now,
                    "{light} at {brightness}"
                );
                let dim = (0.001..0.3).contains(&light);
                assert!(
                    !dim || brightness == STEPS || shown(light, brightness + 1) > now,
                    "{light} at {brightness}"
                );
            }
        }
    }

    #[test]
    fn brightness_range_covers_dim_light() {
        let dim = gutterlight_rules::Rules::standard().light.bands.from[0];
        assert!((0.1..0.2).contains(&shown(dim, -STEPS)));
        assert!(shown(dim, STEPS) > 0.5);
    }

    #[test]
    fn brightness_is_clamped() {
        let grounds = Grounds::even(Vec3::splat(0.1));
        assert_eq!(look(i8::MAX, grounds), look(STEPS, grounds));
        assert_eq!(look(i8::MIN, grounds), look(-STEPS, grounds));
    }
}
