//! The page of guards, tools and twists that the player has met.

use gutterlight_rules::{GuardKind, Rules, Tool, Twist};

use crate::play::{
    menu::{
        action::MenuAction,
        facts::Facts,
        page::{Page, Row},
    },
    words,
};

pub fn page(facts: &Facts) -> Page {
    let lore = facts.keeper.lore();
    let (rules, difficulty) = (Rules::standard(), facts.options.difficulty);
    let mut rows = vec![Row::choice(words::BACK, MenuAction::Back)];
    let guards = GuardKind::ALL.map(|kind| {
        let met = lore.guards.contains(&kind);
        met.then(|| words::guard_lore(&rules, difficulty, kind))
    });
    let tools = Tool::ALL.map(|tool| {
        let met = lore.tools.contains(&tool);
        met.then(|| format!("{}: {}", tool.name(), words::tool(tool)))
    });
    let twists = Twist::ALL.map(|twist| {
        let met = lore.twists.contains(&twist);
        met.then(|| format!("{} - {}", twist.name(), twist.on_entering()))
    });
    chapter(&mut rows, words::GUARDS, &guards);
    chapter(&mut rows, words::TOOLS, &tools);
    chapter(&mut rows, words::FLOORS, &twists);
    Page {
        title: words::LORE.into(),
        rows,
        ..Page::default()
    }
}

/// Adds a section with the known entries, and a count of all.
fn chapter(rows: &mut Vec<Row>, title: &str, all: &[Option<String>]) {
    rows.push(Row::text(""));
    let met = all.iter().flatten();
    rows.push(Row::text(words::chapter(
        title,
        met.clone().count(),
        all.len(),
    )));
    for text in met {
        let lines = words::wrapped(text, words::WIDE - 2).into_iter();
        let inset = lines.enumerate().map(|(number, line)| match number {
            0 => line,
            _ => format!("  {line}"),
        });
        rows.extend(inset.map(Row::text));
    }
}
