//! The end of a game: how, and what it was worth.

use crate::play::{
    menu::{Page, Row, deeds::Deed, page::Facts},
    screen::Screen,
    session::Begin,
    words,
};

pub fn page(facts: &Facts) -> Page {
    let view = facts.game.view();
    let mut rows = Vec::new();
    let ending = view.ending();
    rows.extend(
        ending
            .into_iter()
            .flat_map(|end| words::ending(view, end))
            .map(Row::text),
    );
    match facts.session.end.as_ref() {
        Some(end) if facts.session.own => {
            rows.extend(
                end.place
                    .map(|place| Row::text(words::among_best(place + 1))),
            );
            let page = end.page.iter().flat_map(|page| words::page_lies(page));
            rows.extend(page.map(Row::text));
        }
        _ => rows.push(Row::text(words::NOT_COUNTED)),
    }
    rows.extend([
        Row::text(""),
        Row::choice(words::ANOTHER, Deed::Begin(Begin::New(None))),
        Row::choice(words::SAME, Deed::Begin(Begin::Same)),
        Row::choice(words::SCORES, Deed::Go(Screen::Scores)),
        Row::choice(words::LOG, Deed::Go(Screen::Log)),
        Row::choice(words::TO_TITLE, Deed::Suspend),
    ]);
    let won = matches!(ending, Some(lanternfell_stealth::Ending::Escaped));
    Page {
        title: if won { words::WON } else { words::LOST }.into(),
        rows,
        ..Page::default()
    }
}
