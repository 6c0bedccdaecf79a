//! The list of the best games and of the replays.

use crate::{
    home::Score,
    play::{
        menu::{
            action::MenuAction,
            facts::Facts,
            page::{Page, Row},
        },
        session::Begin,
        words,
    },
};

/// Maximum number of best games shown.
const SHOWN: usize = 50;

pub fn page(facts: &Facts) -> Page {
    let best = facts.keeper.scores().best();
    let best = &best[..best.len().min(SHOWN)];
    let mut rows = super::notes(facts, words::WIDE);
    rows.push(Row::choice(words::BACK, MenuAction::Back));
    rows.push(Row::text(match (best, facts.keeper.replays().all()) {
        ([], _) => words::NO_SCORES,
        (_, []) => "",
        _ => words::CAN_BE_WATCHED,
    }));
    for (place, score) in best.iter().enumerate() {
        rows.extend(game(facts, Some(place + 1), score));
    }
    let kept = facts.keeper.replays().all().iter().rev();
    let mut others = kept.filter(|kept| !best.contains(&kept.score)).peekable();
    if others.peek().is_some() {
        rows.push(Row::text(""));
        rows.push(Row::text(words::OTHERS));
    }
    for kept in others {
        rows.extend(game(facts, None, &kept.score));
    }
    Page {
        title: words::SCORES.into(),
        rows,
        ..Page::default()
    }
}

/// A game in two rows. Choosing it plays its replay, if there is one.
fn game(facts: &Facts, place: Option<usize>, score: &Score) -> [Row; 2] {
    let [line, more] = words::score(place, score);
    let line = match facts.keeper.replays().number_of(score) {
        Some(number) => Row::choice(line, MenuAction::Begin(Begin::Watch(number))),
        None => Row::text(line),
    };
    [line, Row::text(more)]
}
