//! The arguments that every example understands.

use std::{path::PathBuf, process};

use bevy::prelude::*;
use thiserror::Error;

use super::{EXIT_UNUSABLE, eprint_line};

/// How an app is to run: with a window or without, and which picture it is to take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadlessArgs {
    /// Draw off screen, without a window.
    pub headless: bool,
    /// Save this picture and end. Without it a headless app draws its frames and ends.
    pub screenshot: Option<PathBuf>,
    /// Frames to draw once every terrain is complete, before the picture.
    pub frames: u32,
    /// The size of the image in pixels, when headless.
    pub size: UVec2,
}

impl Default for HeadlessArgs {
    /// With a window, without a picture.
    fn default() -> Self {
        Self {
            headless: false,
            screenshot: None,
            frames: 12,
            size: UVec2::new(1280, 720),
        }
    }
}

/// Why the arguments can not be used, or what they ask for instead of running.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgsError {
    /// `--help` was given.
    #[error("help")]
    Help,
    /// An argument is wrong: what it is and what is allowed.
    #[error("{0}")]
    Wrong(String),
}

impl ArgsError {
    /// Says what is wrong, or helps, and ends the process. `own` describes the app's own
    /// arguments, in lines like those of [`HeadlessArgs::HELP`].
    pub fn end_process(&self, own: &str) -> ! {
        match self {
            Self::Help => {
                print_help(own);
                process::exit(0)
            }
            Self::Wrong(message) => {
                eprint_line(&format!("error: {message} (--help lists what there is)"));
                process::exit(EXIT_UNUSABLE)
            }
        }
    }
}

impl HeadlessArgs {
    /// A line for each argument.
    pub const HELP: &str = "  --headless          draw off screen, without a window
  --screenshot FILE   save a picture (.png) and end
  --frames N          frames to draw before the picture, or before the end (12)
  --size WxH          pixels of the picture when headless (1280x720)
  --help              this list
";

    /// The widest image that every graphics driver can draw to.
    const MAX_SIDE: u32 = 8192;

    /// Takes the arguments that are known here out of `args` and leaves the others.
    pub fn take_from(args: &mut Vec<String>) -> Result<Self, ArgsError> {
        let mut found = Self::default();
        let mut given = std::mem::take(args).into_iter();
        while let Some(name) = given.next() {
            let mut value = || value_of(&name, given.next());
            match name.as_str() {
                "--help" | "-h" => return Err(ArgsError::Help),
                "--headless" => found.headless = true,
                "--screenshot" => found.screenshot = Some(picture_path(&value()?)?),
                "--frames" => found.frames = frames(&value()?)?,
                "--size" => found.size = size(&value()?)?,
                _ => args.push(name),
            }
        }
        Ok(found)
    }
}

/// The value after an argument's name.
pub fn value_of(name: &str, value: Option<String>) -> Result<String, ArgsError> {
    value.ok_or_else(|| ArgsError::Wrong(format!("{name} needs a value after it")))
}

/// An error when an argument was not taken by anyone.
pub fn none_left(args: &[String]) -> Result<(), ArgsError> {
    match args.first() {
        None => Ok(()),
        Some(first) => Err(ArgsError::Wrong(format!("`{first}` is not an argument"))),
    }
}

#[expect(clippy::print_stdout, reason = "it is what the user asked for")]
fn print_help(own: &str) {
    print!("Options:\n{own}{}", HeadlessArgs::HELP);
}

fn picture_path(value: &str) -> Result<PathBuf, ArgsError> {
    let path = PathBuf::from(value);
    let png = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if !png {
        return Err(ArgsError::Wrong(format!(
            "--screenshot is `{value}`, but must be a file that ends in .png"
        )));
    }
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(ArgsError::Wrong(format!(
            "--screenshot is `{value}`, but there is no such folder"
        )));
    }
    Ok(path)
}

fn frames(value: &str) -> Result<u32, ArgsError> {
    let allowed = || ArgsError::Wrong(format!("--frames is `{value}`, but must be a whole number"));
    value.parse().map_err(|_| allowed())
}

fn size(value: &str) -> Result<UVec2, ArgsError> {
    let parse = || {
        let (width, height) = value.split_once('x')?;
        let size = UVec2::new(width.parse().ok()?, height.parse().ok()?);
        let allowed = 1..=HeadlessArgs::MAX_SIDE;
        (allowed.contains(&size.x) && allowed.contains(&size.y)).then_some(size)
    };
    parse().ok_or_else(|| {
        ArgsError::Wrong(format!(
            "--size is `{value}`, but must be like 1280x720, each side from 1 to {}",
            HeadlessArgs::MAX_SIDE
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(args: &[&str]) -> (Result<HeadlessArgs, ArgsError>, Vec<String>) {
        let mut args: Vec<String> = args.iter().map(ToString::to_string).collect();
        (HeadlessArgs::take_from(&mut args), args)
    }

    #[test]
    fn known_arguments_are_taken_and_others_left() {
        let (args, rest) = take(&["--seed", "4", "--headless", "--size", "640x360"]);
        let expected = HeadlessArgs {
            headless: true,
            size: UVec2::new(640, 360),
            ..HeadlessArgs::default()
        };
        assert_eq!(args, Ok(expected));
        assert_eq!(rest, ["--seed", "4"]);
        assert!(none_left(&rest).is_err() && none_left(&[]).is_ok());
    }

    #[test]
    fn wrong_values_say_what_is_allowed() {
        for (args, allowed) in [
            (&["--size", "640"][..], "1280x720"),
            (&["--size", "0x5"][..], "from 1 to 8192"),
            (&["--size", "99999x5"][..], "from 1 to 8192"),
            (&["--frames", "-1"][..], "whole number"),
            (&["--screenshot", "a.jpg"][..], ".png"),
            (
                &["--screenshot", "/no/such/folder/a.png"][..],
                "no such folder",
            ),
            (&["--screenshot"][..], "needs a value"),
        ] {
            let error = take(args).0.unwrap_err();
            assert!(error.to_string().contains(allowed), "{error}");
        }
        assert_eq!(take(&["--help"]).0, Err(ArgsError::Help));
    }
}
