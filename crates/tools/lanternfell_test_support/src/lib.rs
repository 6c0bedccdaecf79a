//! Helpers for the tests of several crates.
//!
//! [`Program`] runs a program headless and returns the image it writes, [`difference`] and [`share`] compare images,
//! and [`assert_golden`] compares hashes with pinned ones.
//!
//! Images need a Vulkan driver; a software driver is sufficient. Without one the tests fail on purpose, because they
//! would otherwise test nothing.

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

/// Returns the number of cases for a randomized test: `few`, or `all` if the environment variable `LANTERNFELL_SOAK` is
/// set, as `.ci/soak` does.
pub fn cases(few: u32, all: u32) -> u32 {
    match env::var_os("LANTERNFELL_SOAK") {
        Some(_) => all,
        None => few,
    }
}

/// The default image size in pixels, as a command-line argument.
pub const SIZE: &str = "256x144";
/// Images are compared by the mean colors of blocks with this side length in pixels, because drivers differ in single
/// pixels.
const BLOCK: u32 = 16;
/// The maximum run time of a program. Longer than any image here takes on a slow and busy machine without a GPU.
const PATIENCE: Duration = Duration::from_secs(600);

/// A program that supports `--headless`.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    settings: Vec<(&'static str, &'static str)>,
}

impl Program {
    /// The program at this path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            settings: Vec::new(),
        }
    }

    /// Sets an environment variable for the program.
    #[must_use]
    pub fn with_env(mut self, name: &'static str, value: &'static str) -> Self {
        self.settings.push((name, value));
        self
    }

    /// Restricts the program to the limits of WebGL2.
    #[must_use]
    pub fn within_webgl2(self) -> Self {
        self.with_env("WGPU_SETTINGS_PRIO", "webgl2")
    }

    /// An example program. The first call builds all examples, which is quick if they are up to date: `cargo test`
    /// alone does not build examples that have tests as programs.
    ///
    /// # Panics
    /// If the examples can not be built, or there is no such example.
    pub fn example(name: &str) -> Self {
        static BUILT: LazyLock<()> = LazyLock::new(build_examples);
        LazyLock::force(&BUILT);
        let test = env::current_exe().unwrap();
        let target = test.ancestors().nth(2).unwrap();
        let example = target
            .join("examples")
            .join(format!("{name}{}", env::consts::EXE_SUFFIX));
        assert!(example.exists(), "{} does not exist", example.display());
        Self::at(example)
    }

    /// Runs the program in an empty folder with these arguments and environment variables, and waits until it exits.
    ///
    /// # Panics
    /// If the program can not be started, or does not exit within 10 minutes.
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
                panic!("{} {args:?} did not exit", self.path.display());
            }
            thread::sleep(Duration::from_millis(20));
        }
        child.wait_with_output().unwrap()
    }

    /// Returns the command for the program in this folder, without the engine's log.
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

    /// Runs the program and returns the image it draws, at the default size.
    ///
    /// # Panics
    /// See [`draw_at`](Self::draw_at).
    pub fn draw(&self, own: &[&str]) -> RgbImage {
        self.draw_at(SIZE, own)
    }

    /// Runs the program and returns the image it draws, at the given size.
    ///
    /// # Panics
    /// If the program fails, or does not write exactly this image.
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
            "the program did not write exactly one image"
        );
        read(&picture, size)
    }
}

/// Builds with the features that `cargo test --workspace` uses, so that nothing is compiled twice.
fn build_examples() {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--locked", "--workspace", "--examples"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let built = build.status().unwrap();
    assert!(built.success(), "failed to build the examples");
}

/// Reads an image from a file.
///
/// # Panics
/// If the file can not be read, or the image has another size.
pub fn read(path: &Path, size: &str) -> RgbImage {
    let picture = image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let picture = picture.to_rgb8();
    assert_eq!(format!("{}x{}", picture.width(), picture.height()), size);
    picture
}

/// Returns the standard error output.
pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the fraction of pixels for which `is_so` is true, in a range of rows given as fractions of the height.
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

/// Returns the mean and the largest difference between the blocks of two images, from 0 to 255.
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

/// Checks that a program exited with code 2 and a single error line that contains all these words.
///
/// # Panics
/// If this is not the case.
pub fn check_refused(output: &Output, words: &[&str]) {
    let said = errors(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.lines().count() == 1 && said.starts_with("error: "),
        "expected a single line that starts with `error: `:\n{said}"
    );
    for word in words {
        assert!(said.contains(word), "`{said}` does not contain `{word}`");
    }
}
