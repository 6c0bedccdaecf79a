//! Tests of the thief's torch, the lamps of the keep, and the Ember.

use super::*;
use crate::Ember;

fn set_torch(world: &mut World, torch: Option<Torch>) {
    world.state.thief.torch = torch;
    settle(world);
}

const DARK: Option<Torch> = Some(Torch {
    lit: false,
    fuel: 100,
});
const BURNING: Option<Torch> = Some(Torch {
    lit: true,
    fuel: 100,
});

#[test]
fn torch_can_be_lit_and_snuffed() {
    let mut world = scene(ROOM);
    set_torch(&mut world, DARK);
    let here = world.state.thief.at;
    let dark = world.light.luminance(here);
    refuses(&mut world, Action::SnuffTorch, Refusal::TorchDark);
    let events = act(&mut world, Action::LightTorch);
    assert_eq!(events[0], GameEvent::Torch { lit: true });
    assert_eq!(reach_of(&events), Some(world.rules.noise.flame / 10));
    assert!(world.light.luminance(here) > dark + 0.5);
    assert_eq!(world.state.tick, u32::from(world.rules.thief.light_ticks));
    refuses(&mut world, Action::LightTorch, Refusal::TorchBurns);
    let events = act(&mut world, Action::SnuffTorch);
    assert_eq!(events[0], GameEvent::Torch { lit: false });
    let glow = world.light.luminance(here);
    assert!(glow > dark + 0.03 && glow < dark + 0.2, "it glows: {glow}");
    let rules = &world.rules.thief;
    let (catches, burns) = (rules.light_fuel, rules.light_ticks / crate::BEAT);
    assert_eq!(
        world.state.thief.torch.map(|torch| torch.fuel),
        Some(100 - catches - burns)
    );
}

#[test]
fn lighting_needs_a_torch_with_fuel() {
    let mut world = scene(ROOM);
    set_torch(
        &mut world,
        Some(Torch {
            lit: false,
            fuel: 0,
        }),
    );
    refuses(&mut world, Action::LightTorch, Refusal::NoFuel);
    let least = world.rules.thief.light_fuel;
    for fuel in [least, least + 1] {
        let torch = Torch { lit: false, fuel };
        set_torch(&mut world, Some(torch));
        assert_eq!(world.check(Action::LightTorch).is_ok(), fuel > least);
    }
    set_torch(&mut world, None);
    let at = world.state.thief.at;
    for action in [
        Action::LightTorch,
        Action::SnuffTorch,
        Action::DropTorch,
        Action::ThrowTorch { at },
    ] {
        refuses(&mut world, action, Refusal::NoTorch);
    }
}

#[test]
fn wet_wick_cannot_be_lit() {
    let floor = scene("##############\n#<...........#\n##############")
        .floor()
        .clone();
    let mut world = World::on_floor(Rules::standard(), 1, Difficulty::Thief, true, floor);
    for _ in 0..30 {
        if !world.state.thief.torch_burns() {
            break;
        }
        let way = Action::Walk(Direction::East);
        let action = match world.check(way) {
            Ok(()) => way,
            Err(_) => Action::Wait,
        };
        act(&mut world, action);
    }
    assert!(world.view().wick_is_wet());
    refuses(&mut world, Action::LightTorch, Refusal::WetWick);
    for _ in 0..20 {
        act(&mut world, Action::Wait);
    }
    act(&mut world, Action::LightTorch);
}

#[test]
fn dropped_torch_stays_lit_or_dark() {
    for lit in [false, true] {
        let mut world = scene(ROOM);
        let torch = Torch { lit, fuel: 100 };
        set_torch(&mut world, Some(torch));
        let events = act(&mut world, Action::DropTorch);
        assert!(
            events.contains(&GameEvent::Dropped {
                item: Item::Torch(torch)
            }),
            "{torch:?}"
        );
        assert_eq!(world.state.thief.torch, None, "{torch:?}");
        let Item::Torch(lies) = world.floor().items[0].item else {
            panic!("expected a torch");
        };
        assert_eq!((lies.lit, lies.fuel), (lit, 100 - u16::from(lit)));
    }
}

#[test]
fn flames_can_be_doused_and_relit() {
    for kind in [FixtureKind::Sconce, FixtureKind::Brazier] {
        let mut world = scene(ROOM);
        let at = off(&world, 1, 0);
        put_lamp(&mut world, at, kind, true);
        set_torch(&mut world, BURNING);
        let way = Direction::East;
        refuses(&mut world, Action::Relight(way), Refusal::LampBurns);
        let events = act(&mut world, Action::Douse(way));
        assert!(
            events.contains(&GameEvent::Lamp {
                kind,
                at,
                burning: false
            }),
            "{kind:?}"
        );
        assert!(!world.floor().fixtures[0].burning, "{kind:?}");
        assert_eq!(world.state.tally.lamps_doused, 1, "{kind:?}");
        refuses(&mut world, Action::Douse(way), Refusal::LampDark);
        let events = act(&mut world, Action::Relight(way));
        assert!(
            events.contains(&GameEvent::Lamp {
                kind,
                at,
                burning: true
            }),
            "{kind:?}"
        );
        act(&mut world, Action::Douse(way));
        set_torch(&mut world, DARK);
        refuses(&mut world, Action::Relight(way), Refusal::NeedFlame);
        set_torch(&mut world, None);
        refuses(&mut world, Action::Relight(way), Refusal::NeedFlame);
    }
}

#[test]
fn flame_in_the_next_cell_comes_first() {
    let mut world = scene(ROOM);
    let (here, neighbor) = (off(&world, 0, 0), off(&world, 0, 1));
    put_lamp(&mut world, here, FixtureKind::Sconce, true);
    put_lamp(&mut world, neighbor, FixtureKind::Sconce, true);
    act(&mut world, Action::Douse(Direction::North));
    assert!(!world.floor().fixtures[0].burning, "none in the next cell");
    act(&mut world, Action::Douse(Direction::South));
    assert!(!world.floor().fixtures[1].burning);
}

#[test]
fn other_lights_cannot_be_doused() {
    let mut world = scene(ROOM);
    set_torch(&mut world, BURNING);
    let way = Direction::West;
    refuses(&mut world, Action::Douse(way), Refusal::NoLamp);
    refuses(&mut world, Action::Relight(way), Refusal::NoLamp);
    for kind in [
        FixtureKind::Fungus,
        FixtureKind::Crystal,
        FixtureKind::Moonlight,
    ] {
        world.floor_mut().fixtures.clear();
        let at = off(&world, -1, 0);
        put_lamp(&mut world, at, kind, true);
        refuses(&mut world, Action::Douse(way), Refusal::NotDousable(kind));
        refuses(&mut world, Action::Relight(way), Refusal::LampBurns);
    }
    world.floor_mut().fixtures[0].burning = false;
    refuses(&mut world, Action::Relight(way), Refusal::NoLamp);
}

#[test]
fn ember_can_be_wrapped_and_unwrapped() {
    let mut world = scene(ROOM);
    set_torch(&mut world, None);
    refuses(&mut world, Action::WrapEmber, Refusal::NoEmber);
    refuses(&mut world, Action::UnwrapEmber, Refusal::NoEmber);
    world.state.thief.ember = Some(Ember { wrapped: false });
    settle(&mut world);
    refuses(&mut world, Action::WrapEmber, Refusal::NoCloth);
    refuses(&mut world, Action::UnwrapEmber, Refusal::EmberBare);
    world.state.thief.cloth = 3;
    let events = act(&mut world, Action::WrapEmber);
    assert!(events.contains(&GameEvent::Wrapped { wrapped: true }));
    assert!(world.light.luminance(world.state.thief.at) < 0.01);
    assert_eq!(world.state.thief.cloth, 2, "cloth burns");
    refuses(&mut world, Action::WrapEmber, Refusal::EmberWrapped);
    act(&mut world, Action::UnwrapEmber);
    assert_eq!(world.state.thief.cloth, 2, "no longer burns");
    assert!(world.light.luminance(world.state.thief.at) > 0.5);
}
