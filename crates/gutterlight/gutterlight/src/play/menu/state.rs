//! Where the player is on a page.

use bevy::prelude::*;

use crate::play::{
    input::{button::Button, control::Control},
    menu::page::{Page, Row},
    screen::Screen,
};

/// Rows that are passed over to show the next choice; if there are more, they are scrolled.
const JUMP: usize = 3;

/// Where the player is among the rows of a page.
#[derive(Resource, Debug, Default)]
pub struct Menu {
    /// What is shown.
    pub page: Page,
    /// The row that is chosen from.
    pub selected: usize,
    /// The first row that is shown, and how many there is room for.
    pub top: usize,
    pub room: usize,
    /// How wide and high the window is, in pixels of the interface.
    pub space: Vec2,
    /// The floor that is shown, from 0; else the last one.
    pub floor: Option<usize>,
    /// From where the player came, the last at the end.
    pub trail: Vec<Screen>,
    /// Digits of a seed.
    pub typed: String,
    /// Which control waits for a button.
    pub binding: Option<Control>,
    /// Whether the thief is at the gate and asked how to leave.
    pub leaves: bool,
    /// The button that was bound last, and what it asked for before.
    pub robbed: Option<(Button, Control)>,
    /// What is lost by the choice that was made: made once more, it is done.
    pub warning: Option<&'static str>,
}

impl Menu {
    /// The choice that is selected.
    pub fn choice(&self) -> Option<&Row> {
        self.page
            .rows
            .get(self.selected)
            .filter(|row| row.is_choice())
    }

    /// Selects the next choice in a direction; without one, shows more in that direction.
    /// Whether anything has changed.
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

    /// Selects a row, and shows it.
    pub fn select(&mut self, place: usize) {
        self.selected = place;
        let room = self.room.max(1);
        self.top = self.top.clamp((place + 1).saturating_sub(room), place);
        // What stands above the first choice, and below the last, is to be read too.
        let rows = &self.page.rows;
        if !rows.iter().take(place).any(Row::is_choice) && place < room {
            self.top = 0;
        }
        if !rows.iter().skip(place + 1).any(Row::is_choice) && rows.len() - place <= room {
            self.top = rows.len().saturating_sub(room);
        }
    }

    /// Whether the player has been warned and chooses it again; or else is warned now.
    pub fn is_sure(&mut self, warning: &'static str) -> bool {
        self.warning.replace(warning) == Some(warning)
    }

    /// Shows what is further down or up.
    pub fn scroll(&mut self, down: bool, rows: usize) {
        let last = self.page.rows.len().saturating_sub(self.room.max(1));
        self.top = match down {
            true => (self.top + rows).min(last),
            false => self.top.saturating_sub(rows),
        };
    }

    /// Takes a new page; of the same screen, the selection stays, also where rows came or went before it.
    pub fn show(&mut self, page: Page, fresh: bool) {
        let chosen = self.choice().and_then(Row::action);
        self.page = page;
        let rows = &self.page.rows;
        if fresh {
            self.warning = None;
            self.robbed = None;
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
    fn steps_go_from_choice_to_choice() {
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
    fn what_is_selected_stays_so_where_a_note_comes_before_it() {
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
        // It is gone: what is nearest.
        menu.show(page(1, &[quit, back]), false);
        assert_eq!(menu.selected, 2);
        // Of two that do the same, the one that was.
        menu.show(page(0, &[back, quit, back]), false);
        assert_eq!(menu.selected, 2);
    }

    #[test]
    fn long_texts_are_read_on_the_way() {
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
    fn the_selected_choice_is_always_shown() {
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
