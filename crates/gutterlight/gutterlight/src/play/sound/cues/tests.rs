//! Tests of which sounds are played, how often, and from where.

use gutterlight_rules::{Bark, Bot, Difficulty, FixtureKind, Stack, Torch, World};

use super::*;

fn world() -> World {
    World::new(7, Difficulty::Thief)
}

fn names(view: View<'_>, events: &[GameEvent]) -> Vec<SoundName> {
    let heard = all(view, events.iter().copied());
    heard.map(|sound| sound.cue.sound).collect()
}

#[test]
fn each_moment_has_one_sound() {
    let world = world();
    let view = world.view();
    let at = view.thief().at;
    let neighbor = at + IVec2::X;
    let sounded = |sound, at| GameEvent::Sounded {
        sound,
        at,
        reach: 4,
    };
    let rustle = sounded(Sound::Curtain, at);
    let took = |item| GameEvent::Took { item };
    let torch = Torch { lit: true, fuel: 9 };
    let salve = Stack {
        tool: Tool::Salve,
        count: 1,
    };
    let (guard, lamp) = (0, FixtureKind::Sconce);
    let voice = Sound::Voice(Bark::Thief);
    let moments = [
        (vec![rustle, took(Item::Treasure(5))], SoundName::Coin),
        (vec![rustle, took(Item::Key)], SoundName::Key),
        (vec![rustle, took(Item::Ember)], SoundName::EmberTaken),
        (vec![rustle, took(Item::Tool(salve))], SoundName::PickUp),
        (
            vec![
                rustle,
                took(Item::Torch(torch)),
                GameEvent::Torch { lit: true },
            ],
            SoundName::PickUp,
        ),
        (
            vec![GameEvent::Dropped { item: Item::Key }, rustle],
            Sound::Curtain.into(),
        ),
        (
            vec![GameEvent::Wrapped { wrapped: true }, rustle],
            SoundName::Wrap,
        ),
        (
            vec![
                GameEvent::Turned {
                    at: neighbor,
                    open: true,
                },
                sounded(Sound::Curtain, neighbor),
            ],
            Sound::Curtain.into(),
        ),
        (
            vec![
                GameEvent::Unlocked {
                    at: neighbor,
                    picked: true,
                },
                sounded(Sound::Lock, neighbor),
            ],
            Sound::Lock.into(),
        ),
        (
            vec![GameEvent::Torch { lit: true }, sounded(Sound::Flame, at)],
            Sound::Flame.into(),
        ),
        (
            vec![GameEvent::TorchSpent, GameEvent::Torch { lit: false }],
            Sound::Hiss.into(),
        ),
        (
            vec![
                GameEvent::Blackout(Blackout::Out),
                GameEvent::Torch { lit: false },
            ],
            Sound::Hiss.into(),
        ),
        (
            vec![
                GameEvent::Lamp {
                    kind: lamp,
                    at: neighbor,
                    burning: false,
                },
                sounded(Sound::Hiss, neighbor),
            ],
            Sound::Hiss.into(),
        ),
        (
            vec![
                GameEvent::Fire { at: neighbor },
                GameEvent::Fire {
                    at: neighbor + IVec2::X,
                },
                GameEvent::Burnt {
                    whom: Who::Guard(guard),
                    damage: 2,
                },
            ],
            Sound::Flame.into(),
        ),
        (
            vec![
                GameEvent::Smoke { at: neighbor },
                sounded(Sound::Burst, neighbor),
            ],
            Sound::Burst.into(),
        ),
        (
            vec![
                GameEvent::Said {
                    guard: None,
                    bark: Bark::Thief,
                },
                sounded(voice, neighbor),
            ],
            voice.into(),
        ),
        (
            vec![
                GameEvent::Shoved {
                    guard,
                    to: neighbor,
                },
                sounded(Sound::Fight, neighbor),
            ],
            Sound::Fight.into(),
        ),
        (
            vec![
                GameEvent::Struck {
                    by: Who::Guard(guard),
                    whom: Who::Thief,
                    damage: 0,
                },
                sounded(Sound::Fight, at),
            ],
            Sound::Fight.into(),
        ),
        (
            vec![
                GameEvent::Downed { guard, dead: false },
                sounded(Sound::Fall, neighbor),
            ],
            Sound::Fall.into(),
        ),
        (
            vec![
                GameEvent::Used { tool: Tool::Salve },
                GameEvent::Healed { health: 3 },
                GameEvent::Nerve { gone: false },
            ],
            SoundName::Heal,
        ),
        (
            vec![
                GameEvent::Used {
                    tool: Tool::BlinkScroll,
                },
                GameEvent::Blinked {
                    from: at,
                    to: neighbor,
                },
            ],
            SoundName::Blink,
        ),
    ];
    for (events, name) in moments {
        assert_eq!(names(view, &events), [name], "{events:?}");
    }
}

#[test]
fn sounds_have_the_direction_of_their_source() {
    let world = world();
    let view = world.view();
    let thief = view.thief().at;
    for way in Direction::ALL {
        let at = thief + 5 * way.step();
        let seen = GameEvent::Sounded {
            sound: Sound::Door,
            at,
            reach: 4,
        };
        let unseen = GameEvent::Heard {
            sound: Sound::Door,
            towards: Some(way),
            steps: 5,
            at,
        };
        for event in [seen, unseen] {
            let sound = one(view, event).expect("a door is heard");
            assert_eq!(sound.way, Some(way), "{event:?}");
            assert_eq!(
                sound.cue.pan.signum() * sound.cue.pan.abs().ceil(),
                way.step().x as f32,
                "{event:?}"
            );
            assert!((5.0..=7.1).contains(&sound.cue.distance), "{event:?}");
        }
    }
}

#[test]
fn detours_are_muffled() {
    let world = world();
    let at = world.view().thief().at + IVec2::new(4, 0);
    let muffled = |steps| {
        let heard = unseen(world.view(), Sound::Howl, steps, at);
        heard.cue.muffled
    };
    assert_eq!(muffled(4), 0.0);
    assert!(muffled(10) > 0.7);
    assert_eq!(muffled(40), 1.0);
}

#[test]
fn sneaking_is_quieter_and_not_captioned() {
    let world = world();
    let at = world.view().thief().at;
    let step = |reach| {
        let sound = Sound::Steps(Ground::Stone);
        seen(world.view(), sound, at, reach).expect("a step is heard")
    };
    let [sneaked, walked, run] = [2, 5, 11].map(step);
    assert!(sneaked.cue.gain < 0.6 * walked.cue.gain);
    assert_eq!((walked.cue.gain, run.cue.gain), (1.0, 1.0));
    assert!(!walked.captioned);
}

#[test]
fn whole_game_has_valid_unique_sounds() {
    let mut world = world();
    let mut mind = Bot::Careful.mind(7);
    let mut events = Vec::new();
    let mut total = 0;
    for _ in 0..2500 {
        if world.view().ending().is_some() {
            break;
        }
        let action = mind.choose(world.view(), &events);
        events = world.act(action).unwrap_or_default();
        let heard: Vec<Audible> = all(world.view(), events.iter().copied()).collect();
        total += heard.len();
        for (number, sound) in heard.iter().enumerate() {
            let cue = sound.cue;
            assert!((-1.0..=1.0).contains(&cue.pan), "{sound:?}");
            assert!((0.0..=1.0).contains(&cue.gain), "{sound:?}");
            assert!((0.0..=1.0).contains(&cue.muffled), "{sound:?}");
            assert!(cue.distance >= 0.0, "{sound:?}");
            let again = heard[..number].contains(sound);
            assert!(!again, "{sound:?} in {events:?}");
        }
    }
    assert!(total > 500, "{total}");
}
