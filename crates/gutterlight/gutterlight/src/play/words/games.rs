//! Texts about the end of a game, scores, perks and burdens.

use std::path::Path;

use gutterlight_rules::{Burden, Difficulty, Ending, Heat, Perk, View};

use super::{
    things::{counted, times},
    wrap::{WIDE, wrapped},
};
use crate::home::Score;

/// A short description of a perk.
pub fn perk(perk: Perk) -> &'static str {
    match perk {
        Perk::LightFeet => "your steps are quieter",
        Perk::CatEyes => "you see more in the dark",
        Perk::WetFingers => "you douse lamps in silence, and they stay out",
        Perk::NightWalker => "in the dark, you walk as softly as others sneak",
        Perk::DeepPockets => "a fourth tool slot",
        Perk::NoTraces => "takedowns are silent, and no one is found or missed",
        Perk::ThickSkin => "more health",
        Perk::WetCloth => "cloth hides the Ember for longer",
    }
}

/// The heading of the one-line summary.
pub const TO_SHARE: &str = "One line to share:";

/// The text of the end page, one line per entry.
pub fn ending(view: View<'_>, ending: Ending) -> Vec<String> {
    let cause = match ending {
        Ending::Escaped => "You are out, and the Ember is yours.".to_owned(),
        Ending::Slain(kind) => format!("A {} killed you.", kind.name()),
        Ending::Burnt => "You burned to death.".to_owned(),
        Ending::Caught => "Full daylight found you in the keep. You are caught.".to_owned(),
        Ending::GaveUp => "You gave up.".to_owned(),
        Ending::TurnedBack => "You are out, but without the Ember.".to_owned(),
        Ending::Rescued => "You are out. Not with the Ember, but not alone.".to_owned(),
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

/// Where and when the game ended. A thief who got out is no longer on a floor.
fn whereabouts(view: View<'_>) -> String {
    let (floor, seed) = (view.depth() + 1, view.seed());
    let hardness = hardness(view.difficulty(), view.heat());
    let turns = counted(view.turn(), "turn");
    match view.is_out() {
        true => {
            let deepest = view.floors_reached();
            format!("out of keep {seed} ({hardness}) from floor {deepest}, after {turns}")
        }
        false => format!("floor {floor} of keep {seed} ({hardness}), after {turns}"),
    }
}

/// The rank among the best games.
pub fn among_best(place: usize) -> String {
    match place {
        1 => "The best game played here.".into(),
        place => format!("Number {place} of the best games played here."),
    }
}

/// The path of the text file of the game.
pub fn page_lies(page: &Path) -> Vec<String> {
    wrapped(&format!("Saved to {}", page.display()), WIDE)
}

/// An explanation of burdens.
pub const ABOUT_BURDENS: &str = "\
You have escaped with the Ember. For a harder keep, take on as many burdens as you like. They apply to the \
next new game, but not to the daily keep.";

/// The row of a burden: whether it is on, its name and its effect.
pub fn burden(burden: Burden, borne: bool) -> String {
    let mark = if borne { "x" } else { " " };
    format!("[{mark}] {}: {}", burden.name(), burden.words())
}

/// The burdens of the next game, in short.
pub fn heat(heat: Heat) -> String {
    match heat.count() {
        0 => "none".into(),
        1 => heat.burdens().map(Burden::name).collect(),
        count => format!("{count} (heat {count})"),
    }
}

/// The score bonus of burdens, each worth `percent`.
pub fn worth(heat: Heat, percent: u32) -> String {
    let count = heat.count();
    format!("Heat {count}: {}% more points.", count * percent)
}

/// The difficulty of a game, with its burdens.
fn hardness(difficulty: Difficulty, heat: Heat) -> String {
    match heat.count() {
        0 => difficulty.name().to_owned(),
        count => format!("{}, heat {count}", difficulty.name()),
    }
}

/// A game in the list of scores, in two lines.
pub fn score(place: Option<usize>, score: &Score) -> [String; 2] {
    let place = place.map_or(String::new(), |place| format!("{place}."));
    let cause = match score.ending {
        Ending::Escaped if score.is_unseen() => "escaped with the Ember, unseen".to_owned(),
        Ending::Escaped => "escaped with the Ember".to_owned(),
        Ending::Slain(kind) => format!("killed by a {} on floor {}", kind.name(), score.floor),
        Ending::Burnt => format!("burned to death on floor {}", score.floor),
        Ending::Caught => format!("caught in daylight on floor {}", score.floor),
        Ending::GaveUp => format!("gave up on floor {}", score.floor),
        Ending::TurnedBack => "left without the Ember".to_owned(),
        Ending::Rescued => "left with a prisoner".to_owned(),
    };
    let daily = if score.daily { ", daily" } else { "" };
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
