//! Captions of sounds, at the lower right with the newest at the bottom. A repeated sound increases
//! a counter while its caption is still shown.

use bevy::prelude::*;

use crate::play::{
    game::GameSystems,
    hud::{
        InTheDark,
        layer::Layer,
        layout::{Corner, Placed},
        shown::is_shown,
        style::{BACK, PANEL, text},
    },
    options::Options,
    sound::{
        Sounding,
        ambience::Ambience,
        cues::{self, Audible},
        loops::Loops,
        scene,
    },
    words,
};

/// The number of lines.
const LINES: usize = 3;

/// Seconds for which a line is fully visible, and for which it then fades.
const STAYS: f32 = 1.5;
const FADES: f32 = 2.5;

/// The distance below the panel's hint, in UI pixels.
const UNDER: f32 = 22.0;

/// The allowed corners over the keep in a small window.
const CORNERS: [Corner; 4] = [
    Corner::BottomRight,
    Corner::TopRight,
    Corner::TopLeft,
    Corner::BottomLeft,
];

/// The opacity of the background of a line, and of the shadow of its text.
const GROUND: f32 = 0.6;
const SHADOW: f32 = 0.75;

/// The recent sounds, oldest first.
#[derive(Resource, Debug, Default)]
struct Captions(Vec<Caption>);

#[derive(Debug)]
struct Caption {
    words: String,
    times: u32,
    /// The text with its counter, as shown.
    shown: String,
    /// Seconds since it was last heard.
    age: f32,
}

/// A line on screen. 0 is the oldest.
#[derive(Component)]
struct Line(usize);

pub fn plugin(app: &mut App) {
    let news = resource_changed::<Captions>
        .or_else(resource_changed::<Options>)
        .or_else(resource_changed::<Sounding>);
    app.init_resource::<Captions>()
        .add_systems(Startup, spawn.run_if(is_shown))
        .add_systems(
            Update,
            (
                grow_old.run_if(any_heard),
                hear.run_if(on_message::<Audible>),
                notice.run_if(resource_changed::<Ambience>),
                write.run_if(news),
                fade.run_if(any_heard),
            )
                .chain()
                .after(scene::follow)
                .after(cues::Heard)
                .in_set(GameSystems::Show),
        );
}

fn spawn(mut commands: Commands) {
    let lines = Node {
        position_type: PositionType::Absolute,
        flex_direction: FlexDirection::Column,
        align_items: AlignItems::End,
        ..default()
    };
    let column = Placed {
        small: lines.clone(),
        wide: Node {
            right: px(10),
            bottom: px(2),
            max_height: px(PANEL - UNDER),
            ..lines
        },
        corners: &CORNERS,
    };
    commands
        .spawn((Layer::Captions.in_play(), InTheDark, column))
        .with_children(|column| {
            for number in 0..LINES {
                let ground = Node {
                    padding: UiRect::horizontal(px(5)),
                    display: Display::None,
                    ..default()
                };
                let line = (Line(number), ground, BackgroundColor(BACK));
                column.spawn(line).with_child(text("", 13.0));
            }
        });
}

fn any_heard(captions: Res<Captions>) -> bool {
    !captions.0.is_empty()
}

impl Captions {
    /// Adds a sound. If its caption is still shown, increases the counter.
    fn add(&mut self, words: String) {
        if let Some(known) = self.0.iter_mut().find(|known| known.words == words) {
            known.times += 1;
            known.shown = words::caption(&known.words, known.times);
            known.age = 0.0;
            return;
        }
        if self.0.len() == LINES {
            self.0.remove(0);
        }
        self.0.push(Caption {
            shown: words::caption(&words, 1),
            words,
            times: 1,
            age: 0.0,
        });
    }

    /// Advances the ages. Returns whether a line has disappeared.
    fn grow_old(&mut self, seconds: f32) -> bool {
        let lines = self.0.len();
        for caption in &mut self.0 {
            caption.age += seconds;
        }
        self.0.retain(|caption| caption.age < STAYS + FADES);
        self.0.len() < lines
    }
}

impl Caption {
    /// The opacity, from 0 to 1.
    fn alpha(&self) -> f32 {
        (1.0 - (self.age - STAYS) / FADES).clamp(0.0, 1.0)
    }
}

/// Marks the captions as changed only if a line has disappeared.
fn grow_old(time: Res<Time>, mut captions: ResMut<Captions>) {
    let captions_now = captions.bypass_change_detection();
    if captions_now.grow_old(time.delta_secs()) {
        captions.set_changed();
    }
}

fn hear(mut heard: MessageReader<Audible>, mut captions: ResMut<Captions>) {
    for sound in heard.read().filter(|sound| sound.captioned) {
        let steps = sound.cue.distance as u16;
        captions.add(words::sound(sound.cue.sound, sound.way, steps));
    }
}

fn notice(ambience: Res<Ambience>, mut loops: Local<Loops>, mut captions: ResMut<Captions>) {
    for begun in loops.begun(&ambience) {
        captions.add(words::goes_on(begun).to_owned());
    }
}

/// Updates the lines. They are shown if the player wants captions, or if there is no sound.
fn write(
    captions: Res<Captions>,
    options: Res<Options>,
    sounding: Res<Sounding>,
    mut lines: Query<(&Line, &Children, &mut Node)>,
    mut texts: Query<&mut Text>,
) {
    let wanted = options.captions || !sounding.0;
    for (line, children, mut node) in &mut lines {
        let caption = captions.0.get(line.0).filter(|_| wanted);
        let display = match caption {
            Some(_) => Display::Flex,
            None => Display::None,
        };
        if node.display != display {
            node.display = display;
        }
        let Some(caption) = caption else { continue };
        for &child in children {
            if let Ok(mut text) = texts.get_mut(child)
                && text.0 != caption.shown
            {
                caption.shown.clone_into(&mut text.0);
            }
        }
    }
}

fn fade(
    captions: Res<Captions>,
    mut lines: Query<(&Line, &Children, &mut BackgroundColor)>,
    mut inks: Query<(&mut TextColor, &mut TextShadow)>,
) {
    for (line, children, mut ground) in &mut lines {
        let Some(caption) = captions.0.get(line.0) else {
            continue;
        };
        let alpha = caption.alpha();
        ground.set_if_neq(BackgroundColor(BACK.with_alpha(GROUND * alpha)));
        for &child in children {
            if let Ok((mut ink, mut shadow)) = inks.get_mut(child) {
                let faded = TextColor(ink.0.with_alpha(alpha));
                if ink.set_if_neq(faded) {
                    shadow.color.set_alpha(SHADOW * alpha);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    fn written(captions: &Captions) -> Vec<&str> {
        captions.0.iter().map(|line| line.shown.as_str()).collect()
    }

    #[test]
    fn repeated_sounds_are_counted() {
        let mut captions = Captions::default();
        for words in ["paws", "a door", "paws", "paws"] {
            captions.add(words.into());
        }
        assert_eq!(written(&captions), ["[paws] x3", "[a door]"]);
    }

    #[test]
    fn oldest_line_is_removed() {
        let mut captions = Captions::default();
        for words in ["1", "2", "3", "4", "5", "6"] {
            captions.add(words.into());
        }
        assert_eq!(written(&captions), ["[4]", "[5]", "[6]"]);
    }

    #[test]
    fn lines_fade_and_disappear() {
        let mut captions = Captions::default();
        captions.add("a howl".into());
        assert!(!captions.grow_old(STAYS));
        assert_eq!(captions.0[0].alpha(), 1.0);
        assert!(!captions.grow_old(FADES / 2.0));
        assert_eq!(captions.0[0].alpha(), 0.5);
        captions.add("a howl".into());
        assert_eq!(captions.0[0].alpha(), 1.0);
        assert!(captions.grow_old(STAYS + FADES));
        assert!(captions.0.is_empty());
    }

    /// Whether a caption is shown in an app with these settings.
    fn shown(wanted: bool, sounding: bool) -> bool {
        let mut app = App::new();
        let options = Options(Settings {
            captions: wanted,
            ..Settings::default()
        });
        app.init_resource::<Time>()
            .init_resource::<Ambience>()
            .insert_resource(options)
            .insert_resource(Sounding(sounding))
            .insert_resource(crate::play::hud::shown::HudShown(true))
            .add_message::<Audible>()
            .add_plugins(plugin);
        app.world_mut()
            .resource_mut::<Captions>()
            .add("a howl".into());
        app.update();
        let mut lines = app.world_mut().query::<(&Line, &Node)>();
        let mut lines = lines.iter(app.world());
        lines.any(|(_, node)| node.display == Display::Flex)
    }

    #[test]
    fn captions_are_shown_on_request_or_without_sound() {
        assert!(shown(true, true) && shown(true, false) && shown(false, false));
        assert!(!shown(false, true));
    }
}
