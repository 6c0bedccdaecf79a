//! What happened, in words: the last lines over the panel.

use bevy::prelude::*;
use lanternfell_stealth::{Blackout, GameEvent, Sound, View};

use crate::home::{LogLine, MOST_LINES};
use crate::play::{
    game::{Game, GameSystems, Happened, Refused},
    hud::{InPlay, shown::is_shown, style::PANEL},
    input::bindings::Bindings,
    session::{Began, Session, keeper::Keeper},
    words,
};

/// Lines on screen.
const LINES: usize = 6;

/// In windows lower than this, in pixels of the interface, only half of them.
const LOW: f32 = 480.0;

/// How opaque the lines are, from the newest one.
const FADES: [f32; LINES] = [1.0, 0.85, 0.65, 0.45, 0.3, 0.2];

/// Everything that was said, in order.
#[derive(Resource, Default)]
pub struct Journal {
    lines: Vec<LogLine>,
    /// Why the last wish was refused.
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
                write.run_if(resource_changed::<Journal>),
            )
                .chain()
                .in_set(GameSystems::Show),
        );
}

fn spawn(mut commands: Commands) {
    let column = Node {
        position_type: PositionType::Absolute,
        left: px(10),
        bottom: px(PANEL + 8.0),
        flex_direction: FlexDirection::ColumnReverse,
        ..default()
    };
    commands.spawn((InPlay, column)).with_children(|column| {
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
        let told =
            words::event(view, &bindings, event.0).filter(|_| !says_the_same(before, event.0));
        before = Some(event.0);
        if let Some(words) = told {
            let quiet = is_over_a_head(view, event.0);
            journal.add(words, quiet);
        }
    }
    for refusal in refused.read() {
        journal.refusal = Some(refusal.0.to_string());
    }
}

/// What can not be kept is told at once, not when it is missed.
fn warn(keeper: Res<Keeper>, mut told: Local<usize>, mut journal: ResMut<Journal>) {
    let before = core::mem::replace(&mut *told, keeper.notes.len());
    for note in keeper.notes.iter().skip(before) {
        journal.add(note.clone(), false);
    }
}

/// Whether what happens has just been told in better words.
fn says_the_same(before: Option<GameEvent>, now: GameEvent) -> bool {
    match now {
        GameEvent::Torch { lit: false } => matches!(
            before,
            Some(GameEvent::TorchSpent | GameEvent::Blackout(Blackout::Out))
        ),
        GameEvent::Heard {
            sound: Sound::Something,
            ..
        } => matches!(before, Some(GameEvent::Blackout(Blackout::Noise))),
        _ => false,
    }
}

impl Journal {
    /// Says why something is not done, until something is.
    pub fn refuse(&mut self, words: &str) {
        self.refusal = Some(words.to_owned());
    }

    /// Everything that was said, the first first.
    pub fn all(&self) -> Vec<String> {
        self.lines.iter().map(told).collect()
    }

    /// As many of the last lines as are kept with a suspended game.
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

/// Whether it is said by a guard in sight.
fn is_over_a_head(view: View<'_>, event: GameEvent) -> bool {
    let GameEvent::Said { guard, .. } = event else {
        return false;
    };
    view.guards().any(|seen| Some(seen.id) == guard)
}

/// A line, with how often it was said.
fn told(line: &LogLine) -> String {
    match line.times {
        1 => line.words.clone(),
        times => format!("{} ({times})", line.words),
    }
}

fn write(
    journal: Res<Journal>,
    camera: Option<Single<&Camera>>,
    scale: Res<UiScale>,
    mut rows: Query<(&Row, &mut Text)>,
) {
    let height = camera.and_then(|camera| camera.logical_viewport_size());
    let is_low = height.is_some_and(|size| size.y / scale.0 < LOW);
    let loud = journal.lines.iter().rev().filter(|line| !line.quiet);
    let told = loud.map(told);
    let all: Vec<String> = journal
        .refusal
        .clone()
        .into_iter()
        .chain(told)
        .take(if is_low { LINES / 2 } else { LINES })
        .collect();
    for (row, mut text) in &mut rows {
        let words = all.get(row.0).map_or("", String::as_str);
        if text.0 != words {
            words.clone_into(&mut text.0);
        }
    }
}
