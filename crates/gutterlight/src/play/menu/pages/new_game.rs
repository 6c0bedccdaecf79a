//! Which keep, and how hard.

use crate::play::{
    menu::{Menu, Page, Row, deeds::Deed, page::Facts, setting::Setting},
    session::Begin,
    words,
};

pub fn page(facts: &Facts, menu: &Menu) -> Page {
    let difficulty = facts.options.difficulty;
    let seed = match menu.typed.as_str() {
        "" => words::ANY_SEED,
        typed => typed,
    };
    let typed = menu.typed.parse().ok();
    let rows = vec![
        Row::choice(words::BEGIN, Deed::Begin(Begin::New(typed))).marked(true),
        Row::value(
            words::setting(Setting::Difficulty),
            difficulty.name(),
            Deed::Change(Setting::Difficulty, true),
        ),
        Row::text(words::difficulty(difficulty)),
        Row::text(words::seed(seed)),
        Row::value(
            words::setting(Setting::Opening),
            Setting::Opening.shown(&facts.options),
            Deed::Change(Setting::Opening, true),
        ),
        Row::text(""),
        Row::choice(words::DAILY, Deed::Begin(Begin::Daily)),
        Row::choice(words::BACK, Deed::Back),
    ];
    Page {
        title: words::NEW_GAME.into(),
        rows,
        ..Page::default()
    }
}
