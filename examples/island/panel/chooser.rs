//! The searchable list of everything that can be shown: generators, presets, and the files of the folder.

use bevy_egui::egui::{self, Popup, PopupCloseBehavior, RichText};
use lanternfell::heightmap::{Generator, Preset, parameter::Described};

use crate::{
    folder::{self, Folder},
    ground::Choice,
};

/// Choices under a headline.
struct Group {
    headline: String,
    items: Vec<Item>,
}

struct Item {
    choice: Choice,
    about: String,
}

/// A button with the name of the current choice. It opens the list, and returns a new choice.
pub fn chooser(
    ui: &mut egui::Ui,
    chosen: &Choice,
    search: &mut String,
    folder: &mut Folder,
) -> Option<Choice> {
    let name = RichText::new(chosen.name()).strong();
    let button = egui::Button::new(name).right_text("⏷").truncate();
    let size = [ui.available_width(), 1.3 * ui.spacing().interact_size.y];
    let button = ui.add_sized(size, button).on_hover_text(about(chosen));
    let was_open = Popup::is_id_open(ui.ctx(), Popup::default_response_id(&button));
    let window = ui.ctx().content_rect();
    let room = (window.bottom() - button.rect.bottom()).max(button.rect.top() - window.top());
    Popup::menu(&button)
        .width(button.rect.width().max(220.0))
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_min_width(button.rect.width() - 2.0 * ui.spacing().menu_margin.leftf());
            let field = egui::TextEdit::singleline(search)
                .hint_text("search")
                .desired_width(f32::INFINITY);
            let field = ui.add(field);
            if !was_open {
                search.clear();
                folder.read();
                field.request_focus();
            }
            let groups = found(groups(folder), search);
            let taken = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let first = groups.first().filter(|_| taken);
            let first = first.map(|group| group.items[0].choice.clone());
            let picked = egui::ScrollArea::vertical()
                .max_height(room - 64.0)
                .auto_shrink([false, true])
                .show(ui, |ui| list(ui, &groups, chosen, folder, !was_open));
            let choice = picked.inner.or(first);
            if choice.is_some() {
                ui.close();
            }
            choice
        })
        .and_then(|shown| shown.inner)
}

fn list(
    ui: &mut egui::Ui,
    groups: &[Group],
    chosen: &Choice,
    folder: &Folder,
    is_new: bool,
) -> Option<Choice> {
    let mut picked = None;
    for Group { headline, items } in groups {
        ui.add_space(4.0);
        ui.label(RichText::new(headline).small().weak());
        for Item { choice, about } in items {
            let is_chosen = choice == chosen;
            let item = egui::Button::selectable(is_chosen, choice.name()).truncate();
            let item = ui.add(item).on_hover_text(about);
            if is_chosen && is_new {
                item.scroll_to_me(Some(egui::Align::Center));
            }
            if item.clicked() {
                picked = Some(choice.clone());
            }
        }
    }
    let nothing = groups.is_empty().then(|| "no matches".to_owned());
    for words in [nothing, folder.problem.clone()].into_iter().flatten() {
        ui.add_space(4.0);
        ui.label(RichText::new(words).small().weak());
    }
    picked
}

/// All choices.
fn groups(folder: &Folder) -> Vec<Group> {
    let generators = Generator::NAMES.into_iter().map(Choice::Generator);
    let presets = Preset::ALL.iter().map(|preset| Choice::Preset(preset.name));
    let files = folder.files.iter().cloned().map(Choice::File);
    let group = |headline: String, choices: Vec<Choice>| Group {
        headline,
        items: choices.into_iter().map(Item::of).collect(),
    };
    let place = folder.path().map(folder::name).unwrap_or_default();
    vec![
        group("generators".to_owned(), generators.collect()),
        group("presets".to_owned(), presets.collect()),
        group(format!("files in {place}"), files.collect()),
    ]
}

impl Item {
    fn of(choice: Choice) -> Self {
        let about = about(&choice);
        Self { choice, about }
    }
}

/// A one-line description.
fn about(choice: &Choice) -> String {
    match choice {
        Choice::Generator(name) => {
            let mut all = Generator::DESCRIBED.iter();
            let found = all.find(|generator| generator.name == *name);
            found.map_or(String::new(), Described::about)
        }
        Choice::Preset(name) => Preset::find(name).map_or(String::new(), Preset::about),
        Choice::File(path) => path.display().to_string(),
    }
}

/// Keeps the items whose name or description contains every word of the search, and drops empty groups.
fn found(groups: Vec<Group>, search: &str) -> Vec<Group> {
    let search = search.to_lowercase();
    let is_meant = |item: &Item| {
        let text = format!("{} {}", item.choice.name(), item.about).to_lowercase();
        search.split_whitespace().all(|word| text.contains(word))
    };
    let groups = groups.into_iter().map(|mut group| {
        group.items.retain(is_meant);
        group
    });
    groups.filter(|group| !group.items.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(groups: &[Group]) -> Vec<String> {
        let items = groups.iter().flat_map(|group| &group.items);
        items.map(|item| item.choice.name()).collect()
    }

    fn listed() -> Vec<Group> {
        let mut folder = Folder::at(Some("/maps/alps".into()));
        folder.files = vec!["/maps/alps/Eiger.tif".into()];
        groups(&folder)
    }

    #[test]
    fn lists_all_choices_with_description() {
        let all = listed();
        let mut expected: Vec<&str> = Generator::NAMES.to_vec();
        expected.extend(Preset::ALL.iter().map(|preset| preset.name));
        expected.push("Eiger.tif");
        assert_eq!(names(&all), expected);
        assert_eq!(all[2].headline, "files in alps");
        for item in all.iter().flat_map(|group| &group.items) {
            assert!(item.about.len() > 10, "{}", item.choice.name());
        }
    }

    #[test]
    fn search_matches_all_words_in_name_or_description() {
        assert_eq!(names(&found(listed(), "  ")).len(), names(&listed()).len());
        assert_eq!(names(&found(listed(), "eiger")), ["Eiger.tif"]);
        let wet = names(&found(listed(), "SEA volcano"));
        assert!(wet.contains(&"volcano".to_owned()), "{wet:?}");
        assert!(!wet.contains(&"dunes".to_owned()));
        assert!(found(listed(), "volcano xyz").is_empty());
    }

    #[test]
    fn no_group_without_folder() {
        let groups = found(groups(&Folder::default()), "");
        assert_eq!(groups.len(), 2);
    }

    /// A user with a small window that contains only the chooser.
    struct Visitor {
        context: egui::Context,
        chosen: Choice,
        search: String,
        seconds: f64,
    }

    const WINDOW: egui::Vec2 = egui::vec2(640.0, 400.0);

    impl Visitor {
        fn new() -> Self {
            Self {
                context: egui::Context::default(),
                chosen: Choice::Generator("hills"),
                search: String::new(),
                seconds: 0.0,
            }
        }

        /// Runs one frame with these events.
        fn does(&mut self, events: Vec<egui::Event>) {
            self.seconds += 0.05;
            let input = egui::RawInput {
                screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, WINDOW)),
                time: Some(self.seconds),
                events,
                ..Default::default()
            };
            let Self { chosen, search, .. } = self;
            let output = self.context.run_ui(input, |ui| {
                ui.set_max_width(268.0);
                if let Some(choice) = chooser(ui, chosen, search, &mut Folder::default()) {
                    *chosen = choice;
                }
            });
            output.drop_without_applying_deltas();
        }

        fn clicks(&mut self, x: f32, y: f32) {
            let pos = egui::pos2(x, y);
            self.does(vec![egui::Event::PointerMoved(pos)]);
            for pressed in [true, false] {
                self.does(vec![egui::Event::PointerButton {
                    pos,
                    button: egui::PointerButton::Primary,
                    pressed,
                    modifiers: egui::Modifiers::NONE,
                }]);
            }
            // egui lays out the list in an invisible first frame.
            self.does(vec![]);
        }

        fn types(&mut self, text: &str) {
            self.does(vec![egui::Event::Text(text.to_owned())]);
        }

        fn presses(&mut self, key: egui::Key) {
            for pressed in [true, false] {
                self.does(vec![egui::Event::Key {
                    key,
                    physical_key: None,
                    pressed,
                    repeat: false,
                    modifiers: egui::Modifiers::NONE,
                }]);
            }
        }

        fn sees_a_list(&self) -> bool {
            Popup::is_any_open(&self.context)
        }
    }

    #[test]
    fn typing_and_enter_choose_first_match() {
        let mut visitor = Visitor::new();
        visitor.does(vec![]);
        assert!(!visitor.sees_a_list());
        visitor.clicks(60.0, 20.0);
        assert!(visitor.sees_a_list());
        visitor.types("atol");
        assert_eq!(visitor.chosen, Choice::Generator("hills"));
        visitor.presses(egui::Key::Enter);
        assert_eq!(visitor.chosen, Choice::Preset("atoll"));
        assert!(!visitor.sees_a_list());
        // Opening the list clears the search.
        visitor.clicks(60.0, 20.0);
        assert_eq!(visitor.search, "");
        visitor.presses(egui::Key::Escape);
        assert!(!visitor.sees_a_list());
        assert_eq!(visitor.chosen, Choice::Preset("atoll"));
    }

    #[test]
    fn click_chooses_in_small_window() {
        let mut visitor = Visitor::new();
        visitor.clicks(60.0, 20.0);
        let used = visitor.context.globally_used_rect();
        assert!(used.bottom() <= WINDOW.y, "{used:?}");
        visitor.clicks(60.0, 200.0);
        assert_ne!(visitor.chosen, Choice::Generator("hills"));
        assert!(!visitor.sees_a_list());
    }
}
