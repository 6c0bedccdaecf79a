//! Patches: noise that varies the density of a rule.
//!
//! Two octaves of value noise (random numbers at lattice corners with quintic interpolation), sharpened by a smoothstep
//! around the middle. It only adds and multiplies doubles, so the bits are the same everywhere.

use super::rule::{Clumping, smooth};
use crate::hash::Key;

/// Wavelength of the second octave relative to the first. This value keeps their lattice corners apart.
const OCTAVE: f64 = 0.41;

/// Weight of the second octave.
const DETAIL: f64 = 0.35;

/// Probability at a position, from 0 to 1.
pub(super) fn share(clumping: &Clumping, key: Key, place: [f64; 2]) -> f32 {
    let wavelength = f64::from(clumping.wavelength);
    let broad = value(key.with(0), place, wavelength);
    let fine = value(key.with(1), place, wavelength * OCTAVE);
    let noise = broad + (fine - broad) * DETAIL;
    // Most noise values are near the middle. This step makes about a third of the plane patches and a third gaps.
    let patch = smooth((noise as f32 - 0.4) / 0.2);
    1.0 - clumping.strength * (1.0 - patch)
}

/// Value noise from 0 to 1.
fn value(key: Key, place: [f64; 2], wavelength: f64) -> f64 {
    let [(x, u), (z, v)] = place.map(|coordinate| {
        let square = (coordinate / wavelength).floor();
        let t = coordinate / wavelength - square;
        (square as i64, t * t * t * (t * (t * 6.0 - 15.0) + 10.0))
    });
    let corner = |dx, dz| key.at([x + dx, z + dz]).stream().unit();
    let north = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * u;
    let south = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * u;
    north + (south - north) * v
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(strength: f32) -> Vec<f32> {
        let clumping = Clumping {
            wavelength: 20.0,
            strength,
            salt: None,
        };
        let place = |n: u32| [f64::from(n % 100) * 5.0 - 250.0, f64::from(n / 100) * 5.0];
        (0..10_000)
            .map(|n| share(&clumping, Key::new(3, 4), place(n)))
            .collect()
    }

    #[test]
    fn strength_empties_the_gaps() {
        assert!(shares(0.0).iter().all(|&share| share == 1.0));
        let half = shares(0.5);
        assert!(half.iter().all(|share| (0.5..=1.0).contains(share)));
        let full = shares(1.0);
        let count = |range: core::ops::RangeInclusive<f32>| {
            full.iter().filter(|share| range.contains(share)).count()
        };
        assert!(
            (2000..4500).contains(&count(0.0..=0.01)),
            "{} empty",
            count(0.0..=0.01)
        );
        assert!(
            (2000..4500).contains(&count(0.99..=1.0)),
            "{} full",
            count(0.99..=1.0)
        );
    }

    #[test]
    fn noise_is_continuous() {
        let clumping = Clumping {
            wavelength: 20.0,
            strength: 1.0,
            salt: None,
        };
        let at = |x: f64| share(&clumping, Key::new(3, 4), [x, 7.0]);
        for step in -2000..2000 {
            let x = f64::from(step) * 0.1;
            assert!((at(x) - at(x + 0.01)).abs() < 0.02, "{x}");
        }
    }
}
