//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// A scene of a simple 2D game, lit by one of three crates, or unlit
///
/// Renders offscreen frame by frame, and prints the times in one machine-readable line. With --race all four variants
/// run in separate processes, and the program prints a table.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// The light to use
    #[arg(long, value_enum, default_value_t = Lights::Ours)]
    pub lights: Lights,
    #[command(flatten)]
    pub load: Load,
    /// Number of measured frames, after the warm-up
    #[arg(long, value_name = "F", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    pub frames: u32,
    /// Save the last frame to a file (.png)
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,
    /// Size of the image in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub size: [u32; 2],
    /// Run all variants alternately and print a table
    #[arg(long, conflicts_with_all = ["lights", "screenshot", "cells", "lamps", "moving"])]
    pub race: bool,
    /// Number of rounds of a race
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
}

/// The scene.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Load {
    /// Cells per side of the map
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(32..=512))]
    pub cells: u32,
    /// Number of lamps
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub lamps: u32,
    /// Move every second lamp in a circle
    #[arg(long)]
    pub moving: bool,
}

/// The light of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Lights {
    /// `lanternfell_torchlight`
    Ours,
    /// `bevy_firefly`
    Firefly,
    /// `bevy_lit`
    Lit,
    /// No light
    None,
}

impl Lights {
    pub const ALL: [Self; 4] = [Self::Ours, Self::Firefly, Self::Lit, Self::None];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Firefly => "firefly",
            Self::Lit => "lit",
            Self::None => "none",
        }
    }
}

/// The largest side of an image, in pixels.
const LARGEST: u32 = 8192;

fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| {
        text.parse()
            .ok()
            .filter(|side| (1..=LARGEST).contains(side))
    };
    let sides = text.split_once('x');
    let sides = sides.and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| {
        format!("must be WIDTHxHEIGHT, for example 1280x720, each from 1 to {LARGEST}")
    })
}
