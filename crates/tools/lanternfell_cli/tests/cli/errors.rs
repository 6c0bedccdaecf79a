//! Rejected input: exit code 2, one line that names the problem and what is allowed, no output, and old files
//! unchanged.

use super::{Folder, text};

#[test]
fn rejects_missing_sources() {
    let folder = Folder::new();
    folder.refuse(
        "generate perlin -o a.png",
        &["`perlin`", "faults, fluid, fractal-noise, hills", ".ron"],
    );
    folder.refuse(
        "generate perlin.ron -o a.png",
        &["perlin.ron", "No such file"],
    );
    folder.refuse(
        "render perlin.png -o a.png",
        &["perlin.png", "No such file"],
    );
    folder.refuse(
        "render perlin.gif -o a.png",
        &["`perlin.gif`", ".ron, .png, .raw, .r16, .r32, .pgm"],
    );
    std::fs::create_dir(folder.path("folder.ron")).unwrap();
    folder.refuse(
        "generate folder.ron -o a.png",
        &["folder.ron", "not a file"],
    );
}

/// Opening the pipe would wait for a writer forever.
#[cfg(unix)]
#[test]
fn rejects_named_pipes() {
    let folder = Folder::new();
    for name in ["pipe.ron", "pipe.png"] {
        let made = std::process::Command::new("mkfifo")
            .arg(folder.path(name))
            .status();
        assert!(made.unwrap().success());
        folder.refuse(&format!("render {name} -o a.png"), &[name, "not a file"]);
    }
}

#[test]
fn rejects_invalid_parameters() {
    let folder = Folder::new();
    folder.refuse(
        "generate hills --set radius=4 -o a.png",
        &[
            "hills has no parameter `radius`",
            "count, radius_min, radius_max, island",
            "gamma",
        ],
    );
    folder.refuse(
        "generate faults --set lines=many -o a.png",
        &["faults: lines is `many`", "a whole number"],
    );
    folder.refuse(
        "generate faults --set lines=-3 -o a.png",
        &["lines is `-3`", "a whole number from 1 to 1000000"],
    );
    folder.refuse(
        "generate faults --set lines=99999999999 -o a.png",
        &["lines is `99999999999`", "a whole number from 1 to 1000000"],
    );
    folder.refuse(
        "generate islands --set warp=1e308 -o a.png",
        &["warp is 1e308, but"],
    );
    folder.refuse(
        "generate faults --set lines -o a.png",
        &["lines", "NAME=VALUE"],
    );
    folder.refuse(
        "generate fluid --set gamma=flat -o a.png",
        &["filter: gamma is `flat`", "a number from 1 to 16"],
    );
    folder.refuse(
        "generate fluid --set gamma=0.5 -o a.png",
        &["filter: gamma is 0.5", "from 1 to 16"],
    );
    folder.refuse(
        "generate fluid --set gamma=NaN -o a.png",
        &["gamma is NaN", "from 1"],
    );
}

#[test]
fn rejects_parameters_out_of_range() {
    let folder = Folder::new();
    // The stability of the fluid: c t / d must not exceed 1/sqrt(2).
    folder.refuse("generate fluid --set c=230 -o a.png", &["fluid: c is 230"]);
    folder.refuse("generate fluid --set mu=-1 -o a.png", &["mu is -1"]);
    // Island hills must fit between the center and the edge.
    folder.refuse(
        "generate hills --set island=true --set radius_min=35 --size 64 -o a.png",
        &["hills: radius_min is 35", "31.5"],
    );
    folder.refuse("generate hills --set radius_min=50 -o a.png", &["radius"]);
    folder.refuse(
        "generate islands --set octaves=0 -o a.png",
        &["octaves is 0"],
    );
}

/// The lengths of a preset are in cells, so a smaller map covers less area, which may be too little.
#[test]
fn rejects_recipes_for_another_size() {
    let folder = Folder::new();
    folder.refuse(
        "generate volcano --size 16 -o a.png",
        &["step `cone`", "is 12", "for 768x768 cells", "--resize"],
    );
    folder.refuse(
        "tile volcano --size 16 -o tiles",
        &["step `cone`", "`lanternfell generate --resize`"],
    );
    let wrong_at_any_size = "generate volcano --size 128 --set cone.radius_max=9999 -o a.png";
    folder.refuse(wrong_at_any_size, &["step `cone`", "is 9999"]);
    let output = folder.command(wrong_at_any_size).output().unwrap();
    assert!(!text(&output.stderr).contains("--resize"));
}

#[test]
fn rejects_invalid_sizes() {
    let folder = Folder::new();
    for size in ["0", "1x5", "99999", "512x0", "18446744073709551615x2"] {
        folder.refuse(
            &format!("generate hills --size {size} -o a.png"),
            &["--size", "from 2 to 16384"],
        );
    }
    for size in ["big", "512x", "-5", "3x4x5", "1e3", "99999999999999999999"] {
        folder.refuse(
            &format!("generate hills --size={size} -o a.png"),
            &["--size", "640x480"],
        );
    }
    folder.refuse(
        "render faults --picture 0x9 -o a.png",
        &["width is 0", "from 1 to 16384"],
    );
    folder.refuse(
        "render faults --picture 99999999999x9 -o a.png",
        &["--picture", "99999999999x9", "from 1 to 16384"],
    );
    folder.refuse(
        "render faults --picture 20000x9 -o a.png",
        &["width is 20000", "from 1 to 16384"],
    );
}

#[test]
fn rejects_invalid_output_files() {
    let folder = Folder::new();
    folder.refuse("generate hills", &["--output"]);
    folder.refuse(
        "generate hills -o a.jpg",
        &[
            "a.jpg",
            ".png, .raw, .r16, .r32, .pgm, .tif, .tiff, .exr, .asc, .xyz, .obj, .stl, .glb, .ron",
        ],
    );
    folder.refuse("generate hills -o png", &["supported: .png"]);
    folder.refuse("render hills -o a.r16", &["a.r16", "supported: .png"]);
    folder.refuse(
        "generate hills -o none/a.png",
        &["none/a.png", "No such file"],
    );
    std::fs::create_dir(folder.path("a.png")).unwrap();
    folder.refuse("generate hills -o a.png", &["a.png", "folder"]);
}

#[cfg(unix)]
#[test]
fn rejects_unwritable_folder() {
    let folder = Folder::new();
    // Not even root can create files there.
    folder.refuse(
        "generate hills --size 9 --set radius_max=4 -o /proc/a.png",
        &["/proc/a.png"],
    );
}

#[test]
fn rejects_contradicting_options() {
    let folder = Folder::new();
    folder.succeed("generate faults --size 9 -o a.png");
    folder.succeed("generate faults --size 9 -o a.r16");
    folder.refuse("generate hills --bits 12 -o b.png", &["--bits", "8 or 16"]);
    folder.refuse(
        "generate hills --bits 8 -o b.raw",
        &["--bits is only for .png"],
    );
    folder.refuse(
        "generate hills --big-endian -o b.r16",
        &["--big-endian", ".raw"],
    );
    folder.refuse(
        "generate hills --raw-format u8 -o b.png",
        &["--raw-format", ".raw"],
    );
    folder.refuse(
        "generate hills --raw-format u9 -o b.raw",
        &["u9", "u8, u16, i16, f32"],
    );
    folder.refuse("render a.r16 -o b.png", &["a.r16", "--size"]);
    folder.refuse("render a.r16 --size 9 --big-endian -o b.png", &[".raw"]);
    folder.refuse("render a.png --size 9 -o b.png", &["--size", ".png"]);
    folder.refuse("render a.png --seed 9 -o b.png", &["--seed"]);
    folder.refuse(
        "render a.png --palette gray -o b.png",
        &["--palette", "--view top"],
    );
    folder.refuse(
        "render a.png --view top --zoom 2 -o b.png",
        &["--zoom", "--view perspective"],
    );
    folder.refuse(
        "render a.png --view side -o b.png",
        &["side", "perspective, top"],
    );
    folder.refuse(
        "generate hills -o a.r16 --format png",
        &["--format png", "a.r16"],
    );
    folder.refuse(
        "generate hills -o a.png --format ron",
        &["--format ron", "a.png"],
    );
    folder.refuse(
        "render hills -o v.png --view top --palette gray --sun-azimuth 20",
        &["lit palette"],
    );
    folder.refuse(
        "mesh hills -o a.glb --texture none --sea-level 0.5",
        &["--sea-level", "--texture is none"],
    );
}

#[test]
fn rejects_view_options_out_of_range() {
    let folder = Folder::new();
    folder.succeed("generate faults --size 9 -o a.png");
    for (option, parts) in [
        ("--sea-level 1.5", ["sea_level is 1.5", "at most 1"]),
        ("--sea-level 1.1", ["sea_level is 1.1,", "at most 1"]),
        ("--sea-level NaN", ["sea_level is NaN", "at most 1"]),
        ("--elevation 95", ["elevation is 95", "from 1 to 90"]),
        (
            "--sun-elevation -5",
            ["sun_elevation is -5", "from 1 to 90"],
        ),
        ("--zoom NaN", ["zoom is NaN", "from 0.1 to 20"]),
        ("--zoom much", ["--zoom", "much"]),
        ("--samples 100", ["samples is 100", "from 1 to 8"]),
        ("--samples -1", ["--samples", "from 1 to 8"]),
        (
            "--view top --sea-level 1.1",
            ["sea_level is 1.1,", "at most 1"],
        ),
        (
            "--vertical-scale 0",
            ["vertical_scale is 0", "from 0.01 to 2"],
        ),
    ] {
        folder.refuse(&format!("render a.png {option} -o b.png"), &parts);
    }
}

#[test]
fn argument_errors_have_one_line() {
    let folder = Folder::new();
    folder.refuse("", &[]);
    folder.refuse("grow", &["grow"]);
    folder.refuse("generate", &[]);
    folder.refuse("generate hills --sead 3 -o a.png", &["--sead", "--seed"]);
    folder.refuse("generate hills --seed three -o a.png", &["--seed", "three"]);
    for seed in ["-3", "1e3", "18446744073709551616"] {
        folder.refuse(
            &format!("generate hills --seed {seed} -o a.png"),
            &["--seed", seed, "from 0 to 18446744073709551615"],
        );
    }
}

#[test]
fn rejects_damaged_pngs() {
    let folder = Folder::new();
    folder.succeed("generate faults --size 50 -o whole.png");
    let whole = folder.read("whole.png");
    for length in [0, 5, 20, 40, whole.len() / 2, whole.len() - 20] {
        folder.write("cut.png", &whole[..length]);
        folder.refuse("render cut.png -o a.png", &["cut.png", "PNG"]);
    }
    folder.write("text.png", "this is not a picture");
    folder.refuse("render text.png -o a.png", &["text.png", "not a PNG"]);
    let mut colors = std::io::Cursor::new(Vec::new());
    let red = image::RgbImage::from_pixel(4, 4, image::Rgb([200, 0, 0]));
    red.write_to(&mut colors, image::ImageFormat::Png).unwrap();
    folder.write("red.png", colors.into_inner());
    folder.refuse(
        "render red.png -o a.png",
        &["red.png", "column 0, row 0", "not gray"],
    );
}

/// A sparse file of 3 GiB that starts like a small map is rejected from its first bytes.
#[test]
fn rejects_pngs_too_long_for_their_size() {
    let folder = Folder::new();
    folder.succeed("generate faults --size 50 -o a.png");
    let long = |name: &str| {
        let file = std::fs::File::options()
            .write(true)
            .open(folder.path(name))
            .unwrap();
        file.set_len(3 << 30).unwrap();
    };
    long("a.png");
    folder.refuse(
        "render a.png -o b.png",
        &["a.png", "too long for a heightmap of 50x50"],
    );
    folder.write("text.png", "this is not a picture");
    long("text.png");
    folder.refuse("render text.png -o b.png", &["text.png", "not a PNG"]);
    let mut header = folder.read("a.png")[..24].to_vec();
    header[16..20].copy_from_slice(&20_000_u32.to_be_bytes());
    folder.write("wide.png", header);
    folder.refuse("render wide.png -o b.png", &["20000x50", "from 2 to 16384"]);
}

#[test]
fn rejects_raw_files_of_wrong_length() {
    let folder = Folder::new();
    folder.succeed("generate faults --size 20 -o a.r16");
    folder.refuse(
        "render a.r16 --size 21 -o b.png",
        &["a.r16", "800 bytes", "882 bytes"],
    );
    let mut bytes = folder.read("a.r16");
    bytes.pop();
    folder.write("a.r16", bytes);
    folder.refuse(
        "render a.r16 --size 20 -o b.png",
        &["a.r16", "799 bytes", "800 bytes"],
    );
    let numbers = [0.0, f32::NAN, 0.5, 1.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|v| v.to_le_bytes()).collect();
    folder.write("a.r32", bytes);
    folder.refuse(
        "render a.r32 --size 2 -o b.png",
        &["a.r32", "column 1, row 0", "NaN"],
    );
}

#[test]
fn rejects_invalid_recipes() {
    let folder = Folder::new();
    let recipe =
        |steps: &str| format!("(\n  version: 1,\n  size: (64, 64),\n  steps: {{\n{steps}\n}})\n");
    for (content, parts) in [
        ("hello", ["a.ron", "line 1"]),
        ("", ["a.ron", "line 1"]),
        (&recipe("\"a\": Generate(by: Hils(()))"), ["line 5", "Hils"]),
        (
            &recipe("\"a\": Generate(by: Hills((cuont: 3)))"),
            ["line 5", "cuont"],
        ),
        (
            &recipe("\"a\": Generate(by: Hills((count: \"3\")))"),
            ["line 5", "column"],
        ),
        (&recipe("\"a\": Generate(by: Hills(())"), ["line", "column"]),
        (&recipe(""), ["a.ron", "from 1 to 256"]),
        (
            &recipe("\"sea-bed\": Generate(by: Fluid((c: 230)))"),
            ["step `sea-bed`", "fluid: c is 230"],
        ),
        (
            &recipe("\"a\": Filter(of: \"b\", by: []), \"b\": Filter(of: \"a\", by: [])"),
            ["step `b` depends on itself", "`a`"],
        ),
        (
            &recipe("\"a\": Filter(of: \"c\", by: [])"),
            ["step `a`", "no step `c`"],
        ),
        ("(version: 9)", ["version 9", "reads version 1"]),
        (
            "(version: 1, size: (1, 64), steps: {})",
            ["1x64", "from 2 to 65536"],
        ),
    ] {
        folder.write("a.ron", content);
        folder.refuse("generate a.ron -o a.png", &parts);
        folder.refuse("render a.ron -o a.png", &parts);
    }
    folder.write("a.ron", [0xff, 0xfe, 0x00]);
    folder.refuse("generate a.ron -o a.png", &["a.ron", "UTF-8"]);
    folder.write("a.ron", vec![b' '; (1 << 20) + 1]);
    folder.refuse("generate a.ron -o a.png", &["a.ron", "too long"]);
}

#[test]
fn failures_keep_old_files() {
    let folder = Folder::new();
    folder.write("a.png", "old");
    folder.write("cut.png", "\u{89}PNG");
    folder.refuse(
        "generate hills --set radius_max=-1 --size 64 -o a.png",
        &["radius_max"],
    );
    folder.refuse("generate hills --size 0 -o a.png", &["--size"]);
    folder.refuse("render cut.png -o a.png", &["cut.png"]);
    folder.refuse("render faults --zoom 1000 -o a.png", &["zoom"]);
    assert_eq!(folder.read("a.png"), b"old");
}

#[test]
fn help_and_version_succeed() {
    let folder = Folder::new();
    for (words, parts) in [
        ("--help", &["generate", "render", "Examples:"][..]),
        (
            "generate --help",
            &["--set", "radius_min", ".r16", "Examples:"],
        ),
        (
            "render --help",
            &["--sun-elevation", "--sea-level", "127/255", "Examples:"],
        ),
        ("--version", &["lanternfell 0."]),
    ] {
        let said = folder.succeed(words);
        for part in parts {
            assert!(said.contains(part), "{words}: {part}");
        }
    }
    // No arguments are an error, but the message lists the commands.
    let output = folder.command("").output().unwrap();
    assert!(
        text(&output.stderr).contains("generate"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn rejects_too_large_mesh_before_making_map() {
    let folder = Folder::new();
    // Making the map would take longer than a test may.
    let start = std::time::Instant::now();
    let parts = &["GLB file would have", "4294967295", "larger step"];
    folder.refuse("mesh volcano --size 16384 -o a.glb", parts);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
