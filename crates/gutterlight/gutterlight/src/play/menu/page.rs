//! A menu page as data.

use gutterlight_assets::art::Picture;

use crate::play::menu::{action::MenuAction, chart::Sign};

/// A menu page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// The heading.
    pub title: String,
    pub rows: Vec<Row>,
    /// Whether the page is at the side of the window and leaves the game visible.
    pub aside: bool,
    /// Whether the page is scrolled to its end first.
    pub from_the_end: bool,
    /// The floor, from 0, whose map is shown next to the rows.
    pub chart: Option<usize>,
}

/// One row of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// Text.
    Text(String),
    /// A sign of the map, and its meaning.
    Sign(Sign, String),
    /// A sign of the keep or of the panel, and its meaning.
    Picture(Picture, String),
    /// The patches for adjusting brightness.
    TestCard,
    /// A choice.
    Choice {
        label: String,
        /// The value of a setting. Left and right change it.
        value: Option<String>,
        action: MenuAction,
        /// Whether it is selected first.
        marked: bool,
    },
}

impl Row {
    /// A row of text. Empty text is a gap.
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

    /// A choice with a value.
    pub fn value(label: impl Into<String>, value: impl Into<String>, action: MenuAction) -> Self {
        Self::Choice {
            label: label.into(),
            value: Some(value.into()),
            action,
            marked: false,
        }
    }

    /// Marks a choice to be selected first.
    pub fn marked(mut self, begins: bool) -> Self {
        if let Self::Choice { marked, .. } = &mut self {
            *marked = begins;
        }
        self
    }

    /// Whether the row can be selected.
    pub const fn is_choice(&self) -> bool {
        matches!(self, Self::Choice { .. })
    }

    /// The action of a choice.
    pub const fn action(&self) -> Option<MenuAction> {
        match self {
            Self::Choice { action, .. } => Some(*action),
            Self::Text(_) | Self::Sign(..) | Self::Picture(..) | Self::TestCard => None,
        }
    }

    /// Whether the row is selected first.
    pub const fn is_marked(&self) -> bool {
        matches!(self, Self::Choice { marked: true, .. })
    }
}
