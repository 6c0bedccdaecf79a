//! The arguments that every app which can draw off screen understands, and how a program says
//! that its arguments are wrong.
//!
//! clap reads them. A mistake becomes one line instead of clap's four, so that it stands out
//! in a script's log.

// In a page nothing is drawn off screen, and a link is not to ask for it.
#[cfg(not(target_arch = "wasm32"))]
mod values;

use std::{path::PathBuf, process};

use bevy::prelude::*;
use clap::{Args, Parser};

use lanternfell_files::usage::say_wrong;

/// The exit code for wrong arguments and for a machine that cannot draw.
pub const EXIT_UNUSABLE: i32 = 2;

/// How an app is to run: with a window or without, and which picture it is to take.
///
/// An app with arguments of its own takes these in among them, reads all of them by
/// [`parse_or_exit`], and gives its plugins to [`HeadlessArgs::plugins`]:
///
/// ```no_run
/// use bevy::prelude::*;
/// use lanternfell_headless::{HeadlessArgs, parse_or_exit};
///
/// #[derive(clap::Parser)]
/// struct GameArgs {
///     /// Which island
///     #[arg(long, default_value_t = 7)]
///     seed: u64,
///     #[command(flatten)]
///     headless: HeadlessArgs,
/// }
///
/// let args: GameArgs = parse_or_exit();
/// App::new().add_plugins(args.headless.plugins(DefaultPlugins)).run();
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct HeadlessArgs {
    /// Draw off screen, without a window
    #[cfg_attr(not(target_arch = "wasm32"), arg(long))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    pub headless: bool,

    /// Save a picture (.png) and end
    // Without it a headless app draws its frames and ends.
    #[cfg_attr(not(target_arch = "wasm32"),
        arg(long, value_name = "FILE", value_parser = values::picture()))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    pub screenshot: Option<PathBuf>,

    /// Frames to draw once the scene is complete, before the picture or the end
    #[cfg_attr(not(target_arch = "wasm32"), arg(long, value_name = "N", value_parser = values::frames,
        default_value = "12", allow_negative_numbers = true))]
    #[cfg_attr(target_arch = "wasm32", arg(skip = FRAMES))]
    pub frames: u32,

    /// Draw only the last N of these frames when headless [default: all]
    // Where drawing is slow and only the last one is looked at, as after many keys.
    #[cfg_attr(not(target_arch = "wasm32"),
        arg(long, value_name = "N", value_parser = values::frames, allow_negative_numbers = true))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    pub draw_last: Option<u32>,

    /// Pixels of the picture when headless
    #[cfg_attr(not(target_arch = "wasm32"),
        arg(long, value_name = "WxH", value_parser = values::size, default_value = "1280x720"))]
    #[cfg_attr(target_arch = "wasm32", arg(skip = SIZE))]
    pub size: UVec2,
}

/// What stands in the arguments' defaults, too.
const FRAMES: u32 = 12;
const SIZE: UVec2 = UVec2::new(1280, 720);

impl Default for HeadlessArgs {
    /// With a window, without a picture: no arguments.
    fn default() -> Self {
        Self {
            headless: false,
            screenshot: None,
            frames: FRAMES,
            draw_last: None,
            size: SIZE,
        }
    }
}

/// The arguments of an app that has none of its own.
#[derive(Debug, Parser)]
pub(crate) struct OnlyHeadless {
    #[command(flatten)]
    pub(crate) headless: HeadlessArgs,
}

/// The process's arguments. `--help` and `--version` answer and end the process; a wrong
/// argument, or one that is not known, ends it by [`refuse`].
///
/// In a browser the arguments come from the page's address ([`web_page::arguments`](crate::web_page::arguments)). A page cannot
/// exit: it shows what is wrong and continues without arguments.
#[cfg(not(target_arch = "wasm32"))]
pub fn parse_or_exit<A: Parser>() -> A {
    A::try_parse().unwrap_or_else(|error| {
        lanternfell_files::usage::answer(&error, " (--help lists what there is)");
        process::exit(if error.use_stderr() { EXIT_UNUSABLE } else { 0 })
    })
}

#[cfg(target_arch = "wasm32")]
#[expect(missing_docs, reason = "they are above")]
pub fn parse_or_exit<A: Parser>() -> A {
    let app = || std::iter::once("page".to_owned());
    A::try_parse_from(app().chain(crate::web_page::arguments())).unwrap_or_else(|error| {
        let mistake = lanternfell_files::usage::mistake(&error);
        crate::web_page::say(&format!("The address is left aside: {mistake}"));
        A::parse_from(app())
    })
}

/// Ends the process with one line on standard error and exit code 2: what was asked for can
/// not be done, and `message` says why.
pub fn refuse(message: &str) -> ! {
    say_wrong(message);
    process::exit(EXIT_UNUSABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<HeadlessArgs, clap::Error> {
        let args = ["app"].iter().chain(args);
        OnlyHeadless::try_parse_from(args).map(|args| args.headless)
    }

    #[test]
    fn without_arguments_they_are_the_default() {
        assert_eq!(parse(&[]).unwrap(), HeadlessArgs::default());
    }

    #[test]
    fn all_of_them_are_understood() {
        let folder = std::env::temp_dir().join("a.PNG");
        let path = folder.to_str().unwrap();
        let args = [
            "--headless",
            "--size",
            "640x360",
            "--frames",
            "3",
            "--draw-last",
            "1",
            "--screenshot",
            path,
        ];
        let expected = HeadlessArgs {
            headless: true,
            screenshot: Some(folder.clone()),
            frames: 3,
            draw_last: Some(1),
            size: UVec2::new(640, 360),
        };
        assert_eq!(parse(&args).unwrap(), expected);
    }

    #[test]
    fn mistakes_say_what_is_allowed() {
        for (args, allowed) in [
            (&["--size", "640"][..], "1280x720"),
            (&["--size", "0x5"][..], "from 1 to 8192"),
            (&["--size", "99999x5"][..], "from 1 to 8192"),
            (&["--frames", "-1"][..], "whole number"),
            (&["--draw-last", "few"][..], "whole number"),
            (&["--screenshot", "a.jpg"][..], ".png"),
            (
                &["--screenshot", "/no/such/folder/a.png"][..],
                "no such folder",
            ),
            (&["--screenshot"][..], "value is required"),
            (&["--nonsense"][..], "'--nonsense'"),
        ] {
            let said = lanternfell_files::usage::mistake(&parse(args).unwrap_err());
            assert!(said.contains(allowed), "{said}");
        }
    }
}
