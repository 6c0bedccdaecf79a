//! What is asked for on the command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// One scene of a plain 2D game, lit by one of three crates, or by none.
///
/// Draws off screen, frame by frame, and prints a line of times for machines to read. With --race all four run, each in a process of
/// its own, and a table is printed.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// Whose light
    #[arg(long, value_enum, default_value_t = Lights::Ours)]
    pub lights: Lights,
    #[command(flatten)]
    pub load: Load,
    /// Frames that are measured, after those that warm up
    #[arg(long, value_name = "F", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    pub frames: u32,
    /// Save the last frame (.png)
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,
    /// Pixels of the picture
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub size: [u32; 2],
    /// Run all of them in turns and print a table
    #[arg(long, conflicts_with_all = ["lights", "screenshot", "cells", "lamps", "moving"])]
    pub race: bool,
    /// Rounds of a race
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
}

/// What is lit.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Load {
    /// Cells of the map, a side
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(32..=512))]
    pub cells: u32,
    /// Lamps on it
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub lamps: u32,
    /// Every second lamp goes in a circle
    #[arg(long)]
    pub moving: bool,
}

/// Whose light it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Lights {
    /// `lanternfell_torchlight`
    Ours,
    /// `bevy_firefly`
    Firefly,
    /// `bevy_lit`
    Lit,
    /// The scene as it is painted
    None,
}

impl Lights {
    pub const ALL: [Self; 4] = [Self::Ours, Self::Firefly, Self::Lit, Self::None];

    /// As it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Firefly => "firefly",
            Self::Lit => "lit",
            Self::None => "none",
        }
    }
}

/// The largest side of a picture, in pixels.
const LARGEST: u32 = 8192;

fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| {
        text.parse()
            .ok()
            .filter(|side| (1..=LARGEST).contains(side))
    };
    let sides = text.split_once('x');
    let sides = sides.and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| format!("a size is as 1280x720, each from 1 to {LARGEST}"))
}
