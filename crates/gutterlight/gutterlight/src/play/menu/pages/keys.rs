//! The page of key bindings.

use crate::play::{
    input::{button::Button, control::Control},
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
    let mut lines = words::wrapped(&robbed(facts, menu), words::WIDE);
    // Pad to a fixed number of lines, so that the choices below do not move.
    lines.resize(MESSAGE_LINES, String::new());
    rows.extend(lines.into_iter().map(Row::text));
    for control in Control::ALL {
        let buttons = match menu.binding == Some(control) {
            true => words::PRESS.to_owned(),
            false => {
                let buttons = facts.bindings.buttons(control);
                let names: Vec<String> = buttons.filter_map(Button::name).collect();
                words::buttons(&names)
            }
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

/// Describes the control that the last bound button was taken from. Empty if there is none.
fn robbed(facts: &Facts, menu: &Menu) -> String {
    let message = menu.robbed.and_then(|(button, robbed)| {
        let left = facts.bindings.buttons(robbed).filter_map(Button::name);
        let left: Vec<String> = left.collect();
        Some(words::robbed(&button.name()?, robbed, &left))
    });
    message.unwrap_or_default()
}
