//! Perks: on the way down, the thief learns one of three.

use crate::{GameEvent, Perk, Refusal, World};

/// Offers three perks that the thief does not have yet. Called on the first arrival on each deeper
/// floor.
pub(super) fn offer_perks(world: &mut World) {
    let thief = &world.state.thief;
    let mut new: Vec<Perk> = Perk::ALL
        .into_iter()
        .filter(|&perk| !thief.has(perk))
        .collect();
    world.state.dice.rng().shuffle(&mut new);
    if let [first, second, third, ..] = new[..] {
        let perks = [first, second, third];
        world.state.offer = Some(perks);
        world.emit(GameEvent::PerkOffered { perks });
    }
}

pub(super) fn may_learn(world: &World, choice: u8) -> Result<Perk, Refusal> {
    let offer = world.state.offer.ok_or(Refusal::NoPerkPending)?;
    let perk = offer.get(usize::from(choice));
    perk.copied().ok_or(Refusal::NoSuchPerk)
}

/// Learns a perk, which takes no time.
pub(super) fn learn(world: &mut World, choice: u8) -> u16 {
    let Ok(perk) = may_learn(world, choice) else {
        return 0;
    };
    world.state.offer = None;
    let more_health = world.rules.perks.thick_skin;
    let thief = &mut world.state.thief;
    thief.perks.push(perk);
    match perk {
        Perk::ThickSkin => thief.health += more_health,
        Perk::DeepPockets => thief.tools.push(None),
        // The rules that these perks change check for them.
        Perk::LightFeet
        | Perk::CatEyes
        | Perk::WetFingers
        | Perk::NightWalker
        | Perk::NoTraces
        | Perk::WetCloth => {}
    }
    world.emit(GameEvent::Learnt { perk });
    0
}
