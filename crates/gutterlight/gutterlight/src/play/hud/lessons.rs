//! The tutorial. During the opening, one line shows the player what to do next. It disappears when
//! it is done.
//!
//! ```text
//!   walk -> (the torch gutters and goes out) -> wait in the dark -> light it -> put it out
//!        -> sneak -> look at something -> explore -> done, for good
//! ```
//!
//! The game never waits for the tutorial, and a key skips it. It is shown on the first floor of
//! games that started with the opening.

use bevy::prelude::*;
use gutterlight_rules::{Blackout, GameEvent, Who};

use crate::play::{
    game::{Game, GameSystems, Happened},
    hud::{
        InPlay,
        lesson::{Lesson, SKIP},
        shown::is_shown,
        style::{TOP, inked},
    },
    input::{bindings::Bindings, control::Control, hands::Hands},
    player::{cursor::Cursor, travel::Errand},
    session::{Began, Session},
    words,
};

/// The number of steps after which walking counts as learned.
const STEPS: u32 = 4;

const INK: Color = Color::srgb(1.0, 0.86, 0.5);

/// The current lesson, and the steps taken during it.
#[derive(Resource, Debug, Default)]
struct Lessons {
    due: Lesson,
    steps: u32,
}

#[derive(Component)]
struct Line;

pub fn plugin(app: &mut App) {
    app.init_resource::<Lessons>()
        .add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(
            Update,
            (begin.run_if(on_message::<Began>), learn, skip, show_lesson)
                .chain()
                .in_set(GameSystems::Show),
        );
}

fn spawn(mut commands: Commands) {
    let middle = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        top: px(TOP + 10.0),
        justify_content: JustifyContent::Center,
        ..default()
    };
    commands.spawn((InPlay, middle)).with_child((
        Line,
        inked("", 16.0, INK),
        TextLayout::justify(Justify::Center),
    ));
}

fn begin(game: Res<Game>, session: Res<Session>, mut lessons: ResMut<Lessons>) {
    let view = game.view();
    *lessons = Lessons {
        due: match session.opening {
            false => Lesson::Done,
            true if view.wick_is_wet() => Lesson::Dark,
            true if view.turn() > STEPS => Lesson::LightTorch,
            true => Lesson::Walk,
        },
        steps: 0,
    };
}

/// Moves to the next lesson when the current one is done.
fn learn(
    game: Res<Game>,
    hands: Res<Hands>,
    cursor: Res<Cursor>,
    errand: Res<Errand>,
    mut happened: MessageReader<Happened>,
    mut lessons: ResMut<Lessons>,
) {
    if lessons.due == Lesson::Done {
        happened.clear();
        return;
    }
    let view = game.view();
    for event in happened.read() {
        lessons.take(event.0, &hands);
    }
    let looked = cursor.at.is_some() && lessons.due == Lesson::Look;
    let explored = *errand == Errand::Explore && lessons.due == Lesson::Explore;
    if looked || explored {
        lessons.next();
    }
    if view.depth() > 0 || view.ending().is_some() {
        lessons.due = Lesson::Done;
    }
}

impl Lessons {
    fn take(&mut self, event: GameEvent, hands: &Hands) {
        let steps = matches!(event, GameEvent::Moved { who, .. } if who == Who::Thief);
        self.steps += u32::from(steps);
        match (self.due, event) {
            // The opening continues regardless of the lesson.
            (Lesson::Walk, GameEvent::Blackout(_)) => self.due = Lesson::Dark,
            (Lesson::Walk, _) if self.steps > STEPS => self.next(),
            (Lesson::Dark, GameEvent::Blackout(Blackout::Over))
            | (Lesson::LightTorch, GameEvent::Torch { lit: true })
            | (Lesson::SnuffTorch, GameEvent::Torch { lit: false }) => self.next(),
            (Lesson::Sneak, _) if steps && hands.hold(Control::Sneak) => self.next(),
            _ => {}
        }
    }

    fn next(&mut self) {
        self.steps = 0;
        self.due = match self.due {
            Lesson::Walk => Lesson::Dark,
            Lesson::Dark => Lesson::LightTorch,
            Lesson::LightTorch => Lesson::SnuffTorch,
            Lesson::SnuffTorch => Lesson::Sneak,
            Lesson::Sneak => Lesson::Look,
            Lesson::Look => Lesson::Explore,
            Lesson::Explore | Lesson::Done => Lesson::Done,
        };
    }
}

/// Skips all lessons.
fn skip(keys: Res<ButtonInput<KeyCode>>, bindings: Res<Bindings>, mut lessons: ResMut<Lessons>) {
    let due = lessons.due != Lesson::Done;
    if due && keys.just_pressed(SKIP) && !bindings.is_bound(SKIP) {
        lessons.due = Lesson::Done;
    }
}

fn show_lesson(
    lessons: Res<Lessons>,
    bindings: Res<Bindings>,
    mut lines: Query<&mut Text, With<Line>>,
) {
    if !lessons.is_changed() && !bindings.is_changed() {
        return;
    }
    for mut line in &mut lines {
        let words = words::lesson(lessons.due, &bindings);
        line.set_if_neq(Text(words));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_run_in_order_and_end() {
        let mut lessons = Lessons {
            due: Lesson::Walk,
            steps: 0,
        };
        let mut seen = Vec::new();
        while lessons.due != Lesson::Done {
            assert!(!seen.contains(&lessons.due), "{seen:?}");
            seen.push(lessons.due);
            lessons.next();
        }
        assert_eq!(seen.len(), 7);
    }

    #[test]
    fn only_the_requested_action_counts() {
        let hands = Hands::default();
        let mut lessons = Lessons {
            due: Lesson::LightTorch,
            steps: 0,
        };
        lessons.take(GameEvent::Torch { lit: false }, &hands);
        assert_eq!(lessons.due, Lesson::LightTorch);
        lessons.take(GameEvent::Torch { lit: true }, &hands);
        assert_eq!(lessons.due, Lesson::SnuffTorch);
        lessons.take(GameEvent::Torch { lit: false }, &hands);
        assert_eq!(lessons.due, Lesson::Sneak);
    }
}
