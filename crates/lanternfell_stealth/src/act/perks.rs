//! What is learnt on the way down: of three things one.

use crate::{GameEvent, Perk, Refusal, World};

impl World {
    /// On the first arrival on a floor three things that the thief does not know yet are on
    /// offer.
    pub(super) fn offer_perks(&mut self) {
        let thief = &self.state.thief;
        let mut new: Vec<Perk> = Perk::ALL
            .into_iter()
            .filter(|&perk| !thief.has(perk))
            .collect();
        self.state.dice.rng().shuffle(&mut new);
        if let [first, second, third, ..] = new[..] {
            let perks = [first, second, third];
            self.state.offer = Some(perks);
            self.tell(GameEvent::PerkOffered { perks });
        }
    }

    pub(super) fn may_learn(&self, choice: u8) -> Result<Perk, Refusal> {
        let offer = self.state.offer.ok_or(Refusal::NoPerkPending)?;
        let perk = offer.get(usize::from(choice));
        perk.copied().ok_or(Refusal::NoSuchPerk)
    }

    /// Learns it, which takes no time.
    pub(super) fn learn(&mut self, choice: u8) -> u16 {
        let Ok(perk) = self.may_learn(choice) else {
            return 0;
        };
        self.state.offer = None;
        let more_health = self.rules.perks.thick_skin;
        let thief = &mut self.state.thief;
        thief.perks.push(perk);
        match perk {
            Perk::ThickSkin => thief.health += more_health,
            Perk::DeepPockets => thief.tools.push(None),
            // The rules that these change ask for them.
            Perk::LightFeet
            | Perk::CatEyes
            | Perk::SlowBurn
            | Perk::IronNerve
            | Perk::SoftHands
            | Perk::WetCloth => {}
        }
        self.tell(GameEvent::Learnt { perk });
        0
    }
}
