//! The score of a game, and the texts about its end.

use core::fmt::Write;

use crate::{
    BEAT, Burden, Ending, Heat, Item, Story, View,
    floor::{FLOORS, Floor},
    rules::Posting,
};

impl View<'_> {
    /// The score of the game so far: loot, floors, the Ember, and bonuses for getting out and for
    /// never being seen. Being seen and killing cost points. Difficulty and burdens scale the
    /// result, which is never below 0.
    pub fn score(self) -> u32 {
        let (rules, tally) = (&self.rules().score, self.tally());
        let escaped = self.ending() == Some(Ending::Escaped);
        let times = |count: u32, worth: u32| i64::from(count) * i64::from(worth);
        let once = |so: bool, worth: u32| times(u32::from(so), worth);
        let rescued = self.thief().rescued && self.is_out();
        let gained = i64::from(self.thief().purse)
            + times(self.floors_reached() as u32, rules.floor)
            + once(self.thief().ember.is_some(), rules.ember)
            + once(escaped, rules.escape)
            + once(rescued, rules.rescue)
            + once(self.is_out() && !escaped, rules.turned_back)
            + once(escaped && self.never_seen(), rules.unseen);
        let lost = times(tally.times_seen, rules.seen) + times(tally.kills, rules.kill);
        let percent = self.rules().difficulty(self.difficulty()).score;
        let burdens = i64::from(100 + self.heat().count() * rules.burden);
        let score = (gained - lost).max(0) * i64::from(percent) / 100 * burdens / 100;
        score.min(i64::from(u32::MAX)) as u32
    }

    /// Whether the thief left the keep, with or without the Ember.
    pub fn is_out(self) -> bool {
        let out = [Ending::Escaped, Ending::TurnedBack, Ending::Rescued];
        self.ending().is_some_and(|ending| out.contains(&ending))
    }

    /// How the game ended, or where the thief is, as a sentence.
    pub fn fate(self) -> String {
        let theme = self.theme().name();
        match self.ending() {
            None => format!("Still in {theme}."),
            Some(Ending::Escaped) => "Escaped the keep with the Ember.".to_owned(),
            Some(Ending::GaveUp) => format!("Gave up in {theme}."),
            Some(Ending::TurnedBack) => "Left the keep without the Ember.".to_owned(),
            Some(Ending::Rescued) => {
                "Left the keep without the Ember, but not alone. A prisoner is free.".to_owned()
            }
            Some(Ending::Burnt) => format!("Burned to death in {theme}."),
            Some(Ending::Caught) => format!("Caught in full daylight in {theme}."),
            Some(Ending::Slain(guard)) => {
                let article = match self.rules().guard(guard).posting {
                    // Only one guard watches over the Ember.
                    Posting::Ember => "the",
                    Posting::Watch | Posting::Barracks | Posting::Round | Posting::Lamps => "a",
                };
                format!("Slain by {article} {} in {theme}.", guard.name())
            }
        }
    }

    /// The report of the game, as a page of text.
    pub fn morgue(self) -> String {
        let mut page = format!("Gutterlight\n\n{}\n\n", self.fate());
        for (name, value) in self.facts() {
            // Writing to a string cannot fail.
            let _ = writeln!(page, "{name:<17}{value}");
        }
        for (title, things) in [("Carried", self.belongings()), ("Learned", self.lessons())] {
            let _ = writeln!(page, "\n{title}");
            for thing in &things {
                let _ = writeln!(page, "  {thing}");
            }
            if things.is_empty() {
                page.push_str("  nothing\n");
            }
        }
        let _ = writeln!(page, "\nIn one line\n  {}", self.summary());
        page
    }

    fn facts(self) -> Vec<(&'static str, String)> {
        let tally = self.tally();
        let beats = self.tick() / u32::from(BEAT);
        let mut facts = vec![
            ("Score", self.score().to_string()),
            ("Seed", self.seed().to_string()),
            ("Difficulty", self.difficulty().name().to_owned()),
        ];
        if self.heat() != Heat::NONE {
            facts.push(("Heat", self.heat_in_words()));
        }
        facts.extend([
            ("Turns", format!("{} ({beats} beats)", self.turn())),
            (
                "Floors reached",
                format!("{} of {FLOORS}", self.floors_reached()),
            ),
            ("Loot", self.thief().purse.to_string()),
            ("Times seen", self.times_seen_in_words()),
            ("Bells rung", tally.bells.to_string()),
            ("Times suspected", tally.times_suspected.to_string()),
            ("Takedowns", tally.takedowns.to_string()),
            ("Killed", tally.kills.to_string()),
            ("Lamps put out", tally.lamps_doused.to_string()),
            ("Beats hidden", tally.beats_hidden.to_string()),
            ("Beats in light", tally.beats_lit.to_string()),
        ]);
        facts
    }

    fn heat_in_words(self) -> String {
        let names: Vec<_> = self.heat().burdens().map(Burden::name).collect();
        format!("{} ({})", names.len(), names.join(", "))
    }

    /// An escape without ever being seen has its own mark.
    fn times_seen_in_words(self) -> String {
        let mark = match self.ending() {
            Some(Ending::Escaped) if self.never_seen() => ", a shadow",
            _ => "",
        };
        format!("{}{mark}", self.tally().times_seen)
    }

    fn belongings(self) -> Vec<String> {
        let thief = self.thief();
        let mut things = Vec::new();
        if thief.ember.is_some() {
            things.push(Item::Ember.name().to_owned());
        }
        if let Some(torch) = thief.torch {
            let beats = torch.fuel;
            things.push(format!(
                "{}, {beats} beats of fuel",
                Item::Torch(torch).name()
            ));
        }
        for stack in thief.tools.iter().flatten() {
            things.push(match stack.count {
                1 => stack.tool.name().to_owned(),
                count => format!("{} ({count})", stack.tool.name()),
            });
        }
        things
    }

    fn lessons(self) -> Vec<String> {
        let perks = self.thief().perks.iter();
        perks.map(|perk| perk.name().to_owned()).collect()
    }
}

impl<'a> View<'a> {
    /// The way of the thief through the keep, with sightings and doused lamps.
    pub fn story(self) -> &'a Story {
        &self.world().state.story
    }

    /// A floor with all its secrets, by its index from 0. `None` before the game is over, and for
    /// floors that were not reached.
    pub fn revealed(self, depth: usize) -> Option<&'a Floor> {
        self.ending()?;
        self.world().state.floors.get(depth)
    }

    /// The game in one line, for sharing:
    /// `Escaped: seen 0, lit 12 of 905 beats, 2100 points, keep 4711 (thief)`.
    pub fn summary(self) -> String {
        let tally = self.tally();
        let fate = match self.ending() {
            Some(Ending::Escaped) => "Escaped".to_owned(),
            Some(Ending::TurnedBack) => "Left without the Ember".to_owned(),
            Some(Ending::Rescued) => "Left with a prisoner".to_owned(),
            Some(Ending::GaveUp) => format!("Gave up on floor {}", self.depth() + 1),
            Some(Ending::Caught) => format!("Caught on floor {}", self.depth() + 1),
            Some(Ending::Slain(_) | Ending::Burnt) => {
                format!("Fell on floor {}", self.depth() + 1)
            }
            None => format!("On floor {}", self.depth() + 1),
        };
        let beats = self.tick() / u32::from(BEAT);
        let heat = match self.heat().count() {
            0 => String::new(),
            count => format!(", heat {count}"),
        };
        format!(
            "{fate}: seen {}, lit {} of {beats} beats, {} points, keep {} ({}{heat})",
            tally.times_seen,
            tally.beats_lit,
            self.score(),
            self.seed(),
            self.difficulty().name(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Difficulty, Ember, GuardKind, Perk, Rules, Stack, Tool, Torch, World};

    fn world() -> World {
        World::from_drawing(Rules::standard(), 9, "####\n#<.#\n####").expect("a drawing")
    }

    #[test]
    fn score_follows_the_rules() {
        let rules = Rules::standard();
        let worth = &rules.score;
        let mut world = world();
        assert_eq!(world.view().score(), worth.floor);
        world.state.thief.purse = 1234;
        assert_eq!(world.view().score(), worth.floor + 1234);
        world.state.thief.ember = Some(Ember { wrapped: false });
        assert_eq!(world.view().score(), worth.floor + 1234 + worth.ember);
        world.state.ending = Some(Ending::Escaped);
        let best = worth.floor + 1234 + worth.ember + worth.escape + worth.unseen;
        assert_eq!(world.view().score(), best);
        world.state.tally.times_seen = 2;
        world.state.tally.kills = 3;
        let seen = best - worth.unseen - 2 * worth.seen - 3 * worth.kill;
        assert_eq!(world.view().score(), seen);
        world.state.difficulty = Difficulty::Ghost;
        assert_eq!(
            world.view().score(),
            seen * rules.difficulty.ghost.score / 100
        );
        // A thief who dies or is caught gets no bonus for escaping unseen.
        world.state.tally.times_seen = 0;
        world.state.ending = Some(Ending::Burnt);
        world.state.difficulty = Difficulty::Thief;
        assert_eq!(
            world.view().score(),
            best - worth.escape - worth.unseen - 3 * worth.kill
        );
        let burnt = world.view().score();
        world.state.ending = Some(Ending::Caught);
        assert_eq!(world.view().score(), burnt);
        assert_eq!(
            world.view().fate(),
            "Caught in full daylight in the Cellars."
        );
        assert!(world.view().summary().starts_with("Caught on floor 1: "));
    }

    #[test]
    fn score_saturates_at_zero_and_maximum() {
        let mut world = world();
        world.state.tally.times_seen = u32::MAX;
        assert_eq!(world.view().score(), 0);
        world.state.tally.times_seen = 0;
        world.state.thief.purse = u32::MAX;
        world.state.difficulty = Difficulty::Ghost;
        assert_eq!(world.view().score(), u32::MAX);
    }

    #[test]
    fn morgue_lists_all_facts() {
        let mut world = world();
        assert!(world.view().morgue().contains("Still in the Cellars."));
        assert!(world.view().morgue().contains("Learned\n  nothing"));
        let state = &mut world.state;
        state.ending = Some(Ending::Slain(GuardKind::Hound));
        (state.turn, state.tick) = (812, 4 * 905);
        state.tally.times_seen = 17;
        state.thief.tools[1] = Some(Stack {
            tool: Tool::Pebbles,
            count: 3,
        });
        state.thief.perks = vec![Perk::CatEyes];
        state.thief.torch = Some(Torch {
            lit: true,
            fuel: 99,
        });
        let page = world.view().morgue();
        for words in [
            "Slain by a hound in the Cellars.",
            "Seed             9\n",
            "Difficulty       thief\n",
            "812 (905 beats)",
            "1 of 5",
            "Times seen       17\n",
            "pebbles (3)",
            "a burning torch, 99 beats of fuel",
            "Learned\n  cat eyes\n",
        ] {
            assert!(page.contains(words), "{words} in\n{page}");
        }
    }
}
