//! The end of a game: how it ended, and the score.

use crate::play::{
    menu::{
        action::MenuAction,
        facts::Facts,
        page::{Page, Row},
    },
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
            .flat_map(|line| words::wrapped(&line, words::WIDE))
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
        _ if facts.session.watched.is_some() => rows.push(Row::text(words::WATCHED)),
        _ => rows.push(Row::text(words::NOT_COUNTED)),
    }
    rows.push(Row::text(""));
    rows.push(Row::choice(words::STORY, MenuAction::Go(Screen::Story)));
    rows.extend(
        facts
            .session
            .watched
            .map(|number| Row::choice(words::WATCH_AGAIN, MenuAction::Begin(Begin::Watch(number)))),
    );
    rows.extend([
        Row::choice(words::ANOTHER, MenuAction::Begin(Begin::New(None))),
        Row::choice(words::SAME, MenuAction::Begin(Begin::Same)),
        Row::choice(words::SCORES, MenuAction::Go(Screen::Scores)),
        Row::choice(words::LOG, MenuAction::Go(Screen::Log)),
        Row::choice(words::TO_TITLE, MenuAction::Suspend),
    ]);
    let won = view.is_out();
    Page {
        title: if won { words::WON } else { words::LOST }.into(),
        rows,
        ..Page::default()
    }
}
