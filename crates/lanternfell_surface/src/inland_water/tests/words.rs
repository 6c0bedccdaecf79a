//! Rivers and lakes as numbers: that nothing is lost, and that nothing wrong is taken.

use std::collections::HashSet;

use super::{Case, cases};
use crate::inland_water::{RiverEnd, Waters, WordsError};
use lanternfell_heightmap::MapSize;

fn small() -> Case {
    Case::preset("rolling-hills", 193, 3, None)
}

/// Everything that can be asked of waters.
fn ask_all(waters: &Waters) {
    for river in waters.rivers() {
        for point in &river.points {
            let [x, _, z] = point.position;
            let _ = waters.at(x, z);
        }
        let mesh = river.mesh();
        let vertices = mesh.positions.len();
        assert!(mesh.indices.iter().all(|&at| (at as usize) < vertices));
        assert_eq!(mesh.flow.len(), vertices);
        assert_eq!(mesh.turbulence.len(), vertices);
        assert_eq!(mesh.distances.len(), vertices);
        match river.end {
            RiverEnd::Lake(lake) => assert!(lake < waters.lakes().len()),
            RiverEnd::River(river) => assert!(river < waters.rivers().len()),
            RiverEnd::Sea | RiverEnd::Outlet => {}
        }
    }
    for lake in waters.lakes() {
        let vertices = lake.mesh().positions.len();
        assert!(
            lake.mesh()
                .indices
                .iter()
                .all(|&at| (at as usize) < vertices)
        );
        for &[x, _, z] in &lake.mesh().positions {
            let _ = waters.at(x, z);
        }
    }
}

#[test]
fn of_words_come_the_same_waters() {
    let mut bodies = 0;
    for case in cases() {
        let words = case.waters.words();
        let again = Waters::from_words(case.map.size(), &words).unwrap();
        assert_eq!(again, case.waters, "{}", case.name);
        assert_eq!(again.words(), words, "{}", case.name);
        ask_all(&again);
        bodies += again.rivers().len() + again.lakes().len();
    }
    assert!(bodies > 50, "{bodies}");
}

#[test]
fn what_is_cut_off_or_too_long_is_refused() {
    let case = small();
    let (size, words) = (case.map.size(), case.waters.words());
    for length in (0..words.len()).step_by(97).chain([words.len() - 1]) {
        let found = Waters::from_words(size, &words[..length]);
        assert!(found.is_err(), "{length} of {} words", words.len());
    }
    let long = [words.as_slice(), &[0, 0]].concat();
    assert_eq!(Waters::from_words(size, &long), Err(WordsError::Long(2)));
    // A length beyond all memory is not believed.
    let mut long = words;
    long[3] = u32::MAX;
    let found = u32::MAX;
    let error = WordsError::Value { index: 3, found };
    assert_eq!(Waters::from_words(size, &long), Err(error));
}

#[test]
fn those_of_another_map_are_refused() {
    let case = small();
    let words = case.waters.words();
    for (width, height) in [(192, 193), (193, 194), (2, 2)] {
        let size = MapSize::new(width, height).unwrap();
        let found = Waters::from_words(size, &words);
        assert!(matches!(found, Err(WordsError::Value { .. })), "{found:?}");
    }
}

#[test]
fn whatever_the_words_nothing_points_to_what_is_not_there() {
    let case = small();
    let (size, words) = (case.map.size(), case.waters.words());
    let mut refused = HashSet::new();
    for at in (0..words.len()).step_by(7) {
        for changed in [words[at] ^ 1, words[at] ^ 0x8000_0000, u32::MAX] {
            let mut words = words.clone();
            words[at] = changed;
            match Waters::from_words(size, &words) {
                // Another number may be one as well.
                Ok(waters) => ask_all(&waters),
                Err(_) => {
                    refused.insert(at);
                }
            }
        }
    }
    assert!(refused.len() > 100, "{}", refused.len());
}
