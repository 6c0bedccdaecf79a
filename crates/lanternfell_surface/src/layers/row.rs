//! The inputs of layer rules along a row of texels.
//!
//! Fraying moves the borders of layers by noise, which is expensive. Most texels are so far from the borders of all
//! bands that it cannot change a weight, and there the noise is not evaluated.

use fearless_simd::{Level, dispatch};
use glam::DVec2;

use super::{
    line::{Line, RUN, Share},
    local::LocalParts,
    parts::{Part, Parts, Texels},
    rule::{LayerRule, LayerRules, is_bounded},
};
use lanternfell_heightmap::Band;

/// The inputs of the rules along one row of texels.
pub(super) struct Row {
    pub(super) y: usize,
    /// The values that each of the [`bands`] limits. Those of maps are empty if no rule uses them.
    pub(super) lines: [Line; 7],
    /// The positions on the plane of the noise, in meters.
    pub(super) xs: Vec<f64>,
    pub(super) z: f64,
}

/// The number of bands whose borders fray: the first ones of [`bands`].
const FRAYED: usize = 3;

/// The bands of a rule: heights above the sea in meters, altitudes as a share of the land's, slopes in degrees,
/// curvature, distances to the coast and to natural rivers, and moisture.
pub(super) fn bands(rule: &LayerRule) -> [&Band; 7] {
    [
        &rule.height,
        &rule.altitude,
        &rule.slope,
        &rule.curvature,
        &rule.coast,
        &rule.river,
        &rule.moisture,
    ]
}

/// All rows of texels.
pub(super) struct Rows<'a> {
    rules: &'a LayerRules,
    texels: Texels,
    parts: &'a Parts,
    local: &'a LocalParts<'a>,
    /// The position of the map's center on the plane of the noise, in meters.
    place: DVec2,
    /// The bands of heights, altitudes and slopes that have a border, of all rules.
    frayed: [Vec<&'a Band>; FRAYED],
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        rules: &'a LayerRules,
        texels: Texels,
        (parts, local): (&'a Parts, &'a LocalParts<'a>),
        place: DVec2,
    ) -> Self {
        let of_rules = |index: usize| {
            let bands = rules.rules.iter().map(|rule| bands(rule)[index]);
            bands.filter(|band| is_bounded(band)).collect()
        };
        Self {
            rules,
            texels,
            parts,
            local,
            place,
            frayed: [of_rules(0), of_rules(1), of_rules(2)],
        }
    }

    /// Computes the inputs of row `y`.
    pub(super) fn row(&self, y: usize) -> Row {
        let Texels { size, scale, .. } = self.texels;
        let last = DVec2::new((size.width() - 1) as f64, (size.height() - 1) as f64);
        let spacing = f64::from(scale.spacing);
        let along =
            |place: f64, texel: usize, last: f64| place + (texel as f64 - last * 0.5) * spacing;
        let z = along(self.place.y, y, last.y);
        let xs: Vec<f64> = (0..size.width())
            .map(|x| along(self.place.x, x, last.x))
            .collect();
        let curvature = self.local.curvature.as_ref().map(|map| map.row(y));
        let curvature = curvature.unwrap_or_default().iter().copied();
        let [heights, altitudes, slopes] = self.frayed_lines(y, &xs, z);
        Row {
            y,
            lines: [
                heights,
                altitudes,
                slopes,
                Line::new(curvature.map(f64::from).collect()),
                line(y, self.parts.coast.as_ref()),
                line(y, self.parts.river.as_ref()),
                line(y, self.moisture()),
            ],
            xs,
            z,
        }
    }

    /// The moisture, if a rule uses it.
    fn moisture(&self) -> Option<&'a Part> {
        let is_asked = self.rules.ask_for(|rule| &rule.moisture);
        is_asked.then_some(&self.parts.moisture)
    }

    /// Returns heights, altitudes and slopes. They are frayed where that can change a weight.
    fn frayed_lines(&self, y: usize, xs: &[f64], z: f64) -> [Line; FRAYED] {
        let mut values = [(); FRAYED].map(|()| vec![0.0; xs.len()]);
        let straight = vec![0.0; xs.len()];
        let slices = values.each_mut().map(|values| &mut values[..]);
        dispatch!(Level::new(), _simd => self.measure(y, 0, &straight, slices));
        let mut lines = values.map(Line::new);
        let runs: Vec<usize> = (0..lines[0].runs())
            .filter(|&run| self.has_border(&lines, run))
            .collect();
        let open = |&run: &usize| run * RUN..xs.len().min((run + 1) * RUN);
        let places: Vec<f64> = runs
            .iter()
            .flat_map(|run| xs[open(run)].iter().copied())
            .collect();
        let fray = self.rules.fray.along(&places, z);
        dispatch!(Level::new(), _simd => {
            for (&run, fray) in runs.iter().zip(fray.chunks(RUN)) {
                let values = lines.each_mut().map(|line| &mut line.values[open(&run)]);
                self.measure(y, run * RUN, fray, values);
                lines.iter_mut().for_each(|line| line.update(run));
            }
        });
        lines
    }

    /// Whether fraying can change a share of a band in this run.
    fn has_border(&self, lines: &[Line; FRAYED], run: usize) -> bool {
        let by = &self.rules.fray;
        let relief = f64::from(self.texels.scale.relief);
        // Slightly more than 1, for rounding.
        let most = 1.001;
        let most =
            [by.height, by.height / relief / self.land_share(), by.slope].map(|by| by * most);
        let mut all = lines.iter().zip(most).zip(&self.frayed);
        all.any(|((line, most), bands)| {
            let [low, high] = line.range(run);
            let range = [low - most, high + most];
            let mut bands = bands.iter();
            bands.any(|band| Share::of(band, range) == Share::Some)
        })
    }

    /// The part of the relief that is above the sea.
    fn land_share(&self) -> f64 {
        (1.0 - f64::from(self.texels.sea_level)).max(1e-6)
    }

    /// Computes heights, altitudes and slopes from texel `first` of row `y` on, displaced by `fray`.
    #[inline(always)]
    fn measure(
        &self,
        y: usize,
        first: usize,
        fray: &[f64],
        [heights, altitudes, slopes]: [&mut [f64]; FRAYED],
    ) {
        let Texels {
            scale, sea_level, ..
        } = self.texels;
        let (sea_level, land) = (f64::from(sea_level), self.land_share());
        let relief = f64::from(scale.relief);
        let by = &self.rules.fray;
        let heights = heights.iter_mut().zip(altitudes);
        let of_map = &self.local.heights.row(y)[first..];
        for (((height, altitude), &map), &fray) in heights.zip(of_map).zip(fray) {
            let above = f64::from(map) - sea_level;
            let frayed = fray * by.height;
            *height = above * relief + frayed;
            *altitude = (above + frayed / relief) / land;
        }
        let of_map = &self.local.slope.row(y)[first..];
        for ((slope, &map), &fray) in slopes.iter_mut().zip(of_map).zip(fray) {
            *slope = f64::from(map) + fray * by.slope;
        }
    }
}

fn line(y: usize, part: Option<&Part>) -> Line {
    let values = part.map_or_else(Vec::new, |part| part.row(y).map(f64::from).collect());
    Line::new(values)
}

#[cfg(test)]
mod tests {
    use core::future::ready;

    use super::{
        super::{control::at_once, parts::Land},
        *,
    };
    use lanternfell_heightmap::{FractalNoise, MapSize, Progress, Scale, SeededRng};

    fn random_rule(rng: &mut SeededRng) -> LayerRule {
        let mut band = |low: f64, high: f64| {
            let mut bound = || {
                let is_there = rng.below(3) > 0;
                let value = low + rng.unit() * (high - low);
                is_there.then_some(value)
            };
            Band {
                from: bound(),
                to: bound(),
                fade: rng.unit() * (high - low) * 0.1,
            }
        };
        LayerRule {
            height: band(-40.0, 60.0),
            altitude: band(-0.5, 1.0),
            slope: band(0.0, 50.0),
            ..LayerRule::default()
        }
    }

    #[test]
    fn frays_wherever_it_changes_weights() {
        let size = MapSize::new(300, 9).unwrap();
        let progress = Progress::default();
        let map = FractalNoise::default()
            .generate(size, 3, &progress)
            .unwrap();
        let scale = Scale {
            spacing: 2.0,
            relief: 100.0,
        };
        let sea_level = 0.4;
        let land = Land {
            map: &map,
            scale,
            sea_level,
        };
        let texels = Texels {
            size,
            scale,
            sea_level,
        };
        let mut rng = SeededRng::new(8, b"fraying ");
        let (mut straight, mut frayed) = (0, 0);
        for _ in 0..20 {
            let rules = (0..1 + rng.below(3)).map(|_| random_rule(&mut rng));
            let rules = LayerRules {
                rules: rules.collect(),
                ..LayerRules::default()
            };
            let parts = Parts::of(&rules, land, None, &progress, &|| ready(()));
            let parts = at_once(parts).unwrap();
            let all = 0..size.height();
            let local = LocalParts::of(&rules, texels, &map, all, &progress).unwrap();
            let rows = Rows::new(&rules, texels, (&parts, &local), DVec2::new(70.0, -9.0));
            for y in 0..size.height() {
                let row = rows.row(y);
                // The same with noise everywhere.
                let fray = rules.fray.along(&row.xs, row.z);
                let mut all = [(); FRAYED].map(|()| vec![0.0; size.width()]);
                rows.measure(y, 0, &fray, all.each_mut().map(|values| &mut values[..]));
                let is_same = row.lines[0].values == all[0];
                (straight, frayed) = (straight + u32::from(!is_same), frayed + u32::from(is_same));
                for (index, values) in all.into_iter().enumerate() {
                    let expected = Line::new(values);
                    for rule in &rules.rules {
                        let [found, expected] = [&row.lines[index], &expected].map(|line| {
                            let mut weights = vec![0.7; size.width()];
                            line.limit(bands(rule)[index], &mut weights);
                            weights
                        });
                        assert_eq!(found, expected, "row {y}, {rule:?}");
                    }
                }
            }
        }
        assert!(straight > 20 && frayed > 0, "{straight}, {frayed}");
    }
}
