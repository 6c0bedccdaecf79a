//! The map of each floor after the game, and the line to share.

use crate::play::{
    menu::{
        action::MenuAction,
        chart::{self, Sign},
        facts::Facts,
        page::{Page, Row},
        state::Menu,
    },
    words,
};

pub fn page(facts: &Facts, menu: &Menu) -> Page {
    let view = facts.game.view();
    let floors = view.floors_reached();
    let depth = menu
        .floor
        .unwrap_or(view.depth())
        .min(floors.saturating_sub(1));
    let lines = |text: &str| {
        words::lines(text, words::ASIDE)
            .map(Row::text)
            .collect::<Vec<_>>()
    };
    let mut rows = vec![Row::choice(
        words::floor_of(depth, floors),
        MenuAction::Turn(true),
    )];
    rows.push(Row::choice(words::BACK, MenuAction::Back));
    if let Some(floor) = view.revealed(depth) {
        rows.extend(lines(&words::floor_was(floor.theme, floor.twist)));
    }
    let seen = chart::sightings(view, depth).map(|seen| seen.by);
    rows.extend(lines(&words::seen_by(seen)));
    let end = if view.is_out() {
        Sign::Out
    } else {
        Sign::Death
    };
    let signs = [
        Sign::Way,
        Sign::Seen,
        Sign::Doused,
        Sign::Burning,
        Sign::Treasure,
        end,
    ];
    rows.extend(signs.map(|sign| Row::Sign(sign, words::sign(sign).into())));
    rows.push(Row::text(""));
    rows.push(Row::text(words::TO_SHARE));
    rows.extend(lines(&view.summary()));
    Page {
        title: words::STORY.into(),
        rows,
        chart: view.revealed(depth).map(|_| depth),
        ..Page::default()
    }
}
