//! Brushes on the command line: how they are written, and their list for the help.

use lanternfell_edits::Brush;
use lanternfell_heightmap::read_ron;

/// All brushes, for the help.
pub(super) const HELP: &str =
    "Brushes are written with their parameters. Heights are in millimeters, and offsets
in cells. The first four add to the terrain, with every dab; the others move it toward a target.
  Raise(mm: 500)            raises the terrain, up to 1000000 per dab; dabs are a quarter of the
                            radius apart
  Lower(mm: 500)            lowers it
  Noise(seed: 1, cells: 8, mm: 300)
                            adds noise with hills of about 8 cells
  Stamp(image: (width: 2, heights: [0, 500, 500, 0]))
                            adds an image of up to 512x512 heights, stretched over the square around
                            each point
  Flatten(mm: 2100)         moves it toward a height
  Flatten(mm: None)         moves it toward the height of the first point
  Slope                     makes a ramp from the first to the last point
  Terrace(mm: 1000)         moves it toward multiples of a height
  Smooth(reach: 3)          moves it toward the mean of the square around each cell, up to 16 cells
  Sharpen(reach: 3)         moves it away from that mean
  Erode(seed: 1, steps: 16)
                            erodes it with droplets that run up to 32 cells
  Clone(offset: (40, 0))    copies the terrain from 40 columns to the east
  Hole                      makes holes in the surface
  Unhole                    closes holes of edits
  Paint(layer: 3)           paints a ground layer, from 0 to 15 (only for games)
  Plants(density: 0)        thins plants, from 0 for none to 255 (only for games)";

/// Parses a brush as it is written in the help.
pub(super) fn brush(text: &str) -> Result<Brush, String> {
    read_ron(text).map_err(|error| format!("{error}; see `lanternfell edit add --help`"))
}

/// Returns a brush as it is written in the help, but a stamp without its heights.
pub(super) fn shown(brush: &Brush) -> String {
    if let Brush::Stamp { image } = brush {
        let (width, heights) = (image.width() as usize, image.heights().len());
        return format!("Stamp({width}x{})", heights / width.max(1));
    }
    ron::to_string(brush).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_lists_every_brush() {
        // The error of an unknown brush names all known ones.
        let error = brush("Unknown").unwrap_err();
        let names = error.split("expected one of").nth(1).unwrap();
        let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
        assert!(names.len() > 10 && names.contains(&"Unhole"), "{error}");
        for name in names {
            let is_listed = |line: &str| line.trim_start().starts_with(name);
            let known = HELP.lines().any(is_listed);
            assert!(known || name.contains("lanternfell"), "{name}");
        }
    }

    #[test]
    fn every_brush_of_the_help_is_valid() {
        let is_first = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
        let mut count = 0;
        for line in HELP.lines().filter(is_first) {
            let text = line.split("  ").find(|part| !part.is_empty()).unwrap();
            let brush = brush(text).unwrap();
            let stroke = lanternfell_edits::Stroke::along(brush.clone(), 256, [[0, 0]]);
            stroke.validate().unwrap();
            if !matches!(brush, Brush::Stamp { .. }) {
                assert_eq!(super::brush(&shown(&brush)), Ok(brush));
            }
            count += 1;
        }
        assert_eq!(count, 16);
    }
}
