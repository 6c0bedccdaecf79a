//! The page of key bindings.

use crate::play::{
    input::control::Control,
    menu::{
        action::MenuAction,
        facts::Facts,
        page::{Page, Row},
        state::Menu,
    },
    words,
};

/// The number of lines for the message about a rebound button.
const MESSAGE_LINES: usize = 2;

pub fn page(facts: &Facts, menu: &Menu) -> Page {
    let mut rows = vec![Row::text(words::BIND)];
    let mut lines = words::wrapped(&moved(facts, menu), words::WIDE);
    // Pad to a fixed number of lines, so that the choices below do not move.
    lines.resize(MESSAGE_LINES, String::new());
    rows.extend(lines.into_iter().map(Row::text));
    for control in Control::ALL {
        let buttons = match menu.binding == Some(control) {
            true => words::PRESS.to_owned(),
            false => words::buttons(&facts.bindings.names(control)),
        };
        rows.push(Row::value(
            words::control(control),
            buttons,
            MenuAction::Bind(control),
        ));
    }
    rows.extend([
        Row::text(""),
        Row::choice(words::USUAL_KEYS, MenuAction::UsualKeys),
        Row::choice(words::BACK, MenuAction::Back),
    ]);
    Page {
        title: words::KEYS.into(),
        rows,
        ..Page::default()
    }
}

/// Describes what the last bound button has moved. Empty if nothing.
fn moved(facts: &Facts, menu: &Menu) -> String {
    let message = menu.moved.and_then(|moved| {
        let name = |button| facts.bindings.name(button);
        let instead = moved.instead.and_then(name);
        let left = facts.bindings.names(moved.from);
        Some(words::moved(
            &name(moved.button)?,
            moved.from,
            instead.as_deref(),
            &left,
        ))
    });
    message.unwrap_or_default()
}
