//! Tests of serialization: no data is lost, and damaged data is rejected.

use super::{Case, cases};
use crate::inland_water::{RiverEnd, Waters};

fn small() -> Case {
    Case::preset("rolling-hills", 193, 3, None)
}

/// Calls everything that uses an index.
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

fn saved(waters: &Waters) -> Vec<u8> {
    postcard::to_stdvec(waters).unwrap()
}

fn load(bytes: &[u8]) -> Result<Waters, String> {
    postcard::from_bytes(bytes).map_err(|error| error.to_string())
}

#[test]
fn serde_keeps_every_bit() {
    let mut bodies = 0;
    for case in cases() {
        let bytes = saved(&case.waters);
        let again = load(&bytes).unwrap();
        assert_eq!(again, case.waters, "{}", case.name);
        assert_eq!(again.size(), case.map.size(), "{}", case.name);
        assert_eq!(saved(&again), bytes, "{}", case.name);
        ask_all(&again);
        bodies += again.rivers().len() + again.lakes().len();
    }
    assert!(bodies > 50, "{bodies}");
    let small = small().waters;
    let text = ron::to_string(&small).unwrap();
    assert_eq!(ron::from_str::<Waters>(&text).unwrap(), small);
}

#[test]
fn rejects_truncated_and_extended_data() {
    let bytes = saved(&small().waters);
    for length in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
        assert!(load(&bytes[..length]).is_err(), "{length}");
    }
    let long = [bytes.as_slice(), &[0, 0]].concat();
    let (_, rest) = postcard::take_from_bytes::<Waters>(&long).unwrap();
    assert_eq!(rest, [0, 0]);
}

/// Each case changes one field of the text, for one of the checks in `save`.
#[test]
fn rejects_invalid_indices_and_numbers() {
    let text = ron::to_string(&small().waters).unwrap();
    let (lakes, rivers) = {
        let waters = small().waters;
        (waters.lakes().len(), waters.rivers().len())
    };
    assert!(lakes > 0 && rivers > 1 && text.contains("from_lake:Some("));
    let cases = [
        (
            "size:(193,",
            "size:(100,".to_owned(),
            "the cell of a square",
        ),
        ("size:(193,193)", "size:(0,193)".to_owned(), ""),
        ("spacing:", "spacing:-".to_owned(), "a spacing"),
        ("level:", "level:NaN,// ".to_owned() + "\n level_:", ""),
        (
            "indices:[",
            "indices:[0,".to_owned(),
            "the triangles of a mesh",
        ),
        (
            "indices:[",
            "indices:[4294967295,0,0,".to_owned(),
            "the triangles of a mesh",
        ),
        (
            "turbulence:[",
            "turbulence:[0.5,".to_owned(),
            "the number of a river's vertices",
        ),
        (
            "flow:[",
            "flow:[(NaN,0.0),".to_owned(),
            "the number of a river's vertices",
        ),
        ("depth:", "depth:-NaN,// \n".to_owned(), ""),
        (
            "from_lake:None",
            format!("from_lake:Some({lakes})"),
            "the lake that a river leaves",
        ),
        (
            "end:Sea",
            format!("end:Lake({lakes})"),
            "the end of a river",
        ),
        (
            "end:Sea",
            format!("end:River({rivers})"),
            "the end of a river",
        ),
        (
            "triangles:[",
            format!("triangles:[(river:{rivers},triangle:0),"),
            "a triangle of a river",
        ),
        (
            "triangles:[",
            "triangles:[(river:0,triangle:0),".to_owned(),
            "the number of triangles",
        ),
        (
            "squares:[",
            "squares:[(column:191,row:191,ground:(0,0,0,0),lake:None,triangles_end:0),".to_owned(),
            "the order of the squares",
        ),
        (
            "squares:[",
            "squares:[(column:192,row:0,ground:(0,0,0,0),lake:None,triangles_end:0),".to_owned(),
            "the cell of a square",
        ),
        (
            "squares:[",
            "squares:[(column:0,row:0,ground:(0,0,NaN,0),lake:None,triangles_end:0),".to_owned(),
            "a number (it is NaN)",
        ),
        (
            "squares:[",
            format!(
                "squares:[(column:0,row:0,ground:(0,0,0,0),lake:Some(({lakes},(0,0,0,0))),triangles_end:0),"
            ),
            "the lake of a square",
        ),
        (
            "squares:[",
            "squares:[(column:0,row:0,ground:(0,0,0,0),lake:None,triangles_end:4294967295),"
                .to_owned(),
            "the triangles of a square",
        ),
    ];
    for (part, other, reason) in cases {
        assert!(text.contains(part), "{part}");
        let error = ron::from_str::<Waters>(&text.replacen(part, &other, 1)).unwrap_err();
        assert!(error.to_string().contains(reason), "{other}: {error}");
    }
}

#[test]
fn damaged_bytes_never_cause_invalid_indices() {
    let bytes = saved(&small().waters);
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(29) {
        for changed in [bytes[at] ^ 1, bytes[at] ^ 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = changed;
            match load(&bytes) {
                // The changed byte may still be valid.
                Ok(waters) => ask_all(&waters),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 100, "{refused}");
}
