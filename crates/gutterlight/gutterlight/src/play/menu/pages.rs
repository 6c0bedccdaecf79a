//! The content of the pages.

mod burdens;
mod keys;
mod lore;
mod new_game;
mod over;
mod scores;
mod story;

use gutterlight_rules::{Action, Perk};

use crate::home::MOST_LINES;
use crate::play::{
    menu::{
        action::MenuAction,
        facts::Facts,
        page::{Page, Row},
        setting::Setting,
        state::Menu,
    },
    screen::Screen,
    session::Begin,
    words,
};

/// Builds the page of a screen.
pub fn page(screen: Screen, facts: &Facts, menu: &Menu) -> Page {
    match screen {
        Screen::Title => title(facts),
        Screen::NewGame => new_game::page(facts, menu),
        Screen::Burdens => burdens::page(facts),
        Screen::Scores => scores::page(facts),
        Screen::Settings => settings(facts),
        Screen::Keys => keys::page(facts, menu),
        Screen::Help => help(facts),
        Screen::Lore => lore::page(facts),
        Screen::Learn => learn(facts),
        Screen::Pause => pause(facts, menu),
        Screen::Log => log(facts),
        Screen::Over => over::page(facts),
        Screen::Story => story::page(facts, menu),
        Screen::Play => Page::default(),
    }
}

fn title(facts: &Facts) -> Page {
    let mut rows: Vec<Row> = words::lines(words::SUBTITLE, words::NARROW)
        .map(Row::text)
        .collect();
    rows.push(Row::text(""));
    rows.extend(notes(facts, words::NARROW));
    if facts.keeper.is_suspended() {
        rows.push(Row::choice(
            words::CONTINUE,
            MenuAction::Begin(Begin::Continue),
        ));
    }
    rows.extend([
        Row::choice(words::NEW_GAME, MenuAction::Go(Screen::NewGame)),
        Row::choice(words::DAILY, MenuAction::Begin(Begin::Daily)),
        Row::choice(words::SCORES, MenuAction::Go(Screen::Scores)),
        Row::choice(words::SETTINGS, MenuAction::Go(Screen::Settings)),
        Row::choice(words::HELP, MenuAction::Go(Screen::Help)),
    ]);
    match facts.in_page.0 {
        // A browser game is quit by closing the page.
        true => rows.extend(transfers(facts)),
        false => rows.push(Row::choice(words::QUIT, MenuAction::Quit)),
    }
    Page {
        title: words::NAME.into(),
        rows,
        aside: true,
        ..Page::default()
    }
}

/// The errors of files, wrapped to `width` characters.
fn notes(facts: &Facts, width: usize) -> Vec<Row> {
    let notes = facts.keeper.notes.iter();
    let lines = notes.flat_map(|note| words::wrapped(note, width));
    let mut rows: Vec<Row> = lines.map(Row::text).collect();
    if !rows.is_empty() {
        rows.push(Row::text(""));
    }
    rows
}

/// Export and import, which are commands on other platforms.
fn transfers(facts: &Facts) -> Vec<Row> {
    let take = Row::choice(words::TAKE_ALONG, MenuAction::TakeAlong);
    let bring = Row::choice(words::BRING, MenuAction::Bring);
    let mut rows = Vec::from_iter(facts.keeper.is_suspended().then_some(take));
    rows.extend(facts.keeper.home().is_some().then_some(bring));
    rows
}

fn settings(facts: &Facts) -> Page {
    let mut rows = Vec::new();
    for setting in Setting::ALL {
        let shown = match setting {
            // Without sound, captions are always on.
            Setting::Captions if !facts.sounding.0 => words::CAPTIONS_ONLY.into(),
            _ => words::set_to(setting, &facts.options),
        };
        let change = MenuAction::Change(setting, true);
        rows.push(Row::value(words::setting(setting), shown, change));
        if setting == Setting::Brightness {
            rows.push(Row::TestCard);
            rows.push(Row::text(words::TEST_CARD));
        }
    }
    rows.push(Row::text(""));
    rows.push(Row::choice(words::KEYS, MenuAction::Go(Screen::Keys)));
    rows.push(Row::choice(words::BACK, MenuAction::Back));
    if let Some(home) = facts.keeper.home() {
        rows.push(Row::text(""));
        let lines = words::lies(&home.settings_path(), &home.morgue_folder());
        rows.extend(lines.into_iter().map(Row::text));
    }
    Page {
        title: words::SETTINGS.into(),
        rows,
        ..Page::default()
    }
}

fn help(facts: &Facts) -> Page {
    let lore = Row::choice(words::LORE, MenuAction::Go(Screen::Lore));
    let mut rows = vec![lore, Row::text("")];
    rows.extend(words::lines(words::HOW_TO_PLAY, words::WIDE).map(Row::text));
    rows.push(Row::text(""));
    rows.extend(words::legend(&facts.bindings).into_iter().map(Row::text));
    rows.push(Row::text(""));
    for (heading, signs) in [
        (words::OVER_A_GUARD, words::over_guards()),
        (words::ON_THE_PANEL, words::on_panel()),
    ] {
        rows.push(Row::text(heading));
        rows.extend(signs.into_iter().flat_map(explained));
        rows.push(Row::text(""));
    }
    rows.extend(words::lines(words::SIGNS, words::WIDE).map(Row::text));
    rows.push(Row::choice(words::BACK, MenuAction::Back));
    Page {
        title: words::HELP.into(),
        rows,
        ..Page::default()
    }
}

/// The rows of a sign: its picture before the first line of its meaning.
fn explained(sign: words::Explained) -> impl Iterator<Item = Row> {
    let lines = sign.lines.into_iter().enumerate();
    lines.map(move |(number, line)| match number {
        0 => Row::Picture(sign.picture, line),
        _ => Row::text(line),
    })
}

fn learn(facts: &Facts) -> Page {
    let offer = facts.game.view().offer();
    let choices = offer.into_iter().flatten().enumerate();
    let choices = choices.map(|(place, perk): (usize, Perk)| {
        let learn = MenuAction::Act(Action::Learn(place as u8));
        Row::value(
            format!("{}  {}", place + 1, perk.name()),
            words::perk(perk),
            learn,
        )
    });
    let mut rows = vec![Row::text(words::LEARN), Row::text("")];
    rows.extend(choices);
    Page {
        title: words::LEARNT.into(),
        rows,
        ..Page::default()
    }
}

fn pause(facts: &Facts, menu: &Menu) -> Page {
    let mut rows = vec![
        Row::text(words::place(facts.game.view())),
        Row::text(""),
        Row::choice(words::GO_ON, MenuAction::Back),
        Row::choice(words::HELP, MenuAction::Go(Screen::Help)),
        Row::choice(words::LOG, MenuAction::Go(Screen::Log)),
        Row::choice(words::SETTINGS, MenuAction::Go(Screen::Settings)),
    ];
    let leave = match facts.session.own && facts.keeper.saves() {
        true => Row::choice(words::SUSPEND, MenuAction::Suspend),
        false => Row::choice(words::TO_TITLE, MenuAction::Suspend),
    };
    rows.push(leave);
    let leaves = facts.game.view().leaves_without_ember();
    if facts.session.own || leaves {
        rows.push(match leaves {
            true => Row::choice(words::LEAVE, MenuAction::Leave).marked(menu.leaves),
            false => Row::choice(words::GIVE_UP, MenuAction::GiveUp),
        });
    }
    Page {
        title: words::PAUSE.into(),
        rows,
        ..Page::default()
    }
}

fn log(facts: &Facts) -> Page {
    let lines = facts.journal.all();
    let old = lines.len().saturating_sub(MOST_LINES);
    let mut rows: Vec<Row> = lines[old..]
        .iter()
        .flat_map(|line| words::wrapped(line, words::WIDE))
        .map(Row::text)
        .collect();
    rows.push(Row::text(""));
    rows.push(Row::choice(words::BACK, MenuAction::Back));
    Page {
        title: words::LOG.into(),
        rows,
        from_the_end: true,
        ..Page::default()
    }
}
