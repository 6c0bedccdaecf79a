//! Tests of what light shows to the thief, and of actions on lights.

use super::*;
use crate::{FixtureKind, Perk, Sight, Tile};

#[test]
fn lit_cells_are_visible_from_afar() {
    let map = "
        ##################################
        #@..............................!#
        ##################################";
    let world = dark(map);
    let view = world.view();
    assert_eq!(
        view.sight(IVec2::new(31, 1)),
        Sight::Seen,
        "next to the lamp"
    );
    assert_eq!(
        view.sight(IVec2::new(12, 1)),
        Sight::Unknown,
        "dark between"
    );
    assert_eq!(view.sight(IVec2::new(2, 1)), Sight::Seen, "within touch");
    assert_eq!(view.sight(IVec2::new(3, 1)), Sight::Unknown, "beyond touch");
}

#[test]
fn cat_eyes_see_further_in_the_dark() {
    let map = "
        ############
        #@.........#
        ############";
    let mut world = dark(map);
    world.state.thief.perks.push(Perk::CatEyes);
    settle(&mut world);
    let reach = world.rules.sight.cat_eyes as i32;
    assert_eq!(world.view().sight(IVec2::new(1 + reach, 1)), Sight::Seen);
    assert_eq!(world.view().sight(IVec2::new(2 + reach, 1)), Sight::Unknown);
}

#[test]
fn lantern_glow_is_visible_around_the_corner() {
    let map = "
        ##########
        #....w...#
        #.########
        #.#
        #.#
        #@#
        ###";
    let world = dark(map);
    let corner = IVec2::new(1, 1);
    assert!(
        world.view().guards().next().is_none(),
        "the watchman is not in sight"
    );
    assert_eq!(
        world.view().sight(corner),
        Sight::Seen,
        "the glow is in sight"
    );
}

#[test]
fn tiles_are_remembered_but_guards_are_not() {
    let map = "
        ##########
        #@......s#
        ##########";
    let mut world = scene(map);
    turn(&mut world, GuardKind::Sentry, Direction::West);
    assert_eq!(world.view().guards().count(), 1);
    set_torch(&mut world, false);
    let view = world.view();
    assert_eq!(view.guards().count(), 0);
    assert_eq!(view.sight(IVec2::new(7, 1)), Sight::Remembered);
    assert!(view.memory(IVec2::new(7, 1)).is_some());
    assert_eq!(view.explain(IVec2::new(8, 1)).guard, None);
    assert_eq!(
        view.band(IVec2::new(7, 1)),
        None,
        "its current light is unknown"
    );
}

/// Waits until the thief's torch no longer glows.
fn wait_for_embers(world: &mut World) {
    let beats = world.rules.thief.embers / crate::BEAT;
    for beat in 0..beats {
        assert_eq!(world.state.thief.torch_glows(), beat < beats - 1, "{beat}");
        act(world, Action::Wait);
    }
}

#[test]
fn dropped_torch_does_not_glow_in_the_hand() {
    let map = "
        ##########
        #@.......#
        ##########";
    for drop in [false, true] {
        let mut world = scene(map);
        act(&mut world, Action::SnuffTorch);
        let action = match drop {
            true => Action::DropTorch,
            false => Action::Wait,
        };
        act(&mut world, action);
        let dark = band(&world) == LightBand::Hidden;
        assert_eq!(dark, drop, "dropped: {drop}");
    }
}

#[test]
fn cloak_hides_embers_but_not_a_flame() {
    let map = "
        ##########
        #@.......#
        ##########";
    let mut world = scene(map);
    world.state.thief.cloaked = true;
    assert_eq!(world.view().shown_band(), LightBand::Blazing);
    act(&mut world, Action::SnuffTorch);
    assert_eq!(world.view().shown_band(), LightBand::Hidden);
    assert_eq!(world.state.thief.band, LightBand::Dim);
}

#[test]
fn snuffed_torch_hides_its_bearer() {
    let map = "
        ##########
        #@.......#
        ##########";
    let mut world = scene(map);
    assert_eq!(band(&world), LightBand::Blazing);
    assert!(world.view().light_gem() >= 75);
    act(&mut world, Action::SnuffTorch);
    assert_eq!(band(&world), LightBand::Dim, "it glows");
    wait_for_embers(&mut world);
    assert_eq!(band(&world), LightBand::Hidden);
    assert!(world.view().light_gem() < 25);
    act(&mut world, Action::LightTorch);
    assert_eq!(band(&world), LightBand::Blazing);
}

#[test]
fn dropped_torch_keeps_burning() {
    let map = "
        ####################
        #@.................#
        ####################";
    let mut world = scene(map);
    act(&mut world, Action::DropTorch);
    for _ in 0..13 {
        act(&mut world, Action::Walk(Direction::East));
    }
    assert!(band(&world) < LightBand::Lit);
    assert_eq!(
        world.view().sight(IVec2::new(1, 1)),
        Sight::Seen,
        "its light is far off"
    );
}

#[test]
fn doused_sconce_leaves_darkness() {
    let map = "
        ############
        #!@........#
        ############";
    let mut world = dark(map);
    assert!(band(&world) >= LightBand::Lit);
    act(&mut world, Action::Douse(Direction::West));
    assert_eq!(band(&world), LightBand::Hidden);
    assert!(
        world.act(Action::Relight(Direction::West)).is_err(),
        "without a flame"
    );
    act(&mut world, Action::LightTorch);
    act(&mut world, Action::Relight(Direction::West));
    act(&mut world, Action::SnuffTorch);
    assert!(band(&world) >= LightBand::Lit);
}

#[test]
fn light_gem_matches_the_shown_band() {
    let mut world = World::new(4, crate::Difficulty::Thief);
    let mut mind = crate::Bot::Careful.mind(4);
    let mut events = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..600 {
        let action = mind.choose(world.view(), &events);
        events = world.act(action).unwrap();
        let (gem, band) = (world.view().light_gem(), world.view().shown_band());
        seen.insert(band);
        let quarter = (gem / 25).min(3);
        assert_eq!(quarter, band as u8, "{gem} is not {band:?}");
    }
    assert!(seen.len() >= 3, "only {seen:?}");
}

#[test]
fn fungus_crystals_and_moonlight_cannot_be_doused() {
    for (letter, kind) in [
        ('f', FixtureKind::Fungus),
        ('*', FixtureKind::Crystal),
        ('m', FixtureKind::Moonlight),
    ] {
        let world = dark(&format!("#####\n#{letter}@.#\n#####"));
        assert!(world.view().light_gem() > 0, "{kind:?}");
        assert_eq!(
            world.check(Action::Douse(Direction::West)),
            Err(crate::Refusal::NotDousable(kind))
        );
    }
}

#[test]
fn shutter_controls_moonlight() {
    let map = "
        ###]####
        #..m@..#
        ########";
    let mut world = dark(map);
    assert!(band(&world) > LightBand::Hidden);
    act(&mut world, Action::Walk(Direction::West));
    act(&mut world, Action::Close(Direction::North));
    assert_eq!(band(&world), LightBand::Hidden);
    act(&mut world, Action::Open(Direction::North));
    assert!(band(&world) > LightBand::Hidden);
}

#[test]
fn closed_doors_and_curtains_block_light() {
    let open = "
        ###########
        #!.../...@#
        ###########";
    let light = |map: &str| dark(map).view().light_gem();
    let (door, curtain, drawn) = (
        light(&open.replace('/', "+")),
        light(&open.replace('/', "{")),
        light(&open.replace('/', "}")),
    );
    assert_eq!(door, 0, "a closed door lets nothing through");
    assert!(
        curtain < drawn,
        "{curtain} through a curtain, {drawn} without"
    );
    assert_eq!(drawn, light(open));
}

#[test]
fn colored_light_matches_the_gray_light() {
    let map = "
        #########
        #f..@..*#
        #########";
    let world = dark(map);
    let drawn = world.colored_light();
    let light = drawn.light(world.state.thief.at);
    assert!(
        light.x > 0.0 && light.y > 0.0 && light.z > light.x.min(light.y),
        "{light}"
    );
    for at in world.floor().tiles.cells() {
        let (drawn, read) = (drawn.luminance(at), world.light().luminance(at));
        assert!(
            (drawn - read).abs() < 0.02,
            "{at}: {drawn} drawn, {read} read"
        );
    }
}

#[test]
fn torch_burns_out() {
    let mut world = scene("#####\n#@..#\n#####");
    let low = world.rules.thief.fuel_low;
    if let Some(torch) = &mut world.state.thief.torch {
        torch.fuel = low + 2;
    }
    let events = wait(&mut world, u32::from(low) + 2);
    assert!(events.contains(&GameEvent::TorchLow));
    assert!(events.contains(&GameEvent::TorchSpent));
    assert_eq!(band(&world), LightBand::Dim, "it glows");
    wait_for_embers(&mut world);
    assert_eq!(band(&world), LightBand::Hidden);
    assert_eq!(world.check(Action::LightTorch), Err(crate::Refusal::NoFuel));
}

#[test]
fn nerve_falls_in_darkness_near_guards_and_returns_in_light() {
    let map = "
        #############
        #@.....s....#
        #############";
    let mut world = dark(map);
    turn(&mut world, GuardKind::Sentry, Direction::East);
    let full = world.state.thief.nerve;
    wait(&mut world, 10);
    let fallen = world.state.thief.nerve;
    assert!(fallen < full);
    // Without guards nearby, it does not fall in the dark.
    world.floor_mut().guards.clear();
    wait(&mut world, 10);
    assert_eq!(world.state.thief.nerve, fallen);
    set_torch(&mut world, true);
    wait(&mut world, 40);
    assert_eq!(world.state.thief.nerve, full);
}

#[test]
fn lit_wall_is_visible_from_afar() {
    let map = "
        ####################
        #@................!#
        ####################";
    let world = dark(map);
    let view = world.view();
    let wall = IVec2::new(17, 0);
    assert_eq!(view.sight(wall), Sight::Seen);
    assert_eq!(
        view.memory(wall).map(|memory| memory.tile),
        Some(Tile::Wall)
    );
}
