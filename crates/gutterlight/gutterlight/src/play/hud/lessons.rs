//! The tutorial. During the opening, one line shows the player what to do next. It disappears when
//! it is done.
//!
//! ```text
//!   walk -> (the torch gutters and goes out) -> wait in the dark -> light it -> put it out
//!        -> sneak -> look at something -> explore -> done, for good
//! ```
//!
//! The game never waits for the tutorial, and a key skips it. It is shown in games that started with
//! the opening. All new games do, until the lessons were finished or skipped once. A game that is
//! suspended continues with the same lesson.

use bevy::prelude::*;
use gutterlight_rules::{Blackout, GameEvent, Who};

use crate::play::{
    game::{Game, GameSystems, Happened},
    hud::{
        layer::Layer,
        lesson::{Lesson, SKIP, STEPS},
        shown::is_shown,
        style::{TOP, inked},
    },
    input::{bindings::Bindings, control::Control, hands::Hands},
    options::Options,
    player::{cursor::Cursor, travel::Errand},
    session::{Began, Session},
    words,
};

const INK: Color = Color::srgb(1.0, 0.86, 0.5);

/// The current lesson, and the steps taken during it.
#[derive(Resource, Debug, Default)]
pub struct Lessons {
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
    commands
        .spawn((Layer::Lesson.in_play(), middle))
        .with_child((
            Line,
            inked("", 16.0, INK),
            TextLayout::justify(Justify::Center),
        ));
}

fn begin(session: Res<Session>, mut lessons: ResMut<Lessons>) {
    *lessons = Lessons {
        due: session.lesson,
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
    mut options: ResMut<Options>,
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
    // The opening ends on the stairs.
    if view.depth() > 0 && matches!(lessons.due, Lesson::Walk | Lesson::Dark) {
        lessons.due = Lesson::LightTorch;
    }
    if lessons.due == Lesson::Done {
        options.opening = false;
    }
    if view.ending().is_some() {
        lessons.due = Lesson::Done;
    }
}

impl Lessons {
    /// The current lesson.
    pub fn due(&self) -> Lesson {
        self.due
    }

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
        self.due = self.due.next();
    }
}

/// Skips all lessons.
fn skip(
    keys: Res<ButtonInput<KeyCode>>,
    bindings: Res<Bindings>,
    mut lessons: ResMut<Lessons>,
    mut options: ResMut<Options>,
) {
    let due = lessons.due != Lesson::Done;
    if due && keys.just_pressed(SKIP) && !bindings.is_bound(SKIP) {
        lessons.due = Lesson::Done;
        options.opening = false;
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
