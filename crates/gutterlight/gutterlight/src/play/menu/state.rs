//! The state of the menu: selection, scrolling and pending input.

use bevy::prelude::*;

use crate::play::{
    input::{bindings::Moved, control::Control},
    menu::page::{Page, Row},
    screen::Screen,
};

/// The maximum number of rows to skip to the next choice. Beyond that, the page scrolls instead.
const JUMP: usize = 3;

/// The state of the current page.
#[derive(Resource, Debug, Default)]
pub struct Menu {
    /// The page.
    pub page: Page,
    /// The index of the selected row.
    pub selected: usize,
    /// The index of the first visible row, and the number of rows that fit.
    pub top: usize,
    pub room: usize,
    /// The size of the window in UI pixels.
    pub space: Vec2,
    /// The floor whose map is shown, from 0. `None` is the last one.
    pub floor: Option<usize>,
    /// The pages to return to, the most recent last.
    pub trail: Vec<Screen>,
    /// The digits of the typed seed.
    pub typed: String,
    /// The control that waits for a new button.
    pub binding: Option<Control>,
    /// Whether the page was opened at the gate to offer leaving without the Ember.
    pub leaves: bool,
    /// What the last bound button has moved.
    pub moved: Option<Moved>,
    /// The warning of a choice that needs confirmation. Choosing it again confirms it.
    pub warning: Option<&'static str>,
}

impl Menu {
    /// The selected choice.
    pub fn choice(&self) -> Option<&Row> {
        self.page
            .rows
            .get(self.selected)
            .filter(|row| row.is_choice())
    }

    /// Selects the next choice in a direction. If it is too far away, scrolls by one row. Returns whether anything
    /// changed.
    pub fn step(&mut self, down: bool) -> bool {
        self.warning = None;
        let is_choice = |place: &usize| self.page.rows[*place].is_choice();
        let (from, count) = (
            self.selected.min(self.page.rows.len()),
            self.page.rows.len(),
        );
        let next = match down {
            true => (from + 1..count).find(is_choice),
            false => (0..from).rev().find(is_choice),
        };
        let bottom = self.top + self.room.max(1) + JUMP;
        let near = next.filter(|place| (self.top.saturating_sub(JUMP)..bottom).contains(place));
        let before = (self.selected, self.top);
        match near {
            Some(place) => self.select(place),
            None => self.scroll(down, 1),
        }
        before != (self.selected, self.top)
    }

    /// Selects a row and scrolls to it.
    pub fn select(&mut self, place: usize) {
        self.selected = place;
        let room = self.room.max(1);
        self.top = self.top.clamp((place + 1).saturating_sub(room), place);
        // Also show the text above the first choice and below the last one, if it fits.
        let rows = &self.page.rows;
        if !rows.iter().take(place).any(Row::is_choice) && place < room {
            self.top = 0;
        }
        if !rows.iter().skip(place + 1).any(Row::is_choice) && rows.len() - place <= room {
            self.top = rows.len().saturating_sub(room);
        }
    }

    /// Returns whether the player has confirmed `warning`. Otherwise shows it.
    pub fn is_sure(&mut self, warning: &'static str) -> bool {
        self.warning.replace(warning) == Some(warning)
    }

    /// Scrolls down or up by some rows.
    pub fn scroll(&mut self, down: bool, rows: usize) {
        let last = self.page.rows.len().saturating_sub(self.room.max(1));
        self.top = match down {
            true => (self.top + rows).min(last),
            false => self.top.saturating_sub(rows),
        };
    }

    /// Replaces the page. Unless it is fresh, the selection stays on the same choice, also if rows were added or
    /// removed before it.
    pub fn show(&mut self, page: Page, fresh: bool) {
        let chosen = self.choice().and_then(Row::action);
        self.page = page;
        let rows = &self.page.rows;
        if fresh {
            self.warning = None;
            self.moved = None;
            self.top = 0;
            let marked = rows.iter().position(Row::is_marked);
            let first = marked.or_else(|| rows.iter().position(Row::is_choice));
            self.selected = first.unwrap_or(0);
            if self.page.from_the_end {
                self.top = rows.len();
                self.scroll(true, 0);
            }
        } else {
            let nearest = |is_meant: &dyn Fn(&Row) -> bool| {
                let meant = (0..rows.len()).filter(|place| is_meant(&rows[*place]));
                meant.min_by_key(|place| place.abs_diff(self.selected))
            };
            let same = nearest(&|row| row.is_choice() && row.action() == chosen);
            self.selected = same.or_else(|| nearest(&Row::is_choice)).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod row_tests {
    use super::*;
    use crate::play::menu::action::MenuAction;

    fn menu(rows: &str, room: usize) -> Menu {
        let row = |letter| match letter {
            'c' => Row::choice("choice", MenuAction::Back),
            _ => Row::text("text"),
        };
        let mut menu = Menu { room, ..default() };
        let page = Page {
            rows: rows.chars().map(row).collect(),
            ..default()
        };
        menu.show(page, true);
        menu
    }

    #[test]
    fn step_selects_next_choice() {
        let mut menu = menu("tcctc", 10);
        assert_eq!(menu.selected, 1);
        let mut seen = Vec::new();
        while menu.step(true) {
            seen.push(menu.selected);
        }
        assert_eq!(seen, [2, 4]);
        assert!(menu.step(false) && menu.step(false));
        assert_eq!(menu.selected, 1);
        assert!(!menu.step(false));
    }

    #[test]
    fn selection_follows_its_choice() {
        let page = |notes: usize, actions: &[MenuAction]| Page {
            rows: std::iter::repeat_n(Row::text("note"), notes)
                .chain(actions.iter().map(|action| Row::choice("choice", *action)))
                .collect(),
            ..default()
        };
        let [quit, bring, back] = [MenuAction::Quit, MenuAction::Bring, MenuAction::Back];
        let mut menu = Menu::default();
        menu.show(page(0, &[quit, back, bring]), true);
        menu.select(2);
        menu.show(page(2, &[quit, back, bring]), false);
        assert_eq!(menu.selected, 4);
        menu.show(page(0, &[quit, quit, back, bring]), false);
        assert_eq!(menu.selected, 3);
        // The choice is gone: the nearest one is selected.
        menu.show(page(1, &[quit, back]), false);
        assert_eq!(menu.selected, 2);
        // If two choices have the same action, the selection stays where it was.
        menu.show(page(0, &[back, quit, back]), false);
        assert_eq!(menu.selected, 2);
    }

    #[test]
    fn steps_scroll_through_long_text() {
        let mut menu = menu("tttttttttcttttc", 4);
        let mut seen = Vec::new();
        loop {
            seen.extend(menu.top..menu.top + menu.room);
            if !menu.step(true) {
                break;
            }
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, Vec::from_iter(0..15));
        assert_eq!(menu.selected, 14);
        while menu.step(false) {}
        assert_eq!(menu.top, 0);
    }

    #[test]
    fn selected_choice_is_visible() {
        let mut menu = menu("cccccccccccc", 5);
        for down in [true; 14].into_iter().chain([false; 14]) {
            menu.step(down);
            assert!(
                (menu.top..menu.top + 5).contains(&menu.selected),
                "{} from {}",
                menu.selected,
                menu.top
            );
        }
    }
}
