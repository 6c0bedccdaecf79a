use super::*;
use crate::{AlertState, Ember};

/// A room with these items at the thief's feet, the last one on top.
fn with_items(items: &[Item]) -> World {
    let mut world = scene(ROOM);
    for &item in items {
        let here = off(&world, 0, 0);
        put_item(&mut world, here, item);
    }
    world
}

fn tools(tool: Tool, count: u8) -> Item {
    Item::Tool(Stack { tool, count })
}

fn torch(lit: bool, fuel: u16) -> Item {
    Item::Torch(Torch { lit, fuel })
}

#[test]
fn pick_up_needs_an_item_in_the_cell() {
    let mut world = scene(ROOM);
    let neighbor = off(&world, 1, 0);
    put_item(&mut world, neighbor, Item::Key);
    refuses(&mut world, Action::PickUp, Refusal::NothingHere);
}

#[test]
fn topmost_item_is_taken_first() {
    let mut world = with_items(&[Item::Treasure(5), Item::Key, Item::Cloth(30)]);
    let events = act(&mut world, Action::PickUp);
    assert!(events.contains(&GameEvent::Took {
        item: Item::Cloth(30)
    }));
    assert_eq!((world.state.thief.cloth, world.state.thief.keys), (30, 0));
    act(&mut world, Action::PickUp);
    assert_eq!((world.state.thief.keys, world.state.thief.purse), (1, 0));
    act(&mut world, Action::PickUp);
    assert_eq!(world.state.thief.purse, 5);
    assert!(world.floor().items.is_empty());
}

#[test]
fn equal_tools_stack_up_to_the_limit() {
    let most = Rules::standard().tools.stack;
    let mut world = with_items(&[tools(Tool::Pebbles, most)]);
    hold(&mut world, 0, Tool::Salve, 1);
    hold(&mut world, 1, Tool::Pebbles, 2);
    act(&mut world, Action::PickUp);
    assert_eq!(held(&world, 1), Some((Tool::Pebbles, most)));
    assert_eq!(held(&world, 2), Some((Tool::Pebbles, 2)));
    assert!(world.floor().items.is_empty());
}

#[test]
fn tools_without_room_stay_on_the_floor() {
    let most = Rules::standard().tools.stack;
    let mut world = with_items(&[Item::Treasure(9), tools(Tool::Pebbles, most)]);
    hold(&mut world, 0, Tool::Salve, 1);
    hold(&mut world, 1, Tool::Pebbles, most - 1);
    hold(&mut world, 2, Tool::OilFlask, 1);
    let events = act(&mut world, Action::PickUp);
    assert!(events.contains(&GameEvent::Took {
        item: tools(Tool::Pebbles, 1)
    }));
    assert_eq!(
        world.floor().items[1].item,
        tools(Tool::Pebbles, most - 1),
        "still on top"
    );
    // The slots are full now, but the treasure below can still be taken.
    act(&mut world, Action::PickUp);
    assert_eq!(world.state.thief.purse, 9);
    refuses(&mut world, Action::PickUp, Refusal::SlotsFull);
}

#[test]
fn picked_up_torch_stays_lit_or_dark() {
    for lit in [false, true] {
        let mut world = with_items(&[torch(lit, 77)]);
        world.state.thief.torch = None;
        settle(&mut world);
        let events = act(&mut world, Action::PickUp);
        let fuel = world.state.thief.torch.map(|torch| (torch.lit, torch.fuel));
        // A lit torch has burned for a beat since.
        assert_eq!(fuel, Some((lit, 77 - u16::from(lit))));
        assert_eq!(
            events.contains(&GameEvent::Torch { lit: true }),
            lit,
            "lit: {lit}"
        );
    }
}

#[test]
fn second_torch_refuels_the_first() {
    let most = Rules::standard().thief.fuel;
    let mut world = with_items(&[torch(false, 50), torch(false, 70)]);
    world.state.thief.torch = Some(Torch {
        lit: false,
        fuel: most - 100,
    });
    act(&mut world, Action::PickUp);
    assert_eq!(
        world.state.thief.torch.map(|torch| torch.fuel),
        Some(most - 30)
    );
    act(&mut world, Action::PickUp);
    assert_eq!(world.state.thief.torch.map(|torch| torch.fuel), Some(most));
    put_item_here(&mut world, torch(false, 50));
    refuses(&mut world, Action::PickUp, Refusal::TorchFull);
}

fn put_item_here(world: &mut World, item: Item) {
    let here = off(world, 0, 0);
    put_item(world, here, item);
}

#[test]
fn taking_the_ember_raises_the_alarm() {
    for cloth in [0, 60] {
        let mut world = with_items(&[Item::Ember]);
        world.state.thief.cloth = cloth;
        let far = off(&world, -3, -3);
        let id = put_guard(&mut world, far, GuardKind::Sentry, Direction::West);
        let events = act(&mut world, Action::PickUp);
        assert!(
            events.contains(&GameEvent::Took { item: Item::Ember }),
            "{cloth} of cloth"
        );
        assert!(events.contains(&GameEvent::Alarm), "{cloth} of cloth");
        assert_eq!(
            world.state.thief.ember,
            Some(Ember { wrapped: cloth > 0 }),
            "{cloth} of cloth"
        );
        assert!(world.state.alarm, "{cloth} of cloth");
        assert!(
            world.guard(id).alert_state > AlertState::Suspicious,
            "{:?}",
            world.guard(id).alert_state
        );
    }
}

#[test]
fn dropped_tools_can_be_picked_up_again() {
    let mut world = scene(ROOM);
    hold(&mut world, 2, Tool::Pebbles, 3);
    let before = world.state.thief.tools.clone();
    let events = act(&mut world, Action::Drop { slot: 2 });
    assert!(events.contains(&GameEvent::Dropped {
        item: tools(Tool::Pebbles, 3)
    }));
    assert_eq!(held(&world, 2), None);
    assert_eq!(world.floor().items[0].at, world.state.thief.at);
    act(&mut world, Action::PickUp);
    assert_eq!(held(&world, 0), Some((Tool::Pebbles, 3)));
    assert_eq!(
        before.iter().flatten().count(),
        world.state.thief.tools.iter().flatten().count()
    );
}

#[test]
fn rejects_empty_and_missing_slots() {
    let mut world = scene(ROOM);
    let at = world.state.thief.at;
    for slot in [0, 2, 3, 255] {
        refuses(&mut world, Action::Drop { slot }, Refusal::EmptySlot);
        refuses(&mut world, Action::Use { slot }, Refusal::EmptySlot);
        refuses(&mut world, Action::Throw { slot, at }, Refusal::EmptySlot);
    }
}

#[test]
fn dropping_the_last_cloak_takes_it_off() {
    let mut world = scene(ROOM);
    hold(&mut world, 0, Tool::DarkCloak, 1);
    hold(&mut world, 1, Tool::DarkCloak, 1);
    act(&mut world, Action::Use { slot: 0 });
    act(&mut world, Action::Drop { slot: 0 });
    assert!(world.state.thief.cloaked, "there is another one");
    act(&mut world, Action::Drop { slot: 1 });
    assert!(!world.state.thief.cloaked);
}
