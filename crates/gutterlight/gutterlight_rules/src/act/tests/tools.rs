use super::*;
use crate::{LightBand, Perk, light};

/// A scene with a tool in the first slot.
fn with_tool(tool: Tool) -> World {
    let mut world = scene(ROOM);
    hold(&mut world, 0, tool, 2);
    world
}

const USE: Action = Action::Use { slot: 0 };

#[test]
fn oil_refuels_the_torch() {
    let mut world = with_tool(Tool::OilFlask);
    let (most, oil) = (world.rules.thief.fuel, world.rules.tools.oil_fuel);
    world.state.thief.torch = Some(Torch {
        lit: false,
        fuel: 10,
    });
    let events = act(&mut world, USE);
    assert!(events.contains(&GameEvent::Used {
        tool: Tool::OilFlask
    }));
    assert_eq!(
        world.state.thief.torch.map(|torch| torch.fuel),
        Some(10 + oil)
    );
    assert_eq!(held(&world, 0), Some((Tool::OilFlask, 1)));
    world.state.thief.torch = Some(Torch {
        lit: false,
        fuel: most - 1,
    });
    act(&mut world, USE);
    assert_eq!(
        world.state.thief.torch.map(|torch| torch.fuel),
        Some(most),
        "capped at the maximum"
    );
    assert_eq!(held(&world, 0), None);
    hold(&mut world, 0, Tool::OilFlask, 1);
    refuses(&mut world, USE, Refusal::TorchFull);
    world.state.thief.torch = None;
    settle(&mut world);
    refuses(&mut world, USE, Refusal::NoTorch);
}

#[test]
fn cloak_takes_no_time() {
    let mut world = with_tool(Tool::DarkCloak);
    world.state.thief.torch = None;
    let at = off(&world, 1, 0);
    put_lamp(&mut world, at, FixtureKind::Sconce, true);
    let bare = light::shown_band(&world);
    assert!(bare >= LightBand::Lit);
    act(&mut world, USE);
    assert_eq!(world.state.tick, 0);
    assert!(world.state.thief.cloaked && light::shown_band(&world) < bare);
    assert_eq!(
        held(&world, 0),
        Some((Tool::DarkCloak, 2)),
        "the cloak is kept"
    );
    act(&mut world, USE);
    assert!(!world.state.thief.cloaked);
}

#[test]
fn trumpet_lasts_for_its_time() {
    let mut world = with_tool(Tool::EarTrumpet);
    act(&mut world, USE);
    assert_eq!(
        world.state.thief.trumpet,
        world.rules.tools.trumpet_ticks - 4
    );
    assert_eq!(held(&world, 0), Some((Tool::EarTrumpet, 1)));
}

#[test]
fn salve_restores_health_and_nerve_up_to_the_maximum() {
    let mut world = with_tool(Tool::Salve);
    refuses(&mut world, USE, Refusal::NotHurt);
    let full = world.rules.thief.health;
    world.state.thief.health = 1;
    world.state.thief.nerve = 0;
    let events = act(&mut world, USE);
    let health = world.rules.tools.salve_heals;
    assert!(events.contains(&GameEvent::Healed { health }));
    assert!(events.contains(&GameEvent::Nerve { gone: false }));
    assert_eq!(world.state.thief.health, 1 + health);
    assert!(world.state.thief.nerve >= world.rules.tools.salve_nerve);
    world.state.thief.health = full - 1;
    act(&mut world, USE);
    assert_eq!(world.state.thief.health, full);
    hold(&mut world, 0, Tool::Salve, 1);
    world.state.thief.nerve = world.rules.thief.nerve - 1;
    act(&mut world, USE);
    assert_eq!(world.state.thief.health, full);
}

#[test]
fn salve_heals_up_to_the_thick_skin_maximum() {
    let mut world = with_tool(Tool::Salve);
    world.state.thief.perks.push(Perk::ThickSkin);
    act(&mut world, USE);
    let most = world.rules.thief.health + world.rules.perks.thick_skin;
    assert_eq!(world.state.thief.health, most);
    refuses(&mut world, USE, Refusal::NotHurt);
}

#[test]
fn scroll_teleports_to_the_darkest_cell() {
    let mut world = scene("################\n#.............@#\n################");
    hold(&mut world, 0, Tool::BlinkScroll, 1);
    world.state.thief.torch = None;
    let (from, lamp) = (off(&world, 0, 0), off(&world, -1, 0));
    put_lamp(&mut world, lamp, FixtureKind::Sconce, true);
    let reach = world.rules.tools.blink_reach as i32;
    let to = off(&world, -reach, 0);
    let id = put_guard(&mut world, to, GuardKind::Sentry, Direction::West);
    // A guard is in the darkest cell, so the cell next to it is chosen.
    let events = act(&mut world, USE);
    let to = to + IVec2::X;
    assert!(
        events.contains(&GameEvent::Blinked { from, to }),
        "{events:?}"
    );
    assert_eq!(world.state.thief.at, to);
    assert_eq!(held(&world, 0), None);
    assert_eq!(world.floor().guard_at(to - IVec2::X), Some(id));
}

#[test]
fn scroll_needs_a_free_cell() {
    let mut world = scene("####\n#@##\n####");
    hold(&mut world, 0, Tool::BlinkScroll, 1);
    refuses(&mut world, USE, Refusal::NoDarkness);
}

#[test]
fn scroll_needs_a_known_cell() {
    let mut world = scene("######\n#@#..#\n######");
    hold(&mut world, 0, Tool::BlinkScroll, 1);
    refuses(&mut world, USE, Refusal::NoDarkness);
}

#[test]
fn tools_refuse_the_wrong_use() {
    for tool in Tool::ALL {
        let mut world = with_tool(tool);
        match tool {
            Tool::Picklock => refuses(&mut world, USE, Refusal::OnlyForLocks(tool)),
            Tool::OilFlask => {}
            Tool::WaterVial => refuses(&mut world, USE, Refusal::NoCloth),
            _ if tool.is_thrown() => refuses(&mut world, USE, Refusal::OnlyThrown(tool)),
            _ => {}
        }
        let at = world.state.thief.at;
        if !tool.is_thrown() {
            refuses(
                &mut world,
                Action::Throw { slot: 0, at },
                Refusal::NotThrown(tool),
            );
        }
    }
}
