//! `edit`: lists and changes logs.

use std::sync::Arc;

use lanternfell_edits::{Brush, EditLimits, Edits, Falloff, FlatBase, Stroke};

use super::Folder;

fn read(folder: &Folder, name: &str) -> Edits {
    let base = Arc::new(FlatBase::default());
    Edits::from_bytes(&folder.read(name), base, EditLimits::default()).unwrap()
}

/// A log of the tool is one of the library, byte for byte.
#[test]
fn logs_are_those_of_the_library() {
    let folder = Folder::new();
    let mut edits = Edits::new(Arc::new(FlatBase::default()));
    folder.succeed("edit add log.edits --brush Lower(mm:400) --radius 3 --at 20,64 --at 90,70");
    let ditch = Stroke::along(
        Brush::Lower { mm: 400 },
        768,
        [[5120, 16384], [23040, 17920]],
    );
    edits.stroke(1, ditch).unwrap();
    folder.succeed("edit add log.edits --brush Flatten(mm:None) --radius 2.5m --at 60m,-30m --spacing 2 --author 7");
    let flat = Stroke::along(Brush::Flatten { mm: None }, 320, [[7680, -3840]]);
    edits.stroke(7, flat).unwrap();
    // The hole around the middle of four cells is that square.
    folder.succeed(
        "edit add log.edits --brush Hole --radius 0.5 --at 4.5,7.5 --falloff tip --strength 0.25",
    );
    let hole = Stroke {
        falloff: Falloff::Tip,
        strength: 250,
        ..Stroke::along(Brush::Hole, 128, [[1024, 1792]])
    };
    let hole = edits.stroke(1, hole).unwrap().id;
    assert!(edits.is_hole(4, 7) && edits.tiles().count() >= 3);
    folder.succeed("edit undo log.edits");
    edits.undo(1).unwrap();
    folder.succeed("edit undo log.edits --author 7");
    edits.undo(7).unwrap();
    folder.succeed("edit redo log.edits --id 1:2 --author 9");
    edits.redo_edit(9, hole).unwrap();
    folder.succeed("edit redo log.edits --author 7");
    edits.redo(7).unwrap();
    assert!(folder.read("log.edits") == edits.to_bytes());
    folder.succeed("edit undo log.edits --times 2 -o undone.edits");
    assert!(folder.read("log.edits") == edits.to_bytes());
    edits.undo(1).unwrap();
    edits.undo(1).unwrap();
    assert!(folder.read("undone.edits") == edits.to_bytes());
    assert_eq!(folder.names(), ["log.edits", "undone.edits"]);
}

#[test]
fn list_prints_entries_and_a_summary() {
    let folder = Folder::new();
    folder.succeed("edit add log.edits --brush Lower(mm:400) --radius 3 --at 20,64 --at 90,70");
    folder.succeed("edit add log.edits --brush Hole --radius 2 --at 40,40 --author 2");
    folder.succeed("edit undo log.edits --author 2");
    let said = folder.succeed("edit list log.edits");
    let bytes = folder.read("log.edits").len();
    let expected = format!(
        "log.edits: 3 entries by 2 authors, 2 strokes, 1 undone, {bytes} bytes\n\
         heights: 1 stroke, columns 17 to 93, rows 61 to 73\n\
         1:1  time 1  stroke  Lower(mm:400), radius 3, smooth, strength 1, from (20, 64) to (90, 70)\n\
         2:1  time 2  stroke  Hole, radius 2, smooth, strength 1, at (40, 40), undone\n\
         2:2  time 3  undo of 2:1\n"
    );
    assert_eq!(said, expected);
    let json: serde_json::Value =
        serde_json::from_str(&folder.succeed("edit list log.edits --json")).unwrap();
    assert_eq!(json["bytes"], bytes);
    assert_eq!(json["areas"][0]["columns"], serde_json::json!([17, 93]));
    let entries = json["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 3);
    assert_eq!(
        entries[0]["points"],
        serde_json::json!([[20.0, 64.0], [90.0, 70.0]])
    );
    assert_eq!(entries[1]["undone"], true);
    assert_eq!(entries[2]["of"], "2:1");
}

#[test]
fn compaction_keeps_the_map() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 100 --seed 3 -o land.terrain.ron");
    for brush in [
        "Raise(mm:3000)",
        "Smooth(reach:5)",
        "Noise(seed:1,cells:4,mm:900)",
    ] {
        folder.succeed(&format!(
            "edit add log.edits --brush {brush} --radius 15 --at 30,40"
        ));
    }
    folder.succeed("edit undo log.edits");
    folder.succeed("convert land.terrain.ron --edits log.edits -o before.r32");
    let said = folder.succeed("edit compact log.edits land.terrain.ron -o compact.edits");
    assert!(said.contains("dropped 4 entries"), "{said}");
    assert!(read(&folder, "compact.edits").is_empty());
    folder.succeed("convert land.terrain.ron --edits compact.edits -o after.r32");
    assert!(folder.read("before.r32") == folder.read("after.r32"));
    folder.refuse("edit undo compact.edits", &["compact.edits", "no stroke"]);
    let said = folder.succeed("edit compact log.edits land.terrain.ron --before 2");
    assert!(said.contains("dropped 1 entry"), "{said}");
    folder.succeed("convert land.terrain.ron --edits log.edits -o after.r32");
    assert!(folder.read("before.r32") == folder.read("after.r32"));
    let said = folder.succeed("edit list log.edits");
    assert!(
        said.contains("compacted before time 2; 1 tile with edits"),
        "{said}"
    );
    assert!(
        said.contains("heights: 1 stroke, columns 0 to 63, rows 0 to 63"),
        "{said}"
    );
}

#[test]
fn refuses_wrong_arguments() {
    let folder = Folder::new();
    folder.succeed("edit add log.edits --brush Hole --radius 1 --at 5,5 --author 4");
    let before = folder.read("log.edits");
    let add = "edit add log.edits --radius 3 --at 1,1";
    let stroke = "edit add log.edits --brush Raise(mm:5)";
    for (words, parts) in [
        (
            format!("{add} --brush raise"),
            &["--brush", "`Raise`", "`Plants`"][..],
        ),
        (
            format!("{add} --brush Raise(mm:9999999)"),
            &["height", "9999999", "from 0 to 1000000"],
        ),
        (
            format!("{add} --brush Smooth(reach:17)"),
            &["reach", "17", "from 1 to 16"],
        ),
        (
            format!("{add} --brush Paint(layer:16)"),
            &["layer", "16", "from 0 to 15"],
        ),
        (
            format!("{add} --brush Hole --strength 1.5"),
            &["--strength", "1.5", "from 0 to 1"],
        ),
        (
            format!("{stroke} --radius 0 --at 1,1"),
            &["--radius 0", "to 1024 cells"],
        ),
        (
            format!("{stroke} --radius 2000m --spacing 1 --at 1,1"),
            &["--radius 2000m", "1024"],
        ),
        (
            format!("{stroke} --radius 2m --at 1,1"),
            &["--radius", "--spacing METERS"],
        ),
        (
            format!("{stroke} --radius 2m --at 1,1 --spacing -1"),
            &["--spacing -1", "above 0"],
        ),
        (format!("{stroke} --radius 2 --at 1"), &["--at", "X,Y"]),
        (format!("{stroke} --radius 2 --at nan,1"), &["--at", "X,Y"]),
        (
            format!("{stroke} --radius 2 --at 1e30,1"),
            &["--at 1e30".trim_end_matches("e30"), "cells"],
        ),
        (
            format!("{stroke} --radius 2 --at 0,0 --at 70000,0"),
            &["--at", "65536 cells"],
        ),
        (format!("{stroke} --radius 2"), &["--at"]),
        (
            format!("{stroke} --radius 2 --at 1,1 -o map.png"),
            &["map.png", ".edits", "edit apply"],
        ),
        (
            "edit add hills --brush Hole --radius 1 --at 1,1".to_owned(),
            &["hills", ".edits"],
        ),
        (
            "edit undo log.edits".to_owned(),
            &["author 1", "no stroke to undo", "4"],
        ),
        (
            "edit undo log.edits --author 4 --times 2".to_owned(),
            &["only 1 stroke"],
        ),
        (
            "edit redo log.edits --author 4".to_owned(),
            &["author 4", "bring back"],
        ),
        (
            "edit redo log.edits --id 4:1".to_owned(),
            &["log.edits", "already part of the terrain"],
        ),
        (
            "edit undo log.edits --id 4:9".to_owned(),
            &["no stroke 9 of author 4"],
        ),
        (
            "edit undo log.edits --id 4".to_owned(),
            &["--id", "AUTHOR:NUMBER"],
        ),
        (
            "edit undo log.edits --times 0".to_owned(),
            &["--times", "at least 1"],
        ),
        (
            "edit list none.edits".to_owned(),
            &["cannot read none.edits"],
        ),
        ("edit compact log.edits none.png".to_owned(), &["none.png"]),
        ("edit".to_owned(), &["subcommand"]),
    ] {
        folder.refuse(&words, parts);
        assert!(folder.read("log.edits") == before, "{words}");
    }
}

#[test]
fn help_explains_each_command() {
    let folder = Folder::new();
    assert!(
        folder
            .succeed("edit --help")
            .contains("edit apply digs.edits island.terrain.ron")
    );
    assert!(folder.succeed("edit help undo").contains("--times"));
    assert!(folder.succeed("help edits").contains("before --crop"));
    assert!(!folder.succeed("edit apply --help").contains("--edits <"));
}
