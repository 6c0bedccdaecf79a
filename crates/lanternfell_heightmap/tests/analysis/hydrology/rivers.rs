//! Rivers as lines and as a mask.

use super::*;

/// Strahler's order, by its definition.
fn strahler(drainage: &Drainage, areas: &[u32], least: u32, cell: usize) -> u8 {
    let donors = neighbors(drainage.size(), cell)
        .into_iter()
        .filter(|&donor| receiver(drainage, donor) == Some(cell) && areas[donor] >= least);
    let orders: Vec<u8> = donors
        .map(|donor| strahler(drainage, areas, least, donor))
        .collect();
    let highest = orders.iter().copied().max().unwrap_or(1);
    highest + u8::from(orders.iter().filter(|&&order| order == highest).count() > 1)
}

fn cells_of(river: &River, width: usize) -> Vec<usize> {
    let points = river.points.iter();
    points
        .map(|p| p.y as usize * width + p.x as usize)
        .collect()
}

#[test]
fn rivers_contain_every_river_cell_once() {
    let progress = Progress::default();
    for_each_case(|case, water, ground| {
        let (width, cells) = (ground.width(), ground.size().cells());
        let drainage = drain(water, ground);
        let areas = drainage.areas(&progress).unwrap();
        for least in [1, 4, 20] {
            let rivers = Rivers {
                share: (f64::from(least) / cells as f64).min(1.0),
                ..Rivers::default()
            };
            let least = least.min(cells as u32);
            let lines = rivers.lines(&drainage, &progress).unwrap();
            let mut times = vec![0; cells];
            for (index, river) in lines.iter().enumerate() {
                let way = cells_of(river, width);
                let (&end, own) = way.split_last().unwrap();
                own.iter().for_each(|&cell| times[cell] += 1);
                assert!(
                    way.windows(2)
                        .all(|w| receiver(&drainage, w[0]) == Some(w[1])),
                    "{case}, {least} cells: river {index}"
                );
                assert!(
                    river.points.is_sorted_by_key(|point| point.area),
                    "{case}, {least} cells: river {index}"
                );
                let last = own[own.len() - 1];
                assert_eq!(
                    river.order,
                    strahler(&drainage, &areas, least, last),
                    "{case}, {least} cells: river {index}"
                );
                match river.joins {
                    None => assert_eq!(
                        receiver(&drainage, end),
                        None,
                        "{case}, {least} cells: river {index}"
                    ),
                    Some(main) => {
                        assert!(
                            (main as usize) < index,
                            "{case}, {least} cells: river {index}"
                        );
                        let main = cells_of(&lines[main as usize], width);
                        assert!(
                            main[..main.len() - 1].contains(&end),
                            "{case}, {least} cells: river {index}"
                        );
                    }
                }
            }
            for cell in 0..cells {
                let river = areas[cell] >= least && receiver(&drainage, cell).is_some();
                assert_eq!(
                    times[cell],
                    u32::from(river),
                    "{case}, {least} cells: cell {cell}"
                );
            }
        }
    });
}

#[test]
fn river_continues_along_its_larger_branch() {
    let progress = Progress::default();
    let map = islands(size(150, 130));
    let drainage = drain(Hydrology::default(), &map);
    let areas = drainage.areas(&progress).unwrap();
    let lines = Rivers::default().lines(&drainage, &progress).unwrap();
    let joining = lines.iter().filter(|river| river.joins.is_some());
    assert!(joining.clone().count() > 20);
    for river in joining {
        let way = cells_of(river, 150);
        let (end, own) = (way[way.len() - 1], way[way.len() - 2]);
        let main = cells_of(&lines[river.joins.unwrap() as usize], 150);
        let at = main.iter().position(|&cell| cell == end).unwrap();
        assert!(areas[main[at - 1]] >= areas[own], "at {end}");
    }
}

#[test]
fn smooth_keeps_the_ends_and_shortens_the_line() {
    let length = |river: &River| -> f32 {
        let steps = river.points.windows(2);
        steps
            .map(|w| (w[1].x - w[0].x).hypot(w[1].y - w[0].y))
            .sum()
    };
    let drainage = drain(Hydrology::default(), &islands(size(150, 130)));
    let rivers = Rivers::default()
        .lines(&drainage, &Progress::default())
        .unwrap();
    let long = |(_, river): &(usize, &River)| river.points.len() > 20;
    for (number, river) in rivers.iter().enumerate().filter(long) {
        let mut smooth = river.clone();
        smooth.smooth(4);
        assert_eq!(smooth.points[0], river.points[0], "river {number}");
        assert_eq!(smooth.points.last(), river.points.last(), "river {number}");
        assert!(length(&smooth) < 1.0001 * length(river), "river {number}");
        let moved = smooth.points.iter().zip(&river.points);
        assert!(
            moved
                .into_iter()
                .all(|(a, b)| (a.x - b.x).hypot(a.y - b.y) < 2.0),
            "river {number}"
        );
    }
}

#[test]
fn masks_are_wider_for_larger_catchments() {
    let progress = Progress::default();
    let drainage = drain(Hydrology::default(), &islands(size(150, 130)));
    let mask = |width| {
        let rivers = Rivers {
            width,
            ..Rivers::default()
        };
        rivers.mask(&drainage, &progress).unwrap()
    };
    let (narrow, wide) = (mask(0.0), mask(0.1));
    let areas = drainage.areas(&progress).unwrap();
    let least = 150 * 130 / 1000;
    for (cell, &area) in areas.iter().enumerate() {
        let river = area > least && receiver(&drainage, cell).is_some();
        assert!(!river || narrow.heights()[cell] == 1.0, "cell {cell}");
        assert!(
            wide.heights()[cell] >= narrow.heights()[cell],
            "cell {cell}"
        );
    }
    let sum = |mask: &Heightmap| mask.heights().iter().sum::<f32>();
    assert!(sum(&wide) > 1.2 * sum(&narrow));
    assert_eq!(wide.range(), (0.0, 1.0));
}
