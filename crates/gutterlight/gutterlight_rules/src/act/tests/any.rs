//! Random actions: nothing panics, refused actions change nothing, and the world stays valid.

use proptest::prelude::*;

use super::*;
use crate::floor::Oil;

/// A scene with a bit of everything.
const EVERYTHING: &str = "
    ########[#####
    #<...#!.m.O..#
    #....+..@....=
    #....#.....Y.#
    ####{####X####
    #~.f..}.....>#
    #w.s.h.l.p.W.#
    ##############";

fn everything() -> World {
    let mut world = scene(EVERYTHING);
    for id in world.guard_ids() {
        let guard = world.guard_mut(id);
        guard.facing = Direction::ALL[usize::from(id)];
        guard.duty = Duty::Patrol;
        guard.route = vec![guard.at, IVec2::new(6, 2), IVec2::new(2, 2)];
    }
    world.guard_mut(1).duty = Duty::Sleep;
    for (place, tool) in Tool::ALL.into_iter().enumerate() {
        let at = IVec2::new(6 + place as i32 % 3, 1 + place as i32 / 4);
        put_item(&mut world, at, Item::Tool(Stack { tool, count: 4 }));
    }
    let here = world.state.thief.at;
    for item in [
        Item::Key,
        Item::Treasure(9),
        Item::Cloth(5),
        Item::Torch(Torch {
            lit: true,
            fuel: 90,
        }),
        Item::Ember,
    ] {
        put_item(&mut world, here, item);
    }
    world.floor_mut().oil.push(Oil {
        at: IVec2::new(10, 2),
        burns: 0,
    });
    hold(&mut world, 0, Tool::OilFlask, 2);
    // Long games are the goal.
    world.state.thief.health = 500;
    world
}

fn cell() -> impl Strategy<Value = IVec2> {
    prop_oneof![
        12 => (0..14, 0..8).prop_map(IVec2::from),
        1 => any::<(i32, i32)>().prop_map(IVec2::from),
        1 => Just(IVec2::MIN),
        1 => Just(IVec2::MAX),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let way = || (0..8_usize).prop_map(|way| Direction::ALL[way]);
    let slot = || prop_oneof![6 => 0..4_u8, 1 => any::<u8>()];
    prop_oneof![
        6 => way().prop_map(Action::Walk),
        2 => way().prop_map(Action::Sneak),
        4 => way().prop_map(Action::Run),
        1 => Just(Action::Wait),
        1 => way().prop_map(Action::Peek),
        2 => way().prop_map(Action::Open),
        2 => way().prop_map(Action::Close),
        4 => Just(Action::PickUp),
        1 => slot().prop_map(|slot| Action::Drop { slot }),
        6 => (slot(), cell()).prop_map(|(slot, at)| Action::Throw { slot, at }),
        4 => slot().prop_map(|slot| Action::Use { slot }),
        2 => Just(Action::LightTorch),
        1 => Just(Action::SnuffTorch),
        1 => Just(Action::DropTorch),
        1 => cell().prop_map(|at| Action::ThrowTorch { at }),
        2 => way().prop_map(Action::Douse),
        2 => way().prop_map(Action::Relight),
        3 => way().prop_map(Action::Takedown),
        3 => way().prop_map(Action::Shove),
        3 => way().prop_map(Action::Fight),
        2 => Just(Action::Climb),
        1 => Just(Action::WrapEmber),
        1 => Just(Action::UnwrapEmber),
        2 => any::<u8>().prop_map(|choice| Action::Learn(choice % 5)),
    ]
}

/// All fuel on the floors, in tools and in the thief's torch, in beats.
fn fuel(world: &World) -> u32 {
    let of = |item: Item| match item {
        Item::Torch(torch) => u32::from(torch.fuel),
        Item::Tool(Stack {
            tool: Tool::OilFlask,
            count,
        }) => u32::from(count) * u32::from(world.rules.tools.oil_fuel),
        _ => 0,
    };
    let held = world
        .state
        .thief
        .tools
        .iter()
        .flatten()
        .map(|&stack| of(Item::Tool(stack)));
    let torch = world
        .state
        .thief
        .torch
        .map_or(0, |torch| u32::from(torch.fuel));
    let floors = world.state.floors.iter().flat_map(|floor| &floor.items);
    floors.map(|placed| of(placed.item)).sum::<u32>() + held.sum::<u32>() + torch
}

fn treasure(world: &World) -> u32 {
    let floors = world.state.floors.iter().flat_map(|floor| &floor.items);
    let worth = floors.map(|placed| match placed.item {
        Item::Treasure(worth) => u32::from(worth),
        _ => 0,
    });
    worth.sum::<u32>() + world.state.thief.purse
}

/// Invariants that hold at any time with the standard rules.
fn is_possible(world: &World) -> Result<(), TestCaseError> {
    prop_assert_eq!(world.check_invariants(), Ok(()));
    let (thief, rules) = (&world.state.thief, &world.rules);
    for stack in thief.tools.iter().flatten() {
        prop_assert!((1..=rules.tools.stack).contains(&stack.count), "{stack:?}");
    }
    let torch = thief.torch;
    prop_assert!(torch.is_none_or(|torch| torch.fuel <= rules.thief.fuel));
    prop_assert!((0..=rules.thief.breath).contains(&thief.breath));
    prop_assert!((0..=rules.thief.nerve).contains(&thief.nerve));
    prop_assert!(!thief.cloaked || thief.slot_of(Tool::DarkCloak).is_some());
    let floor = world.floor();
    // A door may have closed over smoke or oil in the meantime.
    prop_assert!(
        floor
            .smoke
            .iter()
            .all(|smoke| floor.tile(smoke.at).is_passable())
    );
    prop_assert!(floor.oil.iter().all(|oil| floor.tile(oil.at).is_passable()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn random_actions_keep_the_world_valid(actions in prop::collection::vec(action(), 1..120)) {
        let mut world = everything();
        for action in actions {
            let before = world.clone();
            let verdict = world.check(action);
            prop_assert!(world == before, "a check changed the world");
            match world.act(action) {
                Ok(_) => prop_assert_eq!(verdict, Ok(())),
                Err(refusal) => {
                    prop_assert_eq!(verdict, Err(refusal));
                    prop_assert!(world == before, "{:?} was refused", action);
                    continue;
                }
            }
            is_possible(&world)?;
            if world.state.floors.len() == before.state.floors.len() {
                prop_assert!(fuel(&world) <= fuel(&before), "fuel from nowhere: {action:?}");
                prop_assert_eq!(treasure(&world), treasure(&before));
            }
        }
    }

    #[test]
    fn same_actions_give_the_same_world(actions in prop::collection::vec(action(), 1..60)) {
        let (mut one, mut other) = (everything(), everything());
        for action in actions {
            prop_assert_eq!(one.act(action), other.act(action));
        }
        prop_assert!(one == other);
    }
}
