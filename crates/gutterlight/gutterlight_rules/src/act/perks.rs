//! What is learnt on the way down: of three things one.

use crate::{GameEvent, Perk, Refusal, World};

/// On the first arrival on a floor three things that the thief does not know yet are on
/// offer.
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
        world.tell(GameEvent::PerkOffered { perks });
    }
}

pub(super) fn may_learn(world: &World, choice: u8) -> Result<Perk, Refusal> {
    let offer = world.state.offer.ok_or(Refusal::NoPerkPending)?;
    let perk = offer.get(usize::from(choice));
    perk.copied().ok_or(Refusal::NoSuchPerk)
}

/// Learns it, which takes no time.
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
        // The rules that these change ask for them.
        Perk::LightFeet
        | Perk::CatEyes
        | Perk::WetFingers
        | Perk::NightWalker
        | Perk::NoTraces
        | Perk::WetCloth => {}
    }
    world.tell(GameEvent::Learnt { perk });
    0
}
