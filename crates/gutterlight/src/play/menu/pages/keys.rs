//! Which buttons ask for what, to be changed.

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

pub fn page(facts: &Facts, menu: &Menu) -> Page {
    let mut rows = vec![Row::text(words::BIND), Row::text("")];
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
