//! The arguments of every app that can run off screen, and how invalid arguments are reported.
//!
//! Arguments are parsed with clap. An error is printed in one line instead of clap's four, so that it stands out in a
//! log.

// Web pages have no off-screen rendering, and a link must not request it.
#[cfg(not(target_arch = "wasm32"))]
mod values;

use std::{path::PathBuf, process};

use bevy::prelude::*;
use clap::{Args, Parser};

use lanternfell_files::usage::print_error;

/// The exit code for invalid arguments, and for a machine that cannot render.
pub const EXIT_USAGE: i32 = 2;

/// Whether an app runs with a window or off screen, and which screenshot it takes.
///
/// If your app has its own arguments, flatten these into them, parse with [`parse_or_exit`], and pass your plugins to
/// [`HeadlessArgs::plugins`]:
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
    /// Render off screen, without a window
    #[cfg_attr(not(target_arch = "wasm32"), arg(long))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    pub headless: bool,

    /// Save a screenshot (.png) and exit
    // If omitted, a headless app renders its frames and exits.
    #[cfg_attr(not(target_arch = "wasm32"),
        arg(long, value_name = "FILE", value_parser = values::picture()))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    pub screenshot: Option<PathBuf>,

    /// Frames to render once the scene is complete, before the screenshot or the exit
    #[cfg_attr(not(target_arch = "wasm32"), arg(long, value_name = "N", value_parser = values::frames,
        default_value = "12", allow_negative_numbers = true))]
    #[cfg_attr(target_arch = "wasm32", arg(skip = FRAMES))]
    pub frames: u32,

    /// Render only the last N of these frames when headless [default: all]
    // For slow machines where only the last frame matters, for example after simulated key presses.
    #[cfg_attr(not(target_arch = "wasm32"),
        arg(long, value_name = "N", value_parser = values::frames, allow_negative_numbers = true))]
    #[cfg_attr(target_arch = "wasm32", arg(skip))]
    pub draw_last: Option<u32>,

    /// Size of the screenshot when headless
    #[cfg_attr(not(target_arch = "wasm32"),
        arg(long, value_name = "WxH", value_parser = values::size, default_value = "1280x720"))]
    #[cfg_attr(target_arch = "wasm32", arg(skip = SIZE))]
    pub size: UVec2,
}

/// The same as the `default_value`s of the arguments.
const FRAMES: u32 = 12;
const SIZE: UVec2 = UVec2::new(1280, 720);

impl Default for HeadlessArgs {
    /// With a window and without a screenshot, as without arguments.
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

/// The arguments of an app that has no others.
#[derive(Debug, Parser)]
pub(crate) struct OnlyHeadless {
    #[command(flatten)]
    pub(crate) headless: HeadlessArgs,
}

/// Parses the arguments of the process. `--help` and `--version` print their text and exit. An invalid or unknown
/// argument exits with an error, as in [`exit_with_usage_error`].
///
/// In a browser, the arguments come from the address of the page ([`web_page::arguments`](crate::web_page::arguments)).
/// A page cannot exit. It shows the error, and continues without arguments.
#[cfg(not(target_arch = "wasm32"))]
pub fn parse_or_exit<A: Parser>() -> A {
    A::try_parse().unwrap_or_else(|error| {
        lanternfell_files::usage::report(&error, " (see --help)");
        process::exit(if error.use_stderr() { EXIT_USAGE } else { 0 })
    })
}

#[cfg(target_arch = "wasm32")]
#[expect(missing_docs, reason = "documented above")]
pub fn parse_or_exit<A: Parser>() -> A {
    let app = || std::iter::once("page".to_owned());
    A::try_parse_from(app().chain(crate::web_page::arguments())).unwrap_or_else(|error| {
        let mistake = lanternfell_files::usage::explanation(&error);
        crate::web_page::say(&format!("The address was ignored: {mistake}"));
        A::parse_from(app())
    })
}

/// Prints `message` to standard error and exits the process with code 2.
pub fn exit_with_usage_error(message: &str) -> ! {
    print_error(message);
    process::exit(EXIT_USAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<HeadlessArgs, clap::Error> {
        let args = ["app"].iter().chain(args);
        OnlyHeadless::try_parse_from(args).map(|args| args.headless)
    }

    #[test]
    fn no_arguments_are_the_default() {
        assert_eq!(parse(&[]).unwrap(), HeadlessArgs::default());
    }

    #[test]
    fn parses_all_arguments() {
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
    fn errors_name_allowed_values() {
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
            let said = lanternfell_files::usage::explanation(&parse(args).unwrap_err());
            assert!(said.contains(allowed), "{said}");
        }
    }
}
