//! Runs the program with limits on memory and file size.

#![cfg(target_os = "linux")]

use std::process::{Command, Output};

use super::{Folder, text};

/// Runs the program with these arguments under a limit of the shell.
fn limited(folder: &Folder, limit: &str, words: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_lanternfell");
    let mut shell = Command::new("sh");
    shell
        .current_dir(folder.path(""))
        .args(["-c", &format!("ulimit {limit} && exec {program} {words}")]);
    shell.output().unwrap()
}

/// Expects exit code 2, one line that contains `part`, and no change in the folder.
#[track_caller]
fn refuse(folder: &Folder, limit: &str, words: &str, part: &str) {
    let before = folder.names();
    let output = limited(folder, limit, words);
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}: {err}");
    assert!(
        err.starts_with("error: ") && err.contains(part),
        "{words}: {err}"
    );
    assert_eq!(err.lines().count(), 1, "{words}: {err}");
    assert_eq!(folder.names(), before, "{words}: no files may remain");
}

#[test]
fn reports_missing_memory_and_leaves_no_files() {
    let folder = Folder::new();
    folder.succeed("generate hills --size 64 --set radius_max=20 -o a.png");
    let memory = "not enough memory";
    // The map needs 256 MiB, and the program and its threads up to a hundred.
    for words in [
        "generate hills --size 8192 -o b.png",
        "generate hills --size 8192 --threads 2 -o -  --format tif",
        "generate islands --size 8192 -o b.r32 --sidecar",
        "convert a.png --resize 8192 -o b.tif",
        "render hills --size 8192 --view top -o b.png",
        "mesh hills --size 8192 -o b.stl",
    ] {
        refuse(&folder, "-v 262144", words, memory);
    }
    // Small maps work under the same limit.
    let output = limited(&folder, "-v 262144", "convert a.png --resize 100 -o c.png");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn reports_file_size_limit_and_leaves_no_files() {
    let folder = Folder::new();
    // 100 blocks of 512 bytes.
    for words in [
        "generate hills --size 512 -o a.r32",
        "generate hills --size 512 -o a.png",
        "mesh hills --size 512 -o a.stl",
    ] {
        refuse(&folder, "-f 100", words, "File too large");
    }
    let output = limited(
        &folder,
        "-f 100",
        "generate hills --size 64 --set radius_max=20 -o a.r16",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// The map has 128 MiB, of which `info` keeps a few bands. The whole map would exceed the limit.
#[test]
fn info_needs_less_memory_than_the_map() {
    let folder = Folder::new();
    let (width, height) = (8192, 4096_usize);
    let row = |y: usize| (0..width).flat_map(move |x| (((x + y) % 9000) as u16).to_le_bytes());
    folder.write("map.r16", (0..height).flat_map(row).collect::<Vec<u8>>());
    for ending in ["png", "tif"] {
        folder.succeed(&format!("convert map.r16 --size 8192x4096 -o map.{ending}"));
    }
    // Address space that threads reserve without using it would count too.
    let limit = format!("-v {MEMORY_OF_INFO} && export MALLOC_ARENA_MAX=1");
    for words in [
        "info map.r16 --size 8192x4096",
        "info map.png",
        "info map.tif",
    ] {
        let output = limited(&folder, &limit, &format!("{words} --threads 1"));
        let (said, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{words}: {err}");
        assert!(said.contains("8192 x 4096 cells"), "{words}: {said}");
    }
    // A command that needs the whole map fails under this limit.
    refuse(
        &folder,
        &limit,
        "info map.png --landscape --threads 1",
        "not enough memory",
    );
}

/// A TIFF that is a single compressed tile of 128 MiB, because it has 16 bands. The tile would exceed
/// the limit.
#[test]
fn large_tile_is_decompressed_in_pieces() {
    let folder = Folder::new();
    folder.write("tile.tif", tile(1024, 16));
    let limit = format!("-v {MEMORY_OF_INFO} && export MALLOC_ARENA_MAX=1");
    for words in [
        "info tile.tif --band 3",
        "convert tile.tif --band 3 -o band.tif",
    ] {
        let output = limited(&folder, &limit, &format!("{words} --threads 1"));
        let err = text(&output.stderr);
        assert!(output.status.success(), "{words}: {err}");
    }
    let said = folder.succeed("info band.tif");
    assert!(said.contains("2000.000 to 3023.000 m"), "{said}");
}

/// Returns a square TIFF of `f64` in a single tile, compressed with PackBits as runs of different bytes. The heights of
/// each row are 0, 1, 2 and so on in the first band, and 1000 higher in each other band.
fn tile(side: u32, bands: u32) -> Vec<u8> {
    let numbers = (0..side).flat_map(|x| (0..bands).map(move |band| f64::from(x + 1000 * band)));
    let numbers: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
    let runs = numbers.chunks(128).map(|run| [&[127], run].concat());
    let row: Vec<u8> = runs.flatten().collect();
    let strip = row.repeat(side as usize);
    // Each tag has a type (3 is SHORT, 4 is LONG) and a value.
    let tags = [
        (256, 4, side),
        (257, 4, side),
        (258, 3, 64),
        (259, 3, 32_773),
        (262, 3, 1),
        (277, 3, bands),
        (322, 4, side),
        (323, 4, side),
        (324, 4, 8 + 2 + 11 * 12 + 4),
        (325, 4, strip.len() as u32),
        (339, 3, 3),
    ];
    let mut file = b"II\x2a\0\x08\0\0\0\x0b\0".to_vec();
    for (tag, kind, value) in tags {
        file.extend(u16::to_le_bytes(tag));
        file.extend(u16::to_le_bytes(kind));
        file.extend(1_u32.to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    file.extend(strip);
    file
}

/// In KiB: the program itself and a few bands of rows, less than the map.
const MEMORY_OF_INFO: u32 = 120 << 10;
