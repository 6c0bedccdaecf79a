//! What authors may not do is refused by name, and taken back by their clients.

use std::sync::Arc;

use lanternfell_edits::{
    Allowance, Brush, Edits, FlatBase, Refusal, ServerLimits, StampImage, Stroke, SyncError,
    TerrainServer,
};

use crate::{
    network::{GOOD, World, client, edits},
    sharing::busy,
};

/// The center of a tile.
const CENTER: i64 = 32 * 256;

fn click(radius: u32) -> Stroke {
    Stroke::along(Brush::Raise { mm: 10 }, radius, [[CENTER, CENTER]])
}

/// Makes strokes at once, and returns why some were refused.
fn refusals(limits: ServerLimits, strokes: impl IntoIterator<Item = Stroke>) -> Vec<Refusal> {
    let mut world = World::new(1, limits, GOOD);
    world.join(1);
    world.settle();
    for stroke in strokes {
        world.client(1).stroke(stroke).unwrap();
    }
    world.settle();
    world.check();
    let [server, client] = world.refused;
    assert_eq!(server, client);
    client.into_iter().map(|(_, refusal)| refusal).collect()
}

fn allowed(per_second: u32, most: u32) -> Allowance {
    Allowance { per_second, most }
}

#[test]
fn each_limit_is_named() {
    let limits = ServerLimits {
        radius: 1024,
        edits: allowed(1, 3),
        cells: allowed(10, 300),
        bytes: allowed(10, 300),
        ..busy()
    };
    let said_with = |limits: ServerLimits, strokes: Vec<Stroke>| -> Vec<String> {
        let refusals = refusals(limits, strokes);
        refusals.iter().map(ToString::to_string).collect()
    };
    let said = |strokes: Vec<Stroke>| said_with(limits, strokes);
    assert_eq!(said(vec![click(1024)]), [""; 0]);
    assert_eq!(
        said(vec![click(1025)]),
        ["the radius of the brush is 4.00390625 cells, but at most 4 are allowed"]
    );
    assert_eq!(
        said_with(
            ServerLimits {
                cells: busy().cells,
                ..limits
            },
            vec![click(256); 4]
        ),
        ["too many edits: at most 3 at once and 1 per second are allowed"]
    );
    assert_eq!(
        said(vec![click(1024), click(1024)]),
        ["the stroke counts as at least 64 cells, but 44 of 300 are left, and 10 more per second"]
    );
    let line = |radius: u32, length: i64| {
        let ends = [[CENTER, CENTER], [CENTER + length, CENTER]];
        Stroke::along(Brush::Raise { mm: 10 }, radius, ends)
    };
    assert_eq!(
        said(vec![line(1024, 8000)]),
        [
            "the stroke counts as at least 314 cells, but 300 of 300 are left, and 10 more per second"
        ]
    );
    // A thin line still takes the memory of all tiles on its way.
    assert_eq!(
        said(vec![line(256, 16_384)]),
        [
            "the stroke counts as at least 512 cells, but 300 of 300 are left, and 10 more per second"
        ]
    );
    assert_eq!(
        said(vec![line(1, 256 * 1000)]),
        [
            "the stroke counts as at least 1001 cells, but 300 of 300 are left, and 10 more per second"
        ]
    );
    let stamp = |side: u32| {
        let heights = vec![1000; (side * side) as usize];
        let image = StampImage::new(side, heights).unwrap();
        Stroke::along(Brush::Stamp { image }, 512, [[CENTER, CENTER]])
    };
    assert_eq!(said(vec![stamp(5)]), [""; 0]);
    assert_eq!(
        said(vec![stamp(12)]),
        ["the edit has at least 307 bytes, but 300 of 300 are left, and 10 more per second"]
    );
    // Larger than a packet: the server does not wait for the rest.
    assert_eq!(
        said(vec![stamp(60)]),
        ["the edit has at least 7001 bytes, but 300 of 300 are left, and 10 more per second"]
    );
}

/// A reviewer's finding: a stamp of radius 1/256 cell at many places cost one cell, and undo was free.
#[test]
fn each_tile_and_each_undo_counts() {
    let limits = ServerLimits {
        radius: 4096,
        cells: allowed(1, 2000),
        ..busy()
    };
    let mut world = World::new(1, limits, GOOD);
    world.join(1);
    world.settle();
    let image = StampImage::new(1, [1000]).unwrap();
    let points = (0..50).map(|at| [CENTER + 64 * 256 * (at % 7), CENTER + 64 * 256 * (at / 7)]);
    let stamp = Stroke {
        points: points.collect(),
        ..Stroke::along(Brush::Stamp { image }, 1, [[0, 0]])
    };
    let said = |world: &mut World, edit: fn(&mut World)| {
        let before = world.refused[1].len();
        edit(world);
        world.settle();
        let new = world.refused[1][before..].iter();
        new.map(|(_, refusal)| refusal.to_string())
            .collect::<Vec<_>>()
    };
    world.client(1).stroke(stamp).unwrap();
    world.settle();
    assert_eq!(
        world.refused[1][0].1.to_string(),
        "the stroke counts as at least 12800 cells, but 2000 of 2000 are left, and 1 more per second"
    );
    let edits: [fn(&mut World); 4] = [
        |world| drop(world.client(1).stroke(click(4096)).unwrap()),
        |world| drop(world.client(1).undo().unwrap()),
        |world| drop(world.client(1).stroke(click(2048)).unwrap()),
        |world| drop(world.client(1).undo().unwrap()),
    ];
    let [large, undone, small, refused] = edits.map(|edit| said(&mut world, edit));
    assert_eq!(large, [""; 0]);
    assert_eq!(
        undone,
        [
            "the stroke counts as at least 1024 cells, but 976 of 2000 are left, and 1 more per second"
        ]
    );
    assert_eq!(small, [""; 0]);
    assert_eq!(refused, [""; 0]);
    world.check();
}

/// A reviewer's finding: an endless history overflowed.
#[test]
fn a_server_can_keep_all_history() {
    let limits = ServerLimits {
        history: usize::MAX,
        ..busy()
    };
    assert_eq!(refusals(limits, [click(300)]), []);
}

/// A reviewer's finding: such a stroke took the number of the client's next edit, which was then lost.
#[test]
fn the_server_makes_no_strokes_in_the_name_of_a_client() {
    let mut world = World::new(1, busy(), GOOD);
    world.join(1);
    world.settle();
    let message = "author 1 is a client: the server cannot make a stroke in its name";
    let error = world.server.stroke(1, click(300)).unwrap_err();
    assert_eq!(error.to_string(), message);
    world.server.stroke(2, click(300)).unwrap();
}

#[test]
fn allowances_come_back_with_time_but_not_with_a_new_connection() {
    let limits = ServerLimits {
        edits: allowed(1, 2),
        ..busy()
    };
    let mut world = World::new(2, limits, GOOD);
    world.join(1);
    world.settle();
    let edit = |world: &mut World| {
        let before = world.refused[1].len();
        world.client(1).stroke(click(300)).unwrap();
        world.settle();
        world.refused[1].len() == before
    };
    let edits = [0; 3].map(|_| edit(&mut world));
    assert_eq!(edits, [true, true, false]);
    world.join(1);
    world.settle();
    assert!(!edit(&mut world));
    for _ in 0..20 {
        world.step();
    }
    assert!(edit(&mut world));
    world.check();
}

/// Large strokes arrive in parts, also over a bad network and for those who join late.
#[test]
fn large_strokes_arrive_in_parts() {
    let mut world = World::new(3, busy(), crate::network::BAD);
    world.join(1);
    world.settle();
    let image = StampImage::new(100, (0..10_000).collect::<Vec<i32>>()).unwrap();
    let stamp = Stroke::along(Brush::Stamp { image }, 2048, [[0, 0]]);
    world.client(1).stroke(stamp).unwrap();
    world.settle();
    world.join(2);
    world.settle();
    world.check();
    assert_ne!(world.client(2).edits().delta_mm(0, 0), 0);
}

#[test]
fn clients_wait_for_the_terrain_and_for_answers() {
    let mut alone = client(7);
    assert_eq!(alone.stroke(click(300)), Err(SyncError::NotReady));
    let mut world = World::new(5, busy(), GOOD);
    world.join(1);
    world.settle();
    for _ in 0..64 {
        world.client(1).stroke(click(300)).unwrap();
    }
    let error = world.client(1).undo().unwrap_err().to_string();
    assert_eq!(error, "the server has not answered the last 64 edits yet");
    world.settle();
    world.check();
}

#[test]
fn another_base_is_named() {
    let mut server = TerrainServer::new(edits(), "hills 42", busy()).unwrap();
    let mut client = client(1);
    let now = crate::network::STEP;
    server.connect(1, now);
    for packet in client.send(now) {
        server.receive(1, &packet, now).unwrap();
    }
    let welcome = server.send(now).remove(0).1;
    let error = client.receive(&welcome).unwrap_err().to_string();
    let message = "the server edits the terrain \"hills 42\", but this client has \"rough\"";
    assert_eq!(error, message);
    let long = TerrainServer::new(
        Edits::new(Arc::new(FlatBase::default())),
        "x".repeat(1001),
        busy(),
    );
    let message = "the description of the base has 1001 bytes, but at most 1000 are allowed";
    assert_eq!(long.unwrap_err().to_string(), message);
}
