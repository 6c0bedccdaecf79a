//! What a beat does to the world, after the thief has acted.

use crate::{GameEvent, Item, LightBand, Perk, Tile, Torch, World, rules::BEAT, tile::Ground};

impl World {
    /// A beat, or a part of one.
    pub(crate) fn beat(&mut self, ticks: u16) {
        self.state.tick += u32::from(ticks);
        self.leave_scent();
        self.face_the_dark();
        self.burn(ticks);
        self.go_on_with_opening(ticks);
        self.guards_act(ticks);
        if self.state.ending.is_some() {
            return;
        }
        self.burn_floor(ticks);
        self.thin_smoke(ticks);
        self.settle_in();
        self.guards_perceive(ticks);
        self.recover(ticks);
    }

    /// Brings up to date what is seen: light, sight, and how lit the thief is.
    pub(crate) fn settle_in(&mut self) {
        self.update_light();
        self.look();
        self.update_band();
    }

    /// Before guards move: the thief has moved, and sees and hears from the new cell.
    fn face_the_dark(&mut self) {
        self.listen();
        let mut sight = core::mem::take(&mut self.sight);
        self.look_from(&mut sight, self.state.thief.at);
        self.sight = sight;
    }

    fn leave_scent(&mut self) {
        let (at, tick) = (self.state.thief.at, self.state.tick);
        let floor = self.floor_mut();
        if floor.tile(at) != Tile::Ground(Ground::Water)
            && let Some(scent) = floor.scent.get_mut(at)
        {
            *scent = tick;
        }
    }

    /// Fuel and cloth burn, in percent of a tick for each tick.
    fn burn(&mut self, ticks: u16) {
        let ticks = u32::from(ticks);
        let beat = u32::from(BEAT) * 100;
        if self.state.thief.torch_burns() {
            let share = match self.state.thief.has(Perk::SlowBurn) {
                true => u32::from(self.rules.perks.slow_burn),
                false => 100,
            };
            self.state.burnt.0 += ticks * share;
            while self.state.burnt.0 >= beat {
                self.state.burnt.0 -= beat;
                self.burn_torch();
            }
        }
        let wrapped = self.state.thief.ember.is_some_and(|ember| ember.wrapped);
        if wrapped {
            let share = match self.state.thief.has(Perk::WetCloth) {
                true => u32::from(self.rules.perks.wet_cloth),
                false => 100,
            };
            self.state.burnt.1 += ticks * share;
            while self.state.burnt.1 >= beat {
                self.state.burnt.1 -= beat;
                self.burn_cloth();
            }
        }
        self.burn_dropped_torches(ticks as u16);
    }

    /// A beat of the torch in the hand.
    fn burn_torch(&mut self) {
        let low = self.rules.thief.fuel_low;
        let Some(torch) = &mut self.state.thief.torch else {
            return;
        };
        torch.fuel = torch.fuel.saturating_sub(1);
        if torch.fuel == 0 {
            torch.lit = false;
            self.tell(GameEvent::TorchSpent);
            self.tell(GameEvent::Torch { lit: false });
        } else if torch.fuel == low {
            self.tell(GameEvent::TorchLow);
        }
    }

    /// A beat of the cloth round the Ember.
    fn burn_cloth(&mut self) {
        let thief = &mut self.state.thief;
        thief.cloth = thief.cloth.saturating_sub(1);
        if thief.cloth == 0
            && let Some(ember) = &mut thief.ember
        {
            ember.wrapped = false;
            self.tell(GameEvent::ClothBurnt);
        }
    }

    /// Torches on the ground burn down too.
    fn burn_dropped_torches(&mut self, ticks: u16) {
        let beats = self.beats_over(ticks);
        for placed in &mut self.floor_mut().items {
            if let Item::Torch(torch @ Torch { lit: true, .. }) = &mut placed.item {
                torch.fuel = torch.fuel.saturating_sub(beats);
                torch.lit = torch.fuel > 0;
            }
        }
    }

    /// How lit the thief is now.
    fn update_band(&mut self) {
        let before = self.state.thief.band;
        let luminance = self.light.luminance(self.state.thief.at);
        let band = self.rules.light.bands.band(luminance, Some(before));
        self.state.thief.band = band;
        if band != before {
            self.tell(GameEvent::Band {
                from: before,
                to: band,
            });
        }
    }

    /// How lit the thief looks to others: the cloak makes it one band darker.
    pub(crate) fn shown_band(&self) -> LightBand {
        self.would_show(self.state.thief.band)
    }

    /// How lit the thief would look who stood in light like this.
    pub(crate) fn would_show(&self, band: LightBand) -> LightBand {
        let thief = &self.state.thief;
        let shines = thief.torch_burns() || thief.ember_shines();
        if !thief.cloaked || shines {
            return band;
        }
        match band {
            LightBand::Hidden | LightBand::Dim => LightBand::Hidden,
            LightBand::Lit => LightBand::Dim,
            LightBand::Blazing => LightBand::Lit,
        }
    }

    /// Nerve, breath, and what is counted.
    fn recover(&mut self, ticks: u16) {
        let beats = self.beats_over(ticks);
        if beats > 0 {
            self.recover_nerve();
        }
        let rules = &self.rules.thief;
        let (most, returns) = (rules.breath, rules.breath_returns);
        let state = &mut self.state;
        state.thief.trumpet = state.thief.trumpet.saturating_sub(ticks);
        if ticks == BEAT {
            state.thief.breath = (state.thief.breath + returns).min(most);
        }
        let beats = u32::from(beats);
        match state.thief.band {
            LightBand::Hidden => state.tally.beats_hidden += beats,
            LightBand::Lit | LightBand::Blazing => state.tally.beats_lit += beats,
            LightBand::Dim => {}
        }
    }

    /// Total darkness near enemies takes nerve, light gives it back.
    fn recover_nerve(&mut self) {
        let rules = &self.rules.thief;
        let before = self.state.thief.nerve;
        let change = match self.state.thief.band {
            LightBand::Hidden if self.enemy_near() => -self.nerve_lost(),
            LightBand::Hidden => 0,
            LightBand::Dim | LightBand::Lit | LightBand::Blazing => rules.nerve_returns,
        };
        let nerve = (before + change).clamp(0, rules.nerve);
        self.state.thief.nerve = nerve;
        if (nerve == 0) != (before == 0) {
            self.tell(GameEvent::Nerve { gone: nerve == 0 });
        }
    }

    /// What a beat in darkness near an enemy takes; the perk halves it by every other beat.
    fn nerve_lost(&self) -> i16 {
        let full = i32::from(self.rules.thief.nerve_falls);
        if !self.state.thief.has(Perk::IronNerve) {
            return full as i16;
        }
        let share = i32::from(self.rules.perks.iron_nerve);
        let beats = (self.state.tick / u32::from(BEAT)) as i64;
        let lost = |beats: i64| (beats * i64::from(full * share)).div_euclid(100);
        (lost(beats) - lost(beats - 1)) as i16
    }

    /// Whether anyone who could hurt is near.
    fn enemy_near(&self) -> bool {
        let reach = self.rules.thief.nerve_reach * 10;
        let near = |at| {
            self.hearing
                .cost(at)
                .is_some_and(|cost| u32::from(cost) <= reach)
        };
        let guards = self.floor().guards.iter();
        guards
            .filter(|guard| guard.is_standing() && guard.kind.fights())
            .any(|guard| near(guard.at))
    }
}
