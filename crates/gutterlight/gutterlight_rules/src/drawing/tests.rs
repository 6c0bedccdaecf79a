use lanternfell_random::SeededRng;

use super::*;
use crate::World;

/// Every letter of the legend, with each kind of ground next to something that lies on it.
const ALL: &str = "\
##########[###]##
#@.!iYyf*m_wshlp#
#W:tT$kcE~ovbqdj#
#,aurxg....<...>##
#+/XO=%{}......  #
################ #
   #....#      ###
   ######";

fn read(text: &str) -> Result<Drawing, DrawingError> {
    parse(&Rules::standard(), text)
}

#[test]
fn drawing_of_all_letters_round_trips() {
    let drawing = read(ALL).expect("a drawing");
    assert_eq!(draw(&drawing.floor, Some(drawing.thief)), ALL);
    for (letter, _) in LEGEND {
        assert!(ALL.contains(letter), "{letter:?} is not tested");
    }
}

#[test]
fn random_drawings_round_trip() {
    let mut rng = SeededRng::new(1, b"test    ");
    for _ in 0..200 {
        let (width, height) = (rng.within(1, 30), rng.within(1, 12));
        let wall = "#".repeat(width as usize + 3);
        let mut rows = vec![wall.clone()];
        for _ in 0..height {
            let cells = (0..width).map(|_| rng.pick(&LEGEND).map_or('.', |known| known.0));
            // These may occur only once.
            let row: String = cells.collect::<String>().replace(['@', '<', '>'], " ");
            rows.push(format!("#{row}.#"));
        }
        rows[1].replace_range(1..2, "@");
        rows.push(wall);
        let text = rows.join("\n");
        let Ok(drawing) = read(&text) else {
            assert!(
                text.matches(['w', 's', 'h', 'l', 'p', 'W']).count() > MOST_GUARDS,
                "{text}"
            );
            continue;
        };
        let drawn = draw(&drawing.floor, Some(drawing.thief));
        assert_eq!(drawn, text);
        assert_eq!(read(&drawn), Ok(drawing), "{text}");
    }
}

#[test]
fn legend_has_no_duplicates() {
    for (place, (letter, sign)) in LEGEND.into_iter().enumerate() {
        let mut rest = LEGEND.into_iter().skip(place + 1);
        assert!(
            rest.all(|(other, meaning)| other != letter && meaning != sign),
            "{letter}"
        );
    }
}

#[test]
fn indentation_and_empty_lines_are_ignored() {
    let plain = "#####\n#.<.#\n#   #\n#####";
    let drawn = read(plain);
    assert!(drawn.is_ok());
    let indented = plain.replace('\n', "\n        ");
    assert_eq!(read(&format!("\n\n        {indented}\n    \n")), drawn);
}

#[test]
fn short_rows_are_filled_with_rock() {
    let drawing = read("####\n#<.###\n#    #\n######").expect("a drawing");
    assert_eq!(drawing.floor.tile(IVec2::new(5, 0)), Tile::Rock);
    assert_eq!(drawing.floor.tiles.width(), 6);
    assert_eq!(drawing.thief, IVec2::new(1, 1), "on the stairs");
}

#[test]
fn things_get_the_ground_to_their_west() {
    let drawing = read("#########\n#~@w#s_$#\n#########");
    let floor = drawing.expect("a drawing").floor;
    let ground = |x| floor.tile(IVec2::new(x, 1)).ground();
    assert_eq!(ground(2), Ground::Water);
    assert_eq!(ground(3), Ground::Water, "under the second too");
    assert_eq!(ground(5), Ground::Stone, "next to a wall");
    assert_eq!(ground(7), Ground::Carpet);
}

#[test]
fn closed_shutters_block_moonlight() {
    for (north, south, shines) in [
        ('#', '#', true),
        ('#', ']', true),
        ('[', ']', true),
        ('[', '#', false),
        ('[', '[', false),
    ] {
        let map = format!("##{north}#\n#@m#\n#.{south}#\n####");
        let floor = read(&map).expect("a drawing").floor;
        assert_eq!(floor.fixtures[0].burning, shines, "{map}");
    }
}

#[test]
fn numbers_come_from_the_rules() {
    let rules = Rules::standard();
    let floor = read("########\n#@wshTq#\n########")
        .expect("a drawing")
        .floor;
    let [watchman, sentry, hound] = &floor.guards[..] else {
        panic!("three guards");
    };
    assert_eq!(watchman.health, rules.guard(GuardKind::Watchman).health);
    assert_eq!(watchman.lantern, Lantern::Lit);
    assert_eq!(
        (sentry.lantern, hound.lantern),
        (Lantern::None, Lantern::None)
    );
    assert_eq!(sentry.duty, Duty::Post);
    let torch = Torch {
        lit: true,
        fuel: rules.thief.fuel_start,
    };
    assert_eq!(floor.item_at(IVec2::new(5, 1)), Some(Item::Torch(torch)));
    let pebbles = Stack {
        tool: Tool::Pebbles,
        count: rules.tools.pebbles,
    };
    assert_eq!(floor.item_at(IVec2::new(6, 1)), Some(Item::Tool(pebbles)));
}

#[test]
fn rejects_invalid_drawings() {
    let at = IVec2::new;
    let wrong = [
        (
            "",
            DrawingError::Size {
                width: 0,
                height: 0,
            },
        ),
        (
            "##\n##\n##",
            DrawingError::Size {
                width: 2,
                height: 3,
            },
        ),
        (
            "###\n#@#",
            DrawingError::Size {
                width: 3,
                height: 2,
            },
        ),
        (
            "####\n#@?#\n####",
            DrawingError::Letter {
                letter: '?',
                at: at(2, 1),
            },
        ),
        (
            "####\n#@\t#\n####",
            DrawingError::Letter {
                letter: '\t',
                at: at(2, 1),
            },
        ),
        (
            "####\n#@@#\n####",
            DrawingError::Twice {
                letter: '@',
                at: at(2, 1),
            },
        ),
        (
            "####\n#<<#\n####",
            DrawingError::Twice {
                letter: '<',
                at: at(2, 1),
            },
        ),
        (
            "#####\n#@>>#\n#####",
            DrawingError::Twice {
                letter: '>',
                at: at(3, 1),
            },
        ),
        ("####\n#..#\n####", DrawingError::NoThief),
    ];
    for (text, error) in wrong {
        assert_eq!(read(text), Err(error), "{text}");
    }
    for (letter, at) in [
        ('.', at(0, 1)),
        ('+', at(0, 1)),
        ('X', at(0, 1)),
        ('{', at(0, 1)),
    ] {
        let text = format!("###\n{letter}@#\n###");
        let found = read(&text).err();
        assert!(
            matches!(found, Some(DrawingError::Border { at: there, .. }) if there == at),
            "{letter}: {found:?}"
        );
    }
    let row = format!("#{}#", "w".repeat(65));
    let wall = "#".repeat(67);
    let crowd = format!("{wall}\n{row}\n#@{}#\n{wall}", ".".repeat(64));
    assert_eq!(read(&crowd), Err(DrawingError::Guards(65)));
    let long = format!("{0}\n#@{1}#\n{0}", "#".repeat(130), ".".repeat(127));
    let size = DrawingError::Size {
        width: 130,
        height: 3,
    };
    assert_eq!(read(&long), Err(size));
}

#[test]
fn world_starts_at_the_drawn_thief() {
    let map = "#########\n#<......#\n#####.###\n    #@#\n    ###";
    let world = World::from_drawing(Rules::standard(), 1, map).expect("a world");
    assert_eq!(world.view().thief().at, IVec2::new(5, 3));
    assert_eq!(world.floor().up, IVec2::new(1, 1));
    // The world did not see anything from the stairs.
    assert!(world.view().memory(IVec2::new(8, 0)).is_none());
    assert_eq!(draw(world.floor(), Some(world.view().thief().at)), map);
}
