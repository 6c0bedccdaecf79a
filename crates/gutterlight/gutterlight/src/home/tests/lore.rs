//! Tests of the lore file.

use gutterlight_rules::{GuardKind, Tool};

use super::*;

#[test]
fn lore_grows_once_and_is_saved() {
    let lodging = Lodging::new();
    let (mut lore, trouble) = lodging.home.lore();
    assert!(trouble.is_none() && lore == Lore::default());
    let mut world = drawn("#######\n#@v..s#\n#######");
    assert!(lore.meet(world.view()), "the sentry");
    assert!(!lore.meet(world.view()));
    world.act(Action::Walk(Direction::East)).expect("free");
    world.act(Action::PickUp).expect("a vial");
    assert!(lore.meet(world.view()), "the vial");
    assert!(lore.guards.contains(&GuardKind::Sentry) && lore.guards.len() == 1);
    assert!(lore.tools.contains(&Tool::WaterVial) && lore.tools.len() == 1);
    lodging.home.keep_lore(&lore).expect("a file");
    assert_eq!(lodging.home.lore().0, lore);
    lodging.put(&lodging.home.data.path("lore.ron"), b"(guards: 7)");
    assert!(lodging.home.lore().1.is_some());
    assert_eq!(lodging.names(), ["lore.damaged.ron"]);
}
