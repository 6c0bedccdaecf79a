//! The choice of burdens, available after the first win.

use gutterlight_rules::{Burden, Rules};

use crate::play::{
    menu::{
        action::MenuAction,
        facts::Facts,
        page::{Page, Row},
    },
    words,
};

pub fn page(facts: &Facts) -> Page {
    let heat = facts.options.heat;
    let mut rows: Vec<Row> = words::lines(words::ABOUT_BURDENS, words::WIDE)
        .map(Row::text)
        .collect();
    rows.push(Row::text(""));
    rows.extend(Burden::ALL.map(|burden| {
        let label = words::burden(burden, heat.has(burden));
        Row::choice(label, MenuAction::Bear(burden))
    }));
    rows.extend([
        Row::text(""),
        Row::text(words::worth(heat, Rules::standard().score.burden)),
        Row::choice(words::BACK, MenuAction::Back),
    ]);
    Page {
        title: words::BURDENS.into(),
        rows,
        ..Page::default()
    }
}
