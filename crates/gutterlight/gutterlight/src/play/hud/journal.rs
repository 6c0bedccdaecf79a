//! The message log. The last lines are shown on the panel, or above it in small windows.

use bevy::prelude::*;
use gutterlight_rules::{Blackout, GameEvent, Sound, View};

use crate::home::{LogLine, MOST_LINES};
use crate::play::{
    game::{Game, GameSystems, Happened, Refused},
    hud::{
        InTheDark,
        layer::Layer,
        layout::{Corner, Placed, Wide},
        shown::is_shown,
        style::{JOURNAL, NOTES, PANEL},
    },
    input::bindings::Bindings,
    session::{Began, Session, keeper::Keeper},
    words,
};

/// The number of lines in the panel. Over the keep there is one less.
const LINES: usize = 4;

/// The opacity of the lines, newest first.
const FADES: [f32; LINES] = [1.0, 0.8, 0.55, 0.35];

/// The corners of the keep in which the log may be.
const CORNERS: [Corner; 2] = [Corner::BottomLeft, Corner::TopLeft];

/// All messages, in order.
#[derive(Resource, Default)]
pub struct Journal {
    lines: Vec<LogLine>,
    /// The reason why the last action was refused.
    refusal: Option<String>,
}

#[derive(Component)]
struct Row(usize);

pub fn plugin(app: &mut App) {
    app.init_resource::<Journal>()
        .add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(
            Update,
            (
                note,
                warn.run_if(resource_changed::<Keeper>),
                write.run_if(resource_changed::<Journal>.or_else(resource_changed::<Wide>)),
            )
                .chain()
                .in_set(GameSystems::Show),
        );
}

fn spawn(mut commands: Commands) {
    let lines = Node {
        position_type: PositionType::Absolute,
        flex_direction: FlexDirection::ColumnReverse,
        ..default()
    };
    let column = Placed {
        small: lines.clone(),
        wide: Node {
            left: px(JOURNAL),
            right: px(NOTES),
            bottom: px(4),
            height: px(PANEL - 8.0),
            overflow: Overflow::clip(),
            ..lines
        },
        corners: &CORNERS,
    };
    commands
        .spawn((Layer::Journal.in_play(), InTheDark, column))
        .with_children(|column| {
            for (number, alpha) in FADES.into_iter().enumerate() {
                column.spawn((
                    Row(number),
                    Text::default(),
                    TextFont::from_font_size(14.0),
                    TextColor(Color::srgba(0.93, 0.9, 0.82, alpha)),
                    TextShadow {
                        offset: Vec2::ONE,
                        ..default()
                    },
                ));
            }
        });
}

fn note(
    game: Res<Game>,
    session: Res<Session>,
    mut journal: ResMut<Journal>,
    mut happened: MessageReader<Happened>,
    mut refused: MessageReader<Refused>,
    mut began: MessageReader<Began>,
    bindings: Res<Bindings>,
) {
    let view = game.view();
    if began.read().next().is_some() {
        *journal = Journal {
            lines: session.log.clone(),
            refusal: None,
        };
    }
    if happened.is_empty() && refused.is_empty() {
        return;
    }
    journal.refusal = None;
    let mut before = None;
    for event in happened.read() {
        let message =
            words::event(view, &bindings, event.0).filter(|_| !says_the_same(before, event.0));
        before = Some(event.0);
        if let Some(words) = message {
            let quiet = is_over_a_head(view, event.0);
            journal.add(words, quiet);
        }
    }
    for refusal in refused.read() {
        journal.refusal = Some(refusal.0.to_string());
    }
}

/// Reports problems with files immediately.
fn warn(keeper: Res<Keeper>, mut logged: Local<usize>, mut journal: ResMut<Journal>) {
    let before = core::mem::replace(&mut *logged, keeper.notes.len());
    for note in keeper.notes.iter().skip(before) {
        journal.add(note.clone(), false);
    }
}

/// Whether the previous event has already been reported with better words.
fn says_the_same(before: Option<GameEvent>, now: GameEvent) -> bool {
    match now {
        GameEvent::Torch { lit: false } => matches!(
            before,
            Some(GameEvent::TorchSpent | GameEvent::Blackout(Blackout::Out))
        ),
        GameEvent::Heard {
            sound: Sound::Something,
            ..
        } => matches!(
            before,
            Some(GameEvent::Blackout(Blackout::Noise | Blackout::Nearer))
        ),
        _ => false,
    }
}

impl Journal {
    /// Shows why something is not possible, until the next event.
    pub fn refuse(&mut self, words: &str) {
        self.refusal = Some(words.to_owned());
    }

    /// All messages, oldest first.
    pub fn all(&self) -> Vec<String> {
        self.lines.iter().map(format_line).collect()
    }

    /// The last messages, as many as are saved with a suspended game.
    pub fn last_lines(&self) -> Vec<LogLine> {
        self.lines[self.lines.len().saturating_sub(MOST_LINES)..].to_owned()
    }

    fn add(&mut self, words: String, quiet: bool) {
        match self.lines.last_mut() {
            Some(last) if last.words == words => last.times = last.times.saturating_add(1),
            _ => self.lines.push(LogLine {
                words,
                times: 1,
                quiet,
            }),
        }
    }
}

/// Whether the event is speech of a guard in sight. It is shown over the guard's head.
fn is_over_a_head(view: View<'_>, event: GameEvent) -> bool {
    let GameEvent::Said { guard, .. } = event else {
        return false;
    };
    view.guards().any(|seen| Some(seen.id) == guard)
}

/// A line with its repeat count.
fn format_line(line: &LogLine) -> String {
    match line.times {
        1 => line.words.clone(),
        times => format!("{} ({times})", line.words),
    }
}

fn write(journal: Res<Journal>, wide: Res<Wide>, mut rows: Query<(&Row, &mut Text)>) {
    let loud = journal.lines.iter().rev().filter(|line| !line.quiet);
    let messages = loud.map(format_line);
    let all: Vec<String> = journal
        .refusal
        .clone()
        .into_iter()
        .chain(messages)
        .take(if wide.0 { LINES } else { LINES - 1 })
        .collect();
    for (row, mut text) in &mut rows {
        let words = all.get(row.0).map_or("", String::as_str);
        if text.0 != words {
            words.clone_into(&mut text.0);
        }
    }
}
