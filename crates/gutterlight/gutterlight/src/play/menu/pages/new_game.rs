//! The choice of seed and difficulty.

use crate::play::{
    menu::{
        action::MenuAction,
        facts::Facts,
        page::{Page, Row},
        setting::Setting,
        state::Menu,
    },
    screen::Screen,
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
    // A link opens this page directly, so errors are shown here too.
    let mut rows = super::notes(facts, words::WIDE);
    rows.extend([
        Row::choice(words::BEGIN, MenuAction::Begin(Begin::New(typed))).marked(true),
        Row::value(
            words::setting(Setting::Difficulty),
            difficulty.name(),
            MenuAction::Change(Setting::Difficulty, true),
        ),
        Row::text(words::difficulty(difficulty)),
    ]);
    if facts.keeper.scores().has_won() {
        rows.push(Row::value(
            words::BURDENS,
            words::heat(facts.options.heat),
            MenuAction::Go(Screen::Burdens),
        ));
    }
    rows.extend([
        Row::text(words::seed(seed)),
        Row::value(
            words::setting(Setting::Opening),
            words::set_to(Setting::Opening, &facts.options),
            MenuAction::Change(Setting::Opening, true),
        ),
        Row::text(""),
        Row::choice(words::DAILY, MenuAction::Begin(Begin::Daily)),
        Row::choice(words::BACK, MenuAction::Back),
    ]);
    Page {
        title: words::NEW_GAME.into(),
        rows,
        ..Page::default()
    }
}
