//! Barks of guards: only the melody of speech, not the words.
//!
//! Each bark has the syllables and vowels of its words, and a contour for its mood. A question
//! rises at its end, resignation falls and mumbles, an order is even and hard, a shout is high,
//! tense and long. The caption shows the words.

use gutterlight_rules::Bark;

use crate::sound::{
    clip::Clip,
    formant_synth::{AE, AH, EE, EH, MM, Manner, OH, OO, Syllable, UH, Vowel, speak},
    noise::Noise,
};

/// A syllable: pitch at the start and the end relative to the speaker's own, duration in seconds,
/// pause after it in seconds, vowels at the start and the end, level, hiss.
type Note = (f32, f32, f32, f32, Vowel, Vowel, f32, f32);

const MURMUR: Manner = Manner {
    tense: 0.15,
    breath: 0.5,
    shaky: 0.012,
};

const TALK: Manner = Manner {
    tense: 0.45,
    breath: 0.25,
    shaky: 0.01,
};

const SHOUT: Manner = Manner {
    tense: 0.95,
    breath: 0.2,
    shaky: 0.014,
};

const FEAR: Manner = Manner {
    tense: 0.9,
    breath: 0.45,
    shaky: 0.035,
};

const WHO_IS_THERE: &[Note] = &[
    (1.12, 1.05, 0.2, 0.0, OO, OO, 0.8, 0.35),
    (1.02, 1.0, 0.12, 0.02, UH, EE, 0.6, 0.1),
    (1.05, 1.62, 0.36, 0.0, EH, UH, 1.0, 0.15),
];
const GO_AND_LOOK: &[Note] = &[
    (1.0, 1.03, 0.15, 0.0, AH, EE, 0.8, 0.05),
    (0.98, 0.95, 0.11, 0.0, AE, UH, 0.6, 0.25),
    (1.02, 0.98, 0.13, 0.0, EH, UH, 0.8, 0.1),
    (0.95, 0.9, 0.12, 0.01, EH, EH, 0.6, 0.1),
    (0.98, 0.76, 0.26, 0.0, OO, UH, 0.9, 0.1),
];
const COME_OUT: &[Note] = &[
    (1.35, 1.3, 0.2, 0.01, UH, MM, 0.9, 0.5),
    (1.5, 1.3, 0.3, 0.03, AH, OO, 1.0, 0.05),
    (1.2, 1.15, 0.12, 0.0, UH, MM, 0.7, 0.2),
    (1.25, 0.95, 0.3, 0.0, EH, UH, 0.9, 0.15),
];
const RATS: &[Note] = &[
    (0.98, 0.82, 0.28, 0.12, AE, AE, 1.0, 0.1),
    (0.86, 0.86, 0.11, 0.0, AH, EE, 0.7, 0.05),
    (0.88, 0.84, 0.11, 0.0, UH, UH, 0.6, 0.6),
    (0.86, 0.66, 0.32, 0.0, OH, OO, 0.8, 0.3),
];
const THIEF: &[Note] = &[
    (1.65, 2.3, 0.14, 0.0, EE, EE, 0.6, 0.6),
    (2.35, 1.6, 0.46, 0.0, EE, EE, 1.0, 0.0),
];
const LOST_HIM: &[Note] = &[
    (1.3, 1.3, 0.2, 0.0, EH, UH, 0.9, 0.2),
    (1.2, 1.15, 0.11, 0.0, EE, EE, 0.7, 0.1),
    (1.15, 1.12, 0.12, 0.0, EE, EE, 0.7, 0.25),
    (1.2, 1.5, 0.34, 0.0, OH, OO, 1.0, 0.1),
];
const LAMP_OUT: &[Note] = &[
    (1.05, 1.05, 0.14, 0.0, AE, AE, 0.8, 0.15),
    (1.18, 1.08, 0.24, 0.02, AE, MM, 1.0, 0.05),
    (1.0, 1.0, 0.13, 0.0, OO, UH, 0.7, 0.6),
    (1.08, 0.84, 0.32, 0.0, UH, UH, 0.9, 0.1),
];
const MAN_DOWN: &[Note] = &[
    (1.75, 1.9, 0.28, 0.03, AE, AE, 0.9, 0.05),
    (2.0, 1.35, 0.5, 0.0, AH, OO, 1.0, 0.1),
];
const WHERE_IS_HE: &[Note] = &[
    (1.08, 1.1, 0.14, 0.0, EE, EE, 0.8, 0.3),
    (1.05, 1.0, 0.15, 0.0, OO, UH, 0.7, 0.5),
    (1.0, 1.0, 0.12, 0.0, EE, EE, 0.7, 0.05),
    (1.0, 0.98, 0.11, 0.0, AE, AE, 0.6, 0.1),
    (0.98, 0.98, 0.1, 0.0, EE, EE, 0.6, 0.25),
    (1.06, 0.84, 0.34, 0.0, OH, OO, 1.0, 0.3),
];
const HELP: &[Note] = &[
    (2.0, 2.4, 0.28, 0.1, EH, EH, 0.9, 0.5),
    (2.2, 2.55, 0.18, 0.0, EH, EH, 0.9, 0.5),
    (2.55, 1.75, 0.3, 0.0, EH, UH, 1.0, 0.0),
];
const EMBER_GONE: &[Note] = &[
    (1.4, 1.5, 0.11, 0.0, UH, UH, 0.7, 0.1),
    (1.7, 1.75, 0.2, 0.0, EH, MM, 1.0, 0.0),
    (1.5, 1.3, 0.2, 0.12, UH, UH, 0.8, 0.05),
    (1.4, 1.5, 0.11, 0.0, UH, UH, 0.7, 0.1),
    (1.75, 1.7, 0.17, 0.0, EH, MM, 0.9, 0.0),
    (1.6, 1.5, 0.14, 0.0, UH, EE, 0.8, 0.0),
    (2.0, 1.3, 0.5, 0.0, OH, OH, 1.0, 0.15),
];

/// Renders a bark. The speaker's pitch varies.
pub fn bark(bark: Bark, noise: &mut Noise) -> Clip {
    let (manner, notes) = match bark {
        Bark::WhoIsThere => (TALK, WHO_IS_THERE),
        Bark::GoAndLook => (MURMUR, GO_AND_LOOK),
        Bark::ComeOut => (SHOUT, COME_OUT),
        Bark::MustHaveBeenRats => (MURMUR, RATS),
        Bark::Thief => (SHOUT, THIEF),
        Bark::LostHim => (TALK, LOST_HIM),
        Bark::LampOut => (TALK, LAMP_OUT),
        Bark::ManDown => (FEAR, MAN_DOWN),
        Bark::WhereIsHe => (MURMUR, WHERE_IS_HE),
        Bark::Help => (FEAR, HELP),
        Bark::EmberGone => (SHOUT, EMBER_GONE),
    };
    say(manner, notes, noise)
}

/// A guard calls for others: *hey*, *here*.
pub fn call(variation: u32, noise: &mut Noise) -> Clip {
    let twice: &[Note] = &[
        (1.8, 2.1, 0.24, 0.09, EH, EE, 0.9, 0.5),
        (2.0, 2.45, 0.14, 0.0, EH, EH, 0.9, 0.4),
        (2.45, 1.7, 0.42, 0.0, EH, EE, 1.0, 0.0),
    ];
    let long: &[Note] = &[
        (1.8, 2.35, 0.2, 0.0, OH, OH, 0.9, 0.4),
        (2.35, 1.75, 0.62, 0.0, OH, EE, 1.0, 0.0),
    ];
    let notes = if variation.is_multiple_of(2) {
        twice
    } else {
        long
    };
    say(SHOUT, notes, noise)
}

fn say(manner: Manner, notes: &[Note], noise: &mut Noise) -> Clip {
    let own = noise.between(102.0, 122.0);
    let mut at = 0.0;
    let syllables: Vec<Syllable> = notes
        .iter()
        .map(|&(from, to, length, pause, first, last, loud, hiss)| {
            let length = noise.about(length, 0.07);
            let syllable = Syllable {
                at,
                // Syllables overlap slightly.
                length: length + 0.03,
                pitch: (own * noise.about(from, 0.02), own * noise.about(to, 0.03)),
                vowel: (first, last),
                loud,
                hiss,
            };
            at += length + pause;
            syllable
        })
        .collect();
    speak(noise, manner, &syllables)
}
