//! The best games.

use crate::play::{
    menu::{
        action::MenuAction,
        facts::Facts,
        page::{Page, Row},
    },
    words,
};

/// So many are shown.
const SHOWN: usize = 50;

pub fn page(facts: &Facts) -> Page {
    let best = facts.keeper.scores().best();
    let mut rows = vec![Row::choice(words::BACK, MenuAction::Back), Row::text("")];
    if best.is_empty() {
        rows.push(Row::text(words::NO_SCORES));
    }
    let lines = best.iter().take(SHOWN).enumerate();
    for (place, score) in lines {
        let [line, more] = words::score(place + 1, score);
        rows.push(Row::text(line));
        rows.push(Row::text(more));
    }
    Page {
        title: words::SCORES.into(),
        rows,
        ..Page::default()
    }
}
