//! Logs as bytes, and damaged bytes.

use std::sync::Arc;

use lanternfell_edits::{EditLimits, Edits, ReadError};
use lanternfell_random::{Fnv1a, SeededRng};
use lanternfell_test_support::cases;

use crate::{
    model::Rough,
    random::{CROWDED, any},
};

/// A log with all kinds of entries, of which some are compacted.
fn log(seed: u64, strokes: u32) -> Edits {
    let mut rng = SeededRng::new(seed, b"bytes   ");
    let mut edits = Edits::with_limits(Arc::new(Rough), CROWDED);
    for at in 0..strokes {
        match rng.percent(80) {
            true => edits.stroke(at % 3, any(&mut rng)).unwrap(),
            false => edits.start_drag(at % 3, any(&mut rng)).unwrap(),
        };
        match rng.below(6) {
            0 => drop(edits.undo(at % 3).unwrap()),
            1 => drop(edits.redo(at % 3).unwrap()),
            _ => {}
        }
        if at == strokes / 3 {
            edits.compact(edits.clock() / 2);
        }
    }
    edits
}

fn read(bytes: &[u8]) -> Result<Edits, ReadError> {
    Edits::from_bytes(bytes, Arc::new(Rough), CROWDED)
}

/// Replaces the length and the hash in the header by the right ones.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some((header, body)) = bytes.split_at_mut_checked(26) {
        header[10..18].copy_from_slice(&(body.len() as u64).to_le_bytes());
        let hash = Fnv1a::of_bytes(body.iter().copied());
        header[18..26].copy_from_slice(&hash.to_le_bytes());
    }
    bytes
}

#[test]
fn logs_survive_a_round_trip() {
    for seed in 0..10 {
        let edits = log(seed, 30);
        let bytes = edits.to_bytes();
        let again = read(&bytes).unwrap();
        assert!(again.to_bytes() == bytes, "seed {seed}");
        assert!(again.tiles().eq(edits.tiles()), "seed {seed}");
        assert!(again.entries().eq(edits.entries()), "seed {seed}");
        let mut both = [edits, again];
        for edits in &mut both {
            for author in 0..3 {
                edits.redo(author).unwrap();
                edits.undo(author).unwrap();
                edits.undo(author).unwrap();
            }
        }
        assert!(both[0].tiles().eq(both[1].tiles()), "seed {seed}");
        assert!(both[0].to_bytes() == both[1].to_bytes(), "seed {seed}");
    }
}

#[test]
fn images_are_stored_once() {
    use lanternfell_edits::{Brush, StampImage, Stroke};
    let image = StampImage::new(64, (0..4096).collect::<Vec<i32>>()).unwrap();
    let brush = Brush::Stamp { image };
    let mut edits = Edits::new(Arc::new(Rough));
    for x in 0..50 {
        let stroke = Stroke::along(brush.clone(), 900, [[x * 100, 0]]);
        edits.stroke(1, stroke).unwrap();
    }
    let bytes = edits.to_bytes();
    assert!(bytes.len() < 10_000, "{}", bytes.len());
    let read = Edits::from_bytes(&bytes, Arc::new(Rough), EditLimits::default()).unwrap();
    assert!(read.tiles().eq(edits.tiles()) && read.to_bytes() == bytes);
}

#[test]
fn headers_are_checked() {
    let bytes = log(1, 5).to_bytes();
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert_eq!(error(b""), "the bytes are not a log of terrain edits");
    assert_eq!(
        error(b"GUTTERSVAVEFILE"),
        "the bytes are not a log of terrain edits"
    );
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(
        error(&newer),
        "the log has version 2, but this release reads version 1"
    );
    let (short, whole) = (bytes.len() - 3, bytes.len());
    let message = format!("the log has {short} bytes, but should have {whole}");
    assert_eq!(error(&bytes[..short]), message);
    let mut damaged = bytes;
    damaged[100] ^= 4;
    assert_eq!(error(&damaged), "the log is damaged: its checksum is wrong");
}

/// Damages bytes at random, also with a correct hash, and checks that reading them never panics.
#[test]
fn damaged_logs_are_errors_or_valid_logs() {
    let originals: Vec<Vec<u8>> = (0..4).map(|seed| log(seed, 8).to_bytes()).collect();
    let mut rng = SeededRng::new(5, b"damage  ");
    let mut valid = 0;
    for _ in 0..cases(3000, 300_000) {
        let mut bytes = rng.pick(&originals).unwrap().clone();
        for _ in 0..=rng.below(3) {
            // Mostly behind the tiles, which are most of the bytes.
            let start = if rng.percent(50) {
                bytes.len() * 9 / 10
            } else {
                0
            };
            let at = start + rng.below((bytes.len() - start) as u64) as usize;
            match rng.below(6) {
                0 => bytes.truncate(at),
                1 => drop(bytes.splice(at..at, [rng.word() as u8; 9])),
                2 => drop(bytes.splice(at..(at + 5).min(bytes.len()), [255; 5])),
                3 => bytes[at] ^= 1 << rng.below(8),
                _ => bytes[at] = rng.word() as u8,
            }
            if bytes.is_empty() {
                break;
            }
        }
        let seal = rng.percent(90);
        let bytes = if seal { sealed(bytes) } else { bytes };
        if let Ok(edits) = read(&bytes) {
            valid += 1;
            let again = read(&edits.to_bytes()).unwrap();
            assert!(again.tiles().eq(edits.tiles()));
        }
    }
    assert!(valid > 20, "{valid} were valid");
}

/// A log of many entries must not take much more memory than its bytes before its limits apply.
#[test]
fn huge_counts_are_refused() {
    let mut body = vec![0, 0, 0, 0, 0, 0];
    body.extend([0xFF, 0xFF, 0xFF, 0xFF, 0x0F]);
    let mut bytes = log(1, 1).to_bytes();
    bytes.truncate(26);
    bytes.extend(body);
    assert_eq!(
        read(&sealed(bytes)).unwrap_err(),
        ReadError::Malformed("body")
    );
}
