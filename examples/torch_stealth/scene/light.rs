//! The light on screen: the automaton, flowing every frame towards what the rules know.
//!
//! The rules settle their light, grey, once a turn. Here its cells and sources are taken
//! over in their colours into a [`LightMap`], and the light flows: a torch that is put out
//! dies away, one that is lit fills the room. Flames flicker here, never in the rules.
//!
//! The light of the whole floor is computed, because lamps round a corner throw a glow that
//! may be seen; it is seen only on what is drawn below it, which is what the player sees.

use bevy::prelude::*;
use lanternfell::prelude::*;
use lanternfell_lightgrid::Source;
use lanternfell_stealth::rules::LightRules;

use crate::{
    scene::figures::Stride,
    game::{Game, GameSystems},
    place::CELL,
};

/// The map of light, and the floor that it is of.
#[derive(Component)]
struct Shine {
    depth: usize,
    seed: u64,
}

/// One of the lights, by its place in the rules' list.
#[derive(Component)]
struct Lamp(usize);

/// Where the rules say that a lamp stands, and whether somebody carries it.
#[derive(Component)]
struct Stands {
    at: IVec2,
    carried: bool,
}

/// How fast light flows on screen: about a second until the last of it is gone.
const FLOW: LightFlow = LightFlow::Automaton {
    steps_per_second: 90.0,
};

/// How deep flames flicker.
const FLICKERS: f32 = 0.18;

/// The eye's curve, and how bright a torch is on screen.
const LOOK: (f32, f32) = (1.6, 1.2);

pub fn plugin(app: &mut App) {
    let fresh = resource_exists_and_changed::<Game>;
    app.add_systems(
        Update,
        (lay.run_if(fresh), place_lamps.run_if(fresh), carry)
            .chain()
            .after(crate::scene::figures::Moved)
            .in_set(GameSystems::Show),
    );
}

/// A map of light for the floor, with the floor's cells.
fn lay(
    game: Res<Game>,
    maps: Query<(Entity, &Shine, &mut LightMap)>,
    mut commands: Commands,
) -> Result {
    let (view, light) = (game.view(), game.light());
    let mut there = false;
    for (entity, shine, mut map) in maps {
        if (shine.depth, shine.seed) != (view.depth(), view.seed()) {
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
    // It has burnt for years.
    grid.settle(view.rules().light.tolerance);
    let shine = Shine {
        depth: view.depth(),
        seed: view.seed(),
    };
    let look = LightLook {
        gamma: LOOK.0,
        exposure: LOOK.1,
        ..default()
    };
    let map = LightMap::new(grid).with_cell_size(CELL);
    commands.spawn((shine, map, look, FLOW));
    Ok(())
}

/// A light for each source of the rules.
fn place_lamps(
    game: Res<Game>,
    mut lamps: Query<(Entity, &Lamp, &mut LightSource, &mut Flicker, &mut Stands)>,
    mut commands: Commands,
) {
    let (sources, rules) = (game.light().sources(), &game.view().rules().light);
    let mut there = 0;
    for (entity, lamp, mut source, mut flicker, mut stands) in &mut lamps {
        match sources.get(lamp.0) {
            Some(new) => {
                there += 1;
                let shines = shining(new.light);
                source.set_if_neq(shines);
                flicker.set_if_neq(flame(rules, new.light, lamp.0));
                *stands = Stands::of(rules, new);
            }
            None => commands.entity(entity).despawn(),
        }
    }
    for (number, new) in sources.iter().enumerate().skip(there) {
        commands.spawn((
            Lamp(number),
            Stands::of(rules, new),
            shining(new.light),
            flame(rules, new.light, number),
            LightCell(new.at),
        ));
    }
}

impl Stands {
    /// Only the kinds of light that are carried are: a sconce stays where it hangs, whoever
    /// walks under it.
    fn of(rules: &LightRules, source: &Source) -> Self {
        let carried = [rules.torch, rules.lantern, rules.warden, rules.ember];
        Self {
            at: source.cell(),
            carried: carried.contains(&source.light.to_array()),
        }
    }
}

/// Flames flicker; the moon, fungus and crystals do not.
fn flame(rules: &LightRules, light: Vec3, number: usize) -> Flicker {
    let steady = [rules.fungus, rules.crystal, rules.moonlight];
    Flicker {
        depth: if steady.contains(&light.to_array()) {
            0.0
        } else {
            FLICKERS
        },
        ..Flicker::torch(number as u32)
    }
}

/// The component for this light, linear.
fn shining(light: Vec3) -> LightSource {
    let strength = light.max_element().max(1e-3);
    let colour = light / strength;
    LightSource::new(Color::linear_rgb(colour.x, colour.y, colour.z)).with_strength(strength)
}

/// What is carried moves as smoothly as whoever carries it.
fn carry(strides: Query<&Stride>, mut lamps: Query<(&Stands, &mut LightCell)>) {
    for (stands, mut cell) in &mut lamps {
        let mut bearers = strides.iter().filter(|_| stands.carried);
        let bearer = bearers.find(|stride| stride.to == stands.at);
        let at = bearer.map_or(stands.at.as_vec2(), |stride| stride.shown);
        cell.set_if_neq(LightCell(at));
    }
}
