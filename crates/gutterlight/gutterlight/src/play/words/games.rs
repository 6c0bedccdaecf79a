//! How games end, and the best of them.

use std::path::Path;

use gutterlight_rules::{Burden, Difficulty, Ending, Heat, Perk, View};

use super::{
    things::{counted, times},
    wrap::{WIDE, wrapped},
};
use crate::home::Score;

/// What a perk is, in a few words.
pub fn perk(perk: Perk) -> &'static str {
    match perk {
        Perk::LightFeet => "your steps are quieter",
        Perk::CatEyes => "you make out more in the dark",
        Perk::WetFingers => "you put out lamps unheard, and they stay out",
        Perk::NightWalker => "in the dark you walk as quietly as others sneak",
        Perk::DeepPockets => "a fourth slot for tools",
        Perk::NoTraces => "takedowns are silent, and nobody is found or missed",
        Perk::ThickSkin => "more health",
        Perk::WetCloth => "cloth wraps the Ember for longer",
    }
}

/// What stands before the game in one line.
pub const TO_SHARE: &str = "To be shared, in one line:";

/// The last words, line by line.
pub fn ending(view: View<'_>, ending: Ending) -> Vec<String> {
    let cause = match ending {
        Ending::Escaped => "You are out, and the Ember is yours.".to_owned(),
        Ending::Slain(kind) => format!("A {} has killed you.", kind.name()),
        Ending::Burnt => "You have burnt to death.".to_owned(),
        Ending::GaveUp => "You have given up.".to_owned(),
        Ending::TurnedBack => "You are out, without the Ember.".to_owned(),
        Ending::Rescued => "You are out, without the Ember, but not alone.".to_owned(),
    };
    let tally = view.tally();
    vec![
        cause,
        String::new(),
        format!("score {}", view.score()),
        whereabouts(view),
        format!(
            "seen {}, {}",
            times(tally.times_seen),
            counted(tally.takedowns, "takedown")
        ),
        String::new(),
        TO_SHARE.to_owned(),
        view.summary(),
    ]
}

/// Where it ended, and when: whoever is out is on no floor any more.
fn whereabouts(view: View<'_>) -> String {
    let (floor, seed) = (view.depth() + 1, view.seed());
    let hardness = hardness(view.difficulty(), view.heat());
    let turns = counted(view.turn(), "turn");
    match view.is_out() {
        true => {
            let deepest = view.floors_reached();
            format!("out of keep {seed} ({hardness}), from floor {deepest}, after {turns}")
        }
        false => format!("floor {floor} of keep {seed} ({hardness}), after {turns}"),
    }
}

/// Its place among the best.
pub fn among_best(place: usize) -> String {
    match place {
        1 => "The best game that was played here.".into(),
        place => format!("Number {place} of the best games played here."),
    }
}

/// Where its page lies.
pub fn page_lies(page: &Path) -> Vec<String> {
    wrapped(&format!("Written down in {}", page.display()), WIDE)
}

/// What burdens are.
pub const ABOUT_BURDENS: &str = "\
You have been out with the Ember. Whoever wants more takes burdens on, as many as wanted: the next new \
game is played with them. The daily keep knows none.";

/// A burden, whether it is borne, and what it does.
pub fn burden(burden: Burden, borne: bool) -> String {
    let mark = if borne { "x" } else { " " };
    format!("[{mark}] {}: {}", burden.name(), burden.words())
}

/// The burdens of the next game, in few words.
pub fn heat(heat: Heat) -> String {
    match heat.count() {
        0 => "none".into(),
        1 => heat.burdens().map(Burden::name).collect(),
        count => format!("{count} (heat {count})"),
    }
}

/// What burdens are worth, each so many percent.
pub fn worth(heat: Heat, percent: u32) -> String {
    let count = heat.count();
    format!("Heat {count}: {} % more points.", count * percent)
}

/// How hard a game was, with its burdens.
fn hardness(difficulty: Difficulty, heat: Heat) -> String {
    match heat.count() {
        0 => difficulty.name().to_owned(),
        count => format!("{}, heat {count}", difficulty.name()),
    }
}

/// One of the best games, in two lines.
pub fn score(place: Option<usize>, score: &Score) -> [String; 2] {
    let place = place.map_or(String::new(), |place| format!("{place}."));
    let cause = match score.ending {
        Ending::Escaped if score.is_unseen() => "escaped with the Ember, never seen".to_owned(),
        Ending::Escaped => "escaped with the Ember".to_owned(),
        Ending::Slain(kind) => format!("killed by a {} on floor {}", kind.name(), score.floor),
        Ending::Burnt => format!("burnt to death on floor {}", score.floor),
        Ending::GaveUp => format!("gave up on floor {}", score.floor),
        Ending::TurnedBack => "left without the Ember".to_owned(),
        Ending::Rescued => "left with a prisoner".to_owned(),
    };
    let daily = if score.daily { ", of the day" } else { "" };
    [
        format!("{place:>4} {:>6}  {cause}", score.score),
        format!(
            "             {}, keep {}{daily}, {}, {}, seen {}",
            score.date,
            score.seed,
            hardness(score.difficulty, score.heat),
            counted(score.turns, "turn"),
            times(score.times_seen),
        ),
    ]
}
