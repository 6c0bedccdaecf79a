//! What tests of several crates share.
//!
//! [`Program`] runs a program headless and returns the image it writes, [`difference`] and [`share`] compare images,
//! and [`assert_golden`] compares texts with files.
//!
//! Images need a Vulkan driver; a software one is enough. Without one the tests fail on
//! purpose: an image that was not drawn proves nothing.

mod golden;

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::LazyLock,
    thread,
    time::{Duration, Instant},
};

use image::RgbImage;

pub use golden::assert_golden;

/// How many cases a random test tries: `few`, or `all` if the environment variable `LANTERNFELL_SOAK` is set, as
/// `.ci/soak` does.
pub fn cases(few: u32, all: u32) -> u32 {
    match env::var_os("LANTERNFELL_SOAK") {
        Some(_) => all,
        None => few,
    }
}

/// The pictures' size in pixels, as the argument says it.
pub const SIZE: &str = "256x144";
/// Pictures are compared by the mean colors of squares with sides of so many pixels: drivers
/// differ in single pixels.
const BLOCK: u32 = 16;
/// Longer than any picture here takes on a slow and busy machine without a graphics card.
const PATIENCE: Duration = Duration::from_secs(600);

/// A program that understands `--headless`.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    settings: Vec<(&'static str, &'static str)>,
}

impl Program {
    /// The program in this file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            settings: Vec::new(),
        }
    }

    /// The program with an environment variable.
    #[must_use]
    pub fn with_env(mut self, name: &'static str, value: &'static str) -> Self {
        self.settings.push((name, value));
        self
    }

    /// The program within the limits of WebGL2, whatever the driver can do.
    #[must_use]
    pub fn within_webgl2(self) -> Self {
        self.with_env("WGPU_SETTINGS_PRIO", "webgl2")
    }

    /// An example, as the sources are now: all examples are built first, which takes a moment if
    /// they are. `cargo test` itself builds of an example that has tests only these.
    ///
    /// # Panics
    /// If it can not be built.
    pub fn example(name: &str) -> Self {
        static BUILT: LazyLock<()> = LazyLock::new(build_examples);
        LazyLock::force(&BUILT);
        let test = env::current_exe().unwrap();
        let target = test.ancestors().nth(2).unwrap();
        let example = target
            .join("examples")
            .join(format!("{name}{}", env::consts::EXE_SUFFIX));
        assert!(example.exists(), "there is no {}", example.display());
        Self::at(example)
    }

    /// Runs it to its end, in an empty folder, with these environment variables.
    ///
    /// # Panics
    /// If it can not be run, or does not end.
    pub fn run(&self, args: &[&str], settings: &[(&str, &str)]) -> Output {
        let folder = tempfile::tempdir().unwrap();
        let mut child = self
            .command(folder.path())
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .envs(settings.iter().copied())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > PATIENCE {
                child.kill().unwrap();
                panic!("{} {args:?} did not end", self.path.display());
            }
            thread::sleep(Duration::from_millis(20));
        }
        child.wait_with_output().unwrap()
    }

    /// Its command, to be run in this folder: it says only what it itself has to say, without
    /// the engine's log.
    pub fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.path);
        command
            .current_dir(folder)
            .envs(self.settings.iter().copied())
            .env("RUST_LOG", "off,wgpu=off")
            // Some drivers complain without this folder.
            .env("XDG_RUNTIME_DIR", folder);
        command
    }

    /// The picture that it draws.
    ///
    /// # Panics
    /// As [`draw_at`](Self::draw_at).
    pub fn draw(&self, own: &[&str]) -> RgbImage {
        self.draw_at(SIZE, own)
    }

    /// The picture of a size that it draws.
    ///
    /// # Panics
    /// If it fails, or writes more or less than the picture.
    pub fn draw_at(&self, size: &str, own: &[&str]) -> RgbImage {
        let folder = tempfile::tempdir().unwrap();
        let picture = folder.path().join("picture.png");
        let path = picture.to_str().unwrap();
        let args = ["--headless", "--size", size, "--screenshot", path];
        let output = self.run(&[&args, own].concat(), &[]);
        assert!(
            output.status.success(),
            "{}: {}",
            output.status,
            errors(&output)
        );
        let left: Vec<_> = folder
            .path()
            .read_dir()
            .unwrap()
            .map(|file| file.unwrap().file_name())
            .collect();
        assert_eq!(
            left,
            ["picture.png"],
            "more or less than the picture was written"
        );
        read(&picture, size)
    }
}

/// With the features that `cargo test --workspace` has chosen, so that nothing else is compiled.
fn build_examples() {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--locked", "--workspace", "--examples"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let built = build.status().unwrap();
    assert!(built.success(), "the examples can not be built");
}

/// The picture in this file.
///
/// # Panics
/// If it can not be read, or is of another size.
pub fn read(path: &Path, size: &str) -> RgbImage {
    let picture = image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let picture = picture.to_rgb8();
    assert_eq!(format!("{}x{}", picture.width(), picture.height()), size);
    picture
}

/// What was said on standard error.
pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The share of pixels in the rows from one part of the height to another that are so.
pub fn share(picture: &RgbImage, rows: (f32, f32), is_so: impl Fn(i32, i32, i32) -> bool) -> f32 {
    let (first, end) = (
        rows.0 * picture.height() as f32,
        rows.1 * picture.height() as f32,
    );
    let pixels = picture
        .enumerate_pixels()
        .filter(|&(_, y, _)| (first..end).contains(&(y as f32)));
    let (mut all, mut those) = (0, 0);
    for (_, _, pixel) in pixels {
        let [r, g, b] = pixel.0.map(i32::from);
        all += 1;
        those += u32::from(is_so(r, g, b));
    }
    those as f32 / all as f32
}

/// The mean and the greatest difference between two pictures' blocks, in steps of 255.
pub fn difference(a: &RgbImage, b: &RgbImage) -> (f32, f32) {
    let means = |picture: &RgbImage| -> Vec<f32> {
        let blocks = (
            picture.width().div_ceil(BLOCK),
            picture.height().div_ceil(BLOCK),
        );
        let mut sums = vec![0.0; (blocks.0 * blocks.1 * 3) as usize];
        for (x, y, pixel) in picture.enumerate_pixels() {
            let block = (y / BLOCK * blocks.0 + x / BLOCK) as usize;
            for (channel, value) in pixel.0.into_iter().enumerate() {
                sums[3 * block + channel] += f32::from(value) / (BLOCK * BLOCK) as f32;
            }
        }
        sums
    };
    let (a, b) = (means(a), means(b));
    let differences = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
    let worst = differences.clone().fold(0.0, f32::max);
    (differences.sum::<f32>() / a.len() as f32, worst)
}

/// Checks that a program ended with exit code 2 and one line that holds all these words.
///
/// # Panics
/// If not.
pub fn check_refused(output: &Output, words: &[&str]) {
    let said = errors(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.lines().count() == 1 && said.starts_with("error: "),
        "not one line:\n{said}"
    );
    for word in words {
        assert!(said.contains(word), "`{said}` does not say `{word}`");
    }
}
