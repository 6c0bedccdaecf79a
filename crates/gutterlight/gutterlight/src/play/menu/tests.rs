//! Tests of the menu in an app without a window. They press keys and check the resulting state.

use std::time::Duration;

use crate::home::{Date, Home, Score};
use bevy::{
    input::InputPlugin, prelude::*, state::app::StatesPlugin, time::TimeUpdateStrategy,
    window::CursorMoved,
};
use gutterlight_rules::{Action, Bot, Burden, Difficulty, Ending, Rules, Tile, World as Keep};
use tempfile::TempDir;

use super::*;
use crate::play::{
    browser::InPage,
    game::{self, Game},
    hud::{
        self, layout::Wide, lesson::Lesson, lessons::Lessons, minimap::MinimapShown,
        shown::HudShown,
    },
    input::{self, bindings::Bindings, script::Script},
    lifecycle,
    menu::{action::MenuAction, page::Row},
    options::Options,
    player::{
        self,
        aim::{Aim, Missile, meant},
        cursor::Cursor,
        pilot::Pilot,
    },
    scene::cones::ConesShown,
    screen::Screen,
    session::{self, Session, keeper::Keeper},
    sound::cues::Interface,
    words,
};

/// A player at the title, with their own files.
struct Player {
    app: App,
    home: TempDir,
}

impl Player {
    fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    fn at(home: TempDir) -> Self {
        let (keeper, options) = Keeper::open(Some(Home::at(home.path())), true);
        let (world, pilot) = Pilot::behind_title();
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, StatesPlugin, InputPlugin))
            .add_message::<CursorMoved>()
            .add_message::<Interface>()
            .init_state::<Screen>()
            .init_resource::<UiScale>()
            .init_resource::<Wide>()
            .init_resource::<crate::play::sound::Sounding>()
            .init_resource::<ConesShown>()
            .insert_resource(InPage(false))
            .init_resource::<MinimapShown>()
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(
                1.0 / 60.0,
            )))
            .insert_resource(HudShown(false))
            .insert_resource(Game::new(world))
            .insert_resource(pilot)
            .insert_resource(Session::behind_title())
            .insert_resource(keeper)
            .insert_resource(options)
            .add_plugins((
                game::plugin,
                hud::journal::plugin,
                hud::lessons::plugin,
                input::plugin,
                plugin,
                player::plugin,
                lifecycle::plugin,
                session::plugin,
            ));
        app.insert_resource(Menu {
            room: 30,
            ..default()
        });
        app.update();
        Self { app, home }
    }

    /// Presses keys, and waits until their effects are done.
    fn press(&mut self, keys: &str) -> &mut Self {
        let script = Script::parse(&format!("{keys}, 40")).unwrap();
        self.app.insert_resource(script);
        while *self.app.world().resource::<Script>() != Script::default() {
            self.app.update();
        }
        self
    }

    fn screen(&self) -> Screen {
        *self.app.world().resource::<State<Screen>>().get()
    }

    fn turn(&self) -> u32 {
        self.app.world().resource::<Game>().view().turn()
    }

    fn menu(&self) -> &Menu {
        self.app.world().resource()
    }

    fn options(&self) -> &Options {
        self.app.world().resource()
    }

    /// Replaces the game with this one, as the player's own.
    fn go_on_with(&mut self, world: Keep) {
        let mut game = self.app.world_mut().resource_mut::<Game>();
        game.begin(world);
        self.app.insert_resource(Pilot::Player);
        let mut session = self.app.world_mut().resource_mut::<Session>();
        session.own = true;
        session.behind_title = false;
        let mut screen = self.app.world_mut().resource_mut::<NextState<Screen>>();
        screen.set(Screen::Play);
        self.app.update();
    }
}

#[test]
fn keys_open_and_close_every_page() {
    let mut player = Player::new();
    for (keys, there, back) in [
        ("Enter", Screen::NewGame, Screen::Title),
        ("Down*2, Enter", Screen::Scores, Screen::Title),
        ("Down*3, Enter", Screen::Settings, Screen::Title),
        ("Down*4, Enter", Screen::Help, Screen::Title),
    ] {
        assert_eq!(player.press(keys).screen(), there, "{keys}");
        assert_eq!(player.press("Escape").screen(), back, "{keys}");
    }
    player.press("Down*3, Enter, Down*11, Enter");
    assert_eq!(player.screen(), Screen::Keys);
    assert_eq!(player.press("Escape").screen(), Screen::Settings);
    assert_eq!(player.press("Escape, Escape").screen(), Screen::Title);
    // In a game.
    assert_eq!(player.press("Enter, Enter").screen(), Screen::Play);
    for (keys, there, back) in [
        ("P", Screen::Log, Screen::Play),
        ("F1", Screen::Help, Screen::Play),
        ("Escape", Screen::Pause, Screen::Play),
        ("Escape, Down*3, Enter", Screen::Settings, Screen::Pause),
    ] {
        assert_eq!(player.press(keys).screen(), there, "{keys}");
        assert_eq!(player.press("Escape").screen(), back, "{keys}");
    }
    // After suspending, the game can be continued.
    player.press("Down*2, Down*2, Enter");
    assert_eq!(player.screen(), Screen::Title);
    assert!(player.app.world().resource::<Keeper>().is_suspended());
    assert_eq!(player.press("Enter").screen(), Screen::Play);
}

#[test]
fn discarding_suspended_game_needs_confirmation() {
    let mut player = Player::new();
    player.press("Enter, 7, Enter, Left*3, Escape, Down*4, Enter");
    assert_eq!(player.screen(), Screen::Title);
    // The daily keep asks for confirmation, and moving the selection cancels it.
    player.press("Down*2, Enter");
    assert_eq!(player.screen(), Screen::Title);
    assert!(player.menu().warning.is_some());
    player.press("Up");
    assert!(player.menu().warning.is_none());
    player.press("Enter, Enter");
    assert_eq!(player.screen(), Screen::NewGame, "a new confirmation");
    player.press("Escape, Enter");
    assert_eq!((player.screen(), player.turn()), (Screen::Play, 3));
    // Giving up asks for confirmation too, and is final.
    player.press("Escape, Down*5, Enter");
    assert_eq!(player.screen(), Screen::Pause);
    player.press("Enter, 60");
    assert_eq!(player.screen(), Screen::Over);
    assert!(!player.app.world().resource::<Keeper>().is_suspended());
    drop(player.app);
    let (scores, _) = Home::at(player.home.path()).scores();
    let endings: Vec<Ending> = scores.best().iter().map(|score| score.ending).collect();
    assert_eq!(endings, [Ending::GaveUp]);
}

/// A game with a choice of perks.
fn learning() -> Keep {
    let mut world = Keep::new(4, Difficulty::Thief);
    let mut mind = Bot::Careful.mind(4);
    let mut events = Vec::new();
    while world.view().offer().is_none() {
        assert!(world.view().ending().is_none(), "the bot has died");
        let action = mind.choose(world.view(), &events);
        events = world.act(action).unwrap();
    }
    world
}

#[test]
fn perk_choice_ignores_early_input() {
    let mut player = Player::new();
    let world = learning();
    let before = world.view().thief().perks.len();
    player.go_on_with(world);
    let perks = |player: &Player| {
        let game = player.app.world().resource::<Game>();
        game.view().thief().perks.len()
    };
    // Keys that were held or pressed just when the page opened are ignored.
    player.press("Enter:20");
    assert_eq!((player.screen(), perks(&player)), (Screen::Learn, before));
    player.press("Num 2");
    assert_eq!((player.screen(), perks(&player)), (Screen::Learn, before));
    // The page can only be left by pausing.
    player.press("Escape");
    assert_eq!(player.screen(), Screen::Pause);
    player.press("Escape, 60, 3");
    assert_eq!(
        (player.screen(), perks(&player)),
        (Screen::Play, before + 1)
    );
}

#[test]
fn button_being_bound_has_no_other_effect() {
    let mut player = Player::new();
    player.press("Down*3, Enter, Down*11, Enter");
    let selected = player.menu().selected;
    // Menu keys, too, and held for a long time.
    for (key, name) in [("S:40", "S"), ("Enter:40", "Enter"), ("Num 8:40", "Num 8")] {
        player.press(&format!("Enter, {key}"));
        assert_eq!(player.screen(), Screen::Keys, "{name}");
        assert_eq!(player.menu().selected, selected, "{name}");
        assert_eq!(player.menu().binding, None, "{name}");
        assert_eq!(player.options().keys["north"], [name], "{name}");
    }
    // Escape cancels.
    player.press("Enter, Escape");
    assert_eq!(player.screen(), Screen::Keys);
    assert_eq!(player.options().keys["north"], ["Num 8"]);
}

#[test]
fn browser_title_offers_export_and_import() {
    let mut player = Player::new();
    let choices = |player: &Player| {
        let rows = &player.menu().page.rows;
        let action = |row: &Row| match row {
            Row::Choice { action, .. } => Some(*action),
            _ => None,
        };
        rows.iter().filter_map(action).collect::<Vec<_>>()
    };
    assert!(choices(&player).contains(&MenuAction::Quit));
    player.app.insert_resource(InPage(true));
    player.press("Down");
    assert_eq!(choices(&player).last(), Some(&MenuAction::Bring));
    assert!(!choices(&player).contains(&MenuAction::TakeAlong));
    assert!(!choices(&player).contains(&MenuAction::Quit));

    player.press("Up, Enter, 7, Enter, Left*3, Escape, Down*4, Enter");
    assert!(choices(&player).contains(&MenuAction::TakeAlong));
    let keeper = |player: &mut Player| player.app.world_mut().remove_resource::<Keeper>().unwrap();
    let save = keeper(&mut player).export().unwrap();

    let elsewhere = tempfile::tempdir().unwrap();
    let (mut other, _) = Keeper::open(Some(Home::at(elsewhere.path())), true);
    other.import(&save[1..]);
    assert!(!other.is_suspended() && other.notes[0].contains("cannot be imported"));
    other.import(&save);
    assert!(other.is_suspended() && other.notes[0].contains("has been imported"));
    assert_eq!(other.suspended_keep().map(|keep| keep.0), Some(7));
    assert_eq!(other.resume().unwrap().0.save(), save);
}

#[test]
fn continuing_restores_the_log() {
    let mut player = Player::new();
    let said = |player: &Player| {
        let journal = player.app.world().resource::<hud::journal::Journal>();
        journal.all()
    };
    player.press("Enter, 7, Enter, T, 30, T, 30");
    let before = said(&player);
    assert!(!before.is_empty());
    player.press("Escape, Down*4, Enter, Enter");
    assert_eq!((player.screen(), said(&player)), (Screen::Play, before));
    // Another game starts with an empty log.
    player.press("Escape, Down*4, Enter, Down, Enter, 8, Enter, Enter");
    assert_eq!(player.screen(), Screen::Play);
    assert_eq!(said(&player), Vec::<String>::new());
}

#[test]
fn log_and_help_keys_toggle() {
    let mut player = Player::new();
    player.press("Enter, 7, Enter");
    for (key, page) in [("P", Screen::Log), ("F1", Screen::Help)] {
        assert_eq!(player.press(key).screen(), page);
        assert_eq!(player.press(key).screen(), Screen::Play);
    }
    // When the help was opened from the pause menu, only its own key closes it.
    player.press("Escape, Down, Enter");
    assert_eq!(player.screen(), Screen::Help);
    assert_eq!(player.press("P").screen(), Screen::Help);
    assert_eq!(player.press("F1").screen(), Screen::Pause);
}

/// A cellar with things to throw, and a sconce on a wall.
fn cellar() -> Keep {
    let text = "
        ##############
        #<@qd..!.....#
        ##############";
    Keep::from_drawing(Rules::standard(), 3, text).expect("a drawing")
}

#[test]
fn slot_keys_change_the_aimed_item() {
    let mut player = Player::new();
    player.go_on_with(cellar());
    player.press("Right, G, Right, G, 1");
    let cursor = |player: &Player| *player.app.world().resource::<Cursor>();
    let aimed = |player: &Player| cursor(player).aim;
    assert_eq!(aimed(&player), Some(Aim::Throw(Missile::Slot(0))));
    player.press("Left*2");
    let at = cursor(&player).at;
    for (key, missile) in [
        ("2", Missile::Slot(1)),
        ("-", Missile::Torch),
        ("1", Missile::Slot(0)),
    ] {
        player.press(key);
        assert_eq!(aimed(&player), Some(Aim::Throw(missile)), "{key}");
        assert_eq!(cursor(&player).at, at, "the cursor stays");
    }
    // An empty slot is refused, and the aimed item stays.
    let turn = player.turn();
    player.press("3");
    assert_eq!(aimed(&player), Some(Aim::Throw(Missile::Slot(0))));
    assert_eq!(player.turn(), turn);
    player.press("1");
    assert_eq!((aimed(&player), player.turn()), (None, turn + 1));
}

#[test]
fn aim_text_names_item_range_and_sconces() {
    let mut player = Player::new();
    player.go_on_with(cellar());
    player.press("Right, G, 1");
    let game = player.app.world().resource::<Game>();
    let bindings = player.app.world().resource::<Bindings>();
    let aim = |at| {
        let aim = Some(Aim::Throw(Missile::Slot(0)));
        words::pointed(game.view(), bindings, aim, at)
    };
    let near = aim(IVec2::new(6, 1));
    let reach = game.view().rules().thief.throw;
    assert!(
        near.starts_with(&format!("pebbles, 3 of {reach} steps: ")),
        "{near}"
    );
    assert!(near.ends_with("Enter: throw   Escape: cancel"), "{near}");
    let far = aim(IVec2::new(13, 1));
    assert!(far.contains("too far to throw"), "{far}");
    // The wall behind the sconce counts as the sconce. The wall next to it does not.
    for (at, is_lamp) in [(7, true), (6, false)] {
        let wall = IVec2::new(at, 0);
        let description = words::pointed(game.view(), bindings, None, wall);
        assert_eq!(
            description.contains("a sconce, burning"),
            is_lamp,
            "{description}"
        );
        assert_eq!(meant(game.view(), wall).y, i32::from(is_lamp));
    }
}

#[test]
fn binding_reports_previous_control() {
    let mut player = Player::new();
    player.press("Down*3, Enter, Down*11, Enter");
    let page_text = |player: &Player| {
        let rows = player.menu().page.rows.iter();
        let texts = rows.filter_map(|row| match row {
            Row::Text(words) => Some(words.clone()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join(" ")
    };
    player.press("Enter, T");
    // The torch gets the first key that north had.
    let robbed = "T was bound to: light or snuff the torch (now Up instead).";
    assert!(
        page_text(&player).contains(robbed),
        "{}",
        page_text(&player)
    );
    // The map has no other key, so it gets the first one that south had.
    player.press("Down, Enter, M");
    let robbed = "M was bound to: map (now Down instead).";
    assert!(
        page_text(&player).contains(robbed),
        "{}",
        page_text(&player)
    );
    player.press("Down, Enter, F5");
    assert!(!page_text(&player).contains("was bound"));
}

/// All text on the page.
fn read(player: &Player) -> String {
    let rows = player.menu().page.rows.iter();
    let words = rows.map(|row| match row {
        Row::Text(words) | Row::Sign(_, words) | Row::Picture(_, words) => words.clone(),
        Row::Choice { label, value, .. } => {
            format!("{label} {}", value.clone().unwrap_or_default())
        }
        Row::TestCard => String::new(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A game in keep 7 that is given up after three steps.
const GIVEN_UP: &str = "Enter, 7, Enter, Left*3, Escape, Down*5, Enter, Enter, 100";

#[test]
fn story_shows_every_floor() {
    let mut player = Player::new();
    player.press(GIVEN_UP);
    assert_eq!(player.screen(), Screen::Over);
    player.press("Enter");
    assert_eq!(player.screen(), Screen::Story);
    assert_eq!(player.menu().page.chart, Some(0));
    let page_text = read(&player);
    assert!(
        page_text.contains("Gave up on floor 1: seen 0"),
        "{page_text}"
    );
    assert!(page_text.contains("nobody saw you here"), "{page_text}");
    assert_eq!(player.press("Escape").screen(), Screen::Over);
    // A game that reached a deeper floor.
    let mut world = Bot::Careful.play(Keep::new(4, Difficulty::Thief), 900);
    if world.view().ending().is_none() {
        world.act(Action::GiveUp).expect("at any time");
    }
    let floors = world.view().floors_reached();
    let last = world.view().depth();
    assert!(floors > 1, "the bot went down");
    player.go_on_with(world);
    player
        .app
        .world_mut()
        .resource_mut::<NextState<Screen>>()
        .set(Screen::Story);
    player.press("10");
    for turned in 0..=floors {
        let depth = (last + turned) % floors;
        assert_eq!(player.menu().page.chart, Some(depth));
        player.press("Right");
    }
    player.press("Left");
    assert_eq!(player.menu().page.chart, Some(last % floors));
}

#[test]
fn replay_speeds_work_and_are_not_scored() {
    let mut player = Player::new();
    player.press(GIVEN_UP);
    player.press("Down*3, Enter");
    assert_eq!(player.screen(), Screen::Scores);
    player.press("Down, Enter, Space");
    assert_eq!(player.screen(), Screen::Play);
    let paused = player.turn();
    player.press("60");
    assert_eq!(player.turn(), paused, "it is paused");
    player.press(".");
    assert_eq!(player.turn(), paused + 1, "one more turn");
    player.press("T, Escape");
    assert_eq!(player.screen(), Screen::Pause);
    assert!(!read(&player).contains(words::GIVE_UP));
    player.press("Escape, 5, 150");
    assert_eq!((player.screen(), player.turn()), (Screen::Over, 4));
    assert!(read(&player).contains(words::WATCHED));
    // Watch it again from the end page.
    player.press("Down, Enter, 4, 200");
    assert_eq!((player.screen(), player.turn()), (Screen::Over, 4));
    player.press("Escape");
    assert_eq!(player.screen(), Screen::Title);
    let keeper = player.app.world().resource::<Keeper>();
    assert_eq!(keeper.scores().best().len(), 1, "watched, not played");
    assert_eq!(keeper.replays().all().len(), 1);
    assert!(!keeper.is_suspended());
}

#[test]
fn unplayable_replay_is_reported() {
    let mut player = Player::new();
    player.press(GIVEN_UP);
    std::fs::write(player.home.path().join("replays/0.replay"), "damaged").unwrap();
    player.press("Down*3, Enter, Down, Enter");
    assert_eq!(player.screen(), Screen::Scores);
    let page_text = read(&player);
    assert!(page_text.contains("Cannot play this replay"), "{page_text}");
}

#[test]
fn burdens_are_available_after_a_win() {
    let home = tempfile::tempdir().unwrap();
    let mut player = Player::at(home);
    player.press("Enter");
    assert!(!read(&player).contains(words::BURDENS));
    drop(player.app);
    let lost = Keep::new(5, Difficulty::Thief);
    let won = Score {
        ending: Ending::Escaped,
        ..{
            let mut world = lost;
            world.act(Action::GiveUp).unwrap();
            Score::of(world.view(), false, Date::today()).unwrap()
        }
    };
    Home::at(player.home.path()).add_score(won).unwrap();
    let mut player = Player::at(player.home);
    player.press("Enter, Down*2, Enter");
    assert_eq!(player.screen(), Screen::Burdens);
    player.press("Enter, Down, Right, Down, Enter, Up, Enter");
    let heat = player.options().heat;
    let borne: Vec<Burden> = heat.burdens().collect();
    assert_eq!(borne, [Burden::DryTorches, Burden::KeenEars]);
    assert!(read(&player).contains("Heat 2: 20% more points."));
    player.press("Escape, Up*2, 8, Enter");
    let game = player.app.world().resource::<Game>();
    assert_eq!((game.view().seed(), game.view().heat()), (8, heat));
}

#[test]
fn lore_lists_what_was_met() {
    let mut player = Player::new();
    player.press("Down*4, Enter, Enter");
    assert_eq!(player.screen(), Screen::Lore);
    assert!(read(&player).contains("GUARDS (0 of 6 met)"));
    player.press("Escape, Escape");
    let text = "##########\n#<@q..s..#\n##########";
    player.go_on_with(Keep::from_drawing(Rules::standard(), 3, text).expect("a drawing"));
    player.press("Right, G, F1, Enter");
    assert_eq!(player.screen(), Screen::Lore);
    let page_text = read(&player);
    assert!(
        page_text.contains("GUARDS (1 of 6 met)") && page_text.contains("sentry: "),
        "{page_text}"
    );
    assert!(
        page_text.contains("TOOLS (1 of 10 met)") && page_text.contains("pebbles: "),
        "{page_text}"
    );
}

#[test]
fn leaving_without_the_ember_needs_confirmation() {
    let mut player = Player::new();
    // At the start of a game, the gate does not offer to leave.
    player.press("Enter, 7, Enter, Enter");
    assert_eq!(player.screen(), Screen::Play);
    player.go_on_with(back_at_the_gate());
    let turn = player.turn();
    player.press("Enter");
    assert_eq!((player.screen(), player.turn()), (Screen::Pause, turn));
    let chosen = player.menu().choice().and_then(Row::action);
    assert_eq!(chosen, Some(MenuAction::Leave));
    player.press("Enter");
    assert_eq!(player.screen(), Screen::Pause, "a confirmation");
    player.press("Enter, 100");
    assert_eq!(player.screen(), Screen::Over);
    let game = player.app.world().resource::<Game>();
    assert_eq!(game.view().ending(), Some(Ending::TurnedBack));
    assert!(read(&player).contains("out of keep"), "{}", read(&player));
}

/// A thief who has been on the second floor and is back at the gate.
fn back_at_the_gate() -> Keep {
    let on = |seed| {
        let mut world = Bot::Careful.play(Keep::new(seed, Difficulty::Apprentice), 0);
        let mut mind = Bot::Careful.mind(seed);
        let mut events = Vec::new();
        while world.view().depth() == 0 && world.view().ending().is_none() {
            let action = mind.choose(world.view(), &events);
            events = world.act(action).ok()?;
        }
        if world.view().offer().is_some() {
            world.act(Action::Learn(0)).ok()?;
        }
        world.act(Action::Climb).ok()?;
        let gate = (0..world.view().size().y)
            .flat_map(|y| (0..world.view().size().x).map(move |x| IVec2::new(x, y)))
            .find(|at| {
                let tile = world.view().memory(*at).map(|memory| memory.tile);
                tile == Some(Tile::StairsUp)
            })?;
        while world.view().thief().at != gate {
            let step = *world.view().way_to(gate)?.first()?;
            world.act(Action::Walk(step)).ok()?;
        }
        Some(world)
    };
    (0..20).find_map(on).expect("one bot gets back")
}

#[test]
fn typed_seed_is_played() {
    let mut player = Player::new();
    player.press("Enter, 1, 2, 9, Backspace, 3, Enter");
    let game = player.app.world().resource::<Game>();
    assert_eq!(game.view().seed(), 123);
    assert_eq!(game.view().turn(), 0);
}

#[test]
fn held_direction_stops_at_page_change() {
    let mut player = Player::new();
    player.press("Enter, 7, Enter");
    player.press("Left:30");
    let walked = player.turn();
    assert!((2..5).contains(&walked), "{walked} steps in half a second");
    // The key is held while a page closes.
    player.press("Escape");
    player.press("Escape+Left:1, Left:40");
    assert!(player.turn() <= walked + 4, "{}", player.turn());
}

fn lesson(player: &Player) -> Lesson {
    player.app.world().resource::<Lessons>().due()
}

fn had_opening(player: &Player) -> bool {
    let game = player.app.world().resource::<Game>();
    game.replay().expect("a game from its beginning").opening
}

/// Walks down the corridor of keep 7, waits in the dark, and handles the torch. Sneaking is next.
const LESSONS_UNTIL_SNEAKING: &str = "Left*9, Space*20, T, T";

/// Reported: the lessons were lost when the game was suspended.
#[test]
fn lesson_survives_suspending() {
    let mut player = Player::new();
    player.press("Enter, 7, Enter");
    assert_eq!(
        (lesson(&player), had_opening(&player)),
        (Lesson::Walk, true)
    );
    player.press(LESSONS_UNTIL_SNEAKING);
    assert_eq!(lesson(&player), Lesson::Sneak);
    player.press("Escape, Down*4, Enter");
    assert_eq!(
        (player.screen(), lesson(&player)),
        (Screen::Title, Lesson::Done)
    );
    player.press("Enter");
    assert_eq!(
        (player.screen(), lesson(&player)),
        (Screen::Play, Lesson::Sneak)
    );
    // The program ends, and starts again.
    let home = player.home;
    drop(player.app);
    let mut player = Player::at(home);
    assert!(
        player.options().opening,
        "it was neither finished nor skipped"
    );
    player.press("Enter");
    assert_eq!(
        (player.screen(), lesson(&player)),
        (Screen::Play, Lesson::Sneak)
    );
    // A lesson that takes no turn is saved too.
    player.press("Left Ctrl+Right, ;, Escape");
    assert_eq!(lesson(&player), Lesson::Explore);
    player.press("Escape, Down*4, Enter, Enter");
    assert_eq!(lesson(&player), Lesson::Explore);
    player.press("Tab, 60");
    assert_eq!(lesson(&player), Lesson::Done);
    assert!(!player.options().opening, "it is finished");
    // The first Escape ends the exploration.
    player.press("Escape, Escape, Down*4, Enter, Down, Enter, 7, Enter, Enter");
    assert_eq!((player.turn(), had_opening(&player)), (0, false));
}

#[test]
fn skipped_lesson_is_not_repeated() {
    let mut player = Player::new();
    player.press("Enter, 7, Enter, Backspace");
    assert_eq!(lesson(&player), Lesson::Done);
    assert!(!player.options().opening);
    player.press("Escape, Down*4, Enter, Enter");
    assert_eq!(
        (player.screen(), lesson(&player)),
        (Screen::Play, Lesson::Done)
    );
}

/// Reported: the daily keep had no lessons for newcomers.
#[test]
fn daily_keep_teaches_newcomers() {
    let mut player = Player::new();
    player.press("Down, Enter");
    assert_eq!(player.screen(), Screen::Play);
    assert_eq!(
        (lesson(&player), had_opening(&player)),
        (Lesson::Walk, true)
    );
    player.press("Backspace, Escape, Down*4, Enter, Down*2, Enter, Enter");
    assert_eq!((player.screen(), player.turn()), (Screen::Play, 0));
    assert_eq!(
        (lesson(&player), had_opening(&player)),
        (Lesson::Done, false)
    );
}

/// A game that is lost during the lessons starts with them again.
#[test]
fn same_keep_again_repeats_unfinished_lessons() {
    let mut player = Player::new();
    player.press(GIVEN_UP);
    assert_eq!(player.screen(), Screen::Over);
    assert!(player.options().opening);
    let same = MenuAction::Begin(session::Begin::Same);
    player.app.world_mut().write_message(same);
    player.press("10");
    assert_eq!(
        (player.screen(), lesson(&player)),
        (Screen::Play, Lesson::Walk)
    );
}

/// Reported: some signs had no explanation.
#[test]
fn how_to_play_explains_every_sign() {
    let mut player = Player::new();
    player.press("Down*4, Enter");
    assert_eq!(player.screen(), Screen::Help);
    let rows = &player.menu().page.rows;
    for sign in words::over_guards().into_iter().chain(words::on_panel()) {
        let line = Row::Picture(sign.picture, sign.lines[0].clone());
        assert!(rows.contains(&line), "{line:?}");
    }
    let text = read(&player);
    for sign in ["ring", "outline", "stripes", "wedge", "triangles", "blue"] {
        assert!(text.contains(sign), "{sign}");
    }
}
