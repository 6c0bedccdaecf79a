//! A page as data: what is written on it, and what can be chosen.

use crate::play::menu::{action::MenuAction, chart::Sign};

/// What lies over the game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Its heading.
    pub title: String,
    pub rows: Vec<Row>,
    /// Whether it stands at the side, and leaves the game to be seen.
    pub aside: bool,
    /// Whether its end is shown first.
    pub from_the_end: bool,
    /// The floor, from 0, that is shown beside its rows as it was.
    pub chart: Option<usize>,
}

/// One line of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// Something to be read.
    Text(String),
    /// What a sign on the chart stands for.
    Sign(Sign, String),
    /// The patches by which brightness is set.
    TestCard,
    /// Something to be chosen.
    Choice {
        label: String,
        /// What is set; then ways to the side change it.
        value: Option<String>,
        action: MenuAction,
        /// Whether it is the one to begin with.
        marked: bool,
    },
}

impl Row {
    /// A line to be read; an empty one is a gap.
    pub fn text(words: impl Into<String>) -> Self {
        Self::Text(words.into())
    }

    /// A choice without a value.
    pub fn choice(label: impl Into<String>, action: MenuAction) -> Self {
        Self::Choice {
            label: label.into(),
            value: None,
            action,
            marked: false,
        }
    }

    /// A choice that shows what is set.
    pub fn value(label: impl Into<String>, value: impl Into<String>, action: MenuAction) -> Self {
        Self::Choice {
            label: label.into(),
            value: Some(value.into()),
            action,
            marked: false,
        }
    }

    /// The choice to begin with.
    pub fn marked(mut self, begins: bool) -> Self {
        if let Self::Choice { marked, .. } = &mut self {
            *marked = begins;
        }
        self
    }

    /// Whether it can be selected.
    pub const fn is_choice(&self) -> bool {
        matches!(self, Self::Choice { .. })
    }

    /// What it does when it is chosen.
    pub const fn action(&self) -> Option<MenuAction> {
        match self {
            Self::Choice { action, .. } => Some(*action),
            Self::Text(_) | Self::Sign(..) | Self::TestCard => None,
        }
    }

    /// Whether it is the one to begin with.
    pub const fn is_marked(&self) -> bool {
        matches!(self, Self::Choice { marked: true, .. })
    }
}
