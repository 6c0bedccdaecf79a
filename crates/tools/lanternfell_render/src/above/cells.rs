//! The light of a block of cells: their materials, lit by the sun and the sky.
//!
//! All inputs of a cell are in rows. A block is a fixed number of cells, as arrays. Its loops have
//! no branches, so that the compiler vectorizes them.

use fearless_simd::{Level, dispatch};
use glam::Vec3;

use super::{BLOCK, Light, Scratch};
use crate::{
    material::{self, Grains, SurfacePoint},
    noise::SolidGrain,
    row_noise::GrainRow,
    sky::Sky,
    tone::{self, Screen},
};
use lanternfell_heightmap::LandCover;

type Block = [f32; BLOCK];

/// The materials and the lighting of a block of cells.
pub(super) struct Cells<'a> {
    /// World units above the sea. Below 0 there is water.
    pub(super) above: &'a Block,
    altitude: &'a Block,
    shore: &'a Block,
    slope: &'a Block,
    north: &'a Block,
    east: &'a Block,
    south: &'a Block,
    pub(super) lie: &'a Block,
    /// The share of the sunlight that is not shadowed.
    pub(super) lit: &'a Block,
    open: &'a Block,
    coarse: &'a Block,
    grains: [[&'a Block; 3]; 4],
    beds: [&'a Block; 2],
}

/// The share of the sky's light that reaches the bed of the sea.
const OPEN_UNDER_WATER: f32 = 0.9;

impl<'a> Cells<'a> {
    /// The block that starts at column `first`.
    pub(super) fn of(scratch: &'a Scratch, first: usize) -> Self {
        let block = |row: &'a Vec<f32>| {
            let (blocks, _) = row.as_chunks::<BLOCK>();
            &blocks[first / BLOCK]
        };
        let grain = |row: &'a GrainRow| [&row.value, &row.dx, &row.dz].map(block);
        let [middle, fine, tiny, dust] = &scratch.grains;
        Self {
            above: block(&scratch.relief.above),
            altitude: block(&scratch.relief.altitude),
            shore: block(&scratch.relief.shore),
            slope: block(&scratch.relief.slope),
            north: block(&scratch.relief.north),
            east: block(&scratch.relief.east),
            south: block(&scratch.relief.south),
            lie: block(&scratch.relief.lie),
            lit: block(&scratch.lit),
            open: block(&scratch.open),
            coarse: block(&scratch.coarse.value),
            grains: [grain(middle), grain(fine), grain(tiny), grain(dust)],
            beds: [block(&scratch.beds[0]), block(&scratch.beds[1])],
        }
    }

    /// The light that the ground reflects, also under water.
    pub(super) fn light(&self, cover: LandCover, sky: &Sky) -> Light {
        let sun = sky.sun.as_vec3();
        // One loop per cover, so that the loop has no branch.
        dispatch!(Level::new(), _simd => match cover {
            LandCover::Temperate => Light::of(
                #[inline(always)]
                |i| self.cell(i, LandCover::Temperate, sky, sun),
            ),
            LandCover::Desert => Light::of(
                #[inline(always)]
                |i| self.cell(i, LandCover::Desert, sky, sun),
            ),
        })
    }

    /// The same for a block that is all plain bed.
    pub(super) fn bed_light(&self, sky: &Sky) -> Light {
        let sun = sky.sun.as_vec3();
        dispatch!(Level::new(), _simd => Light::of(
            #[inline(always)]
            |i| self.bed(i, sky, sun),
        ))
    }

    #[inline(always)]
    fn cell(&self, i: usize, cover: LandCover, sky: &Sky, sun: Vec3) -> Vec3 {
        let place = SurfacePoint {
            altitude: self.altitude[i],
            shore: self.shore[i],
            slope: self.slope[i],
            north: self.north[i],
        };
        let grain = |number: usize| {
            let [value, dx, dz] = self.grains[number];
            SolidGrain {
                value: value[i],
                slope: Vec3::new(dx[i], 0.0, dz[i]),
            }
        };
        let grains = Grains {
            coarse: self.coarse[i],
            middle: grain(0),
            fine: grain(1),
            tiny: grain(2),
            dust: grain(3),
            beds: [self.beds[0][i], self.beds[1][i]],
        };
        let material = material::ground(cover, &place, &grains);
        let dry = if self.above[i] >= 0.0 { 1.0 } else { 0.0 };
        let open = self.open[i] * dry + OPEN_UNDER_WATER * (1.0 - dry);
        let upright = self.upright(i);
        let bump = material.bump * dry;
        let normal = unit(upright - (bump - upright * bump.dot(upright)));
        let facing = normal.dot(sun).max(0.0);
        material.albedo * sky.on(normal.y, facing * self.lit[i], open)
    }

    /// The normal of the ground without small bumps.
    #[inline(always)]
    fn upright(&self, i: usize) -> Vec3 {
        unit(Vec3::new(-self.east[i], 1.0, -self.south[i]))
    }

    #[inline(always)]
    fn bed(&self, i: usize, sky: &Sky, sun: Vec3) -> Vec3 {
        let normal = self.upright(i);
        let facing = normal.dot(sun).max(0.0);
        material::PLAIN_BED * sky.on(normal.y, facing * self.lit[i], OPEN_UNDER_WATER)
    }
}

#[inline(always)]
fn unit(vector: Vec3) -> Vec3 {
    vector * (1.0 / vector.length_squared().sqrt())
}

impl Light {
    #[inline(always)]
    fn of(color: impl Fn(usize) -> Vec3) -> Self {
        let mut light = Self([[0.0; BLOCK]; 3]);
        let [red, green, blue] = &mut light.0;
        for i in 0..BLOCK {
            let color = color(i);
            red[i] = color.x;
            green[i] = color.y;
            blue[i] = color.z;
        }
        light
    }

    /// Applies exposure and tone mapping, and writes the pixels.
    pub(super) fn show(&self, exposure: f32, screen: &Screen, pixels: &mut [[u8; 3]]) {
        let bytes = dispatch!(Level::new(), _simd => bytes(&self.0, exposure, screen));
        for (i, pixel) in pixels.iter_mut().enumerate() {
            *pixel = bytes.each_ref().map(|channel| channel[i]);
        }
    }
}

#[inline(always)]
fn bytes([red, green, blue]: &[Block; 3], exposure: f32, screen: &Screen) -> [[u8; BLOCK]; 3] {
    let mut bytes = [[0; BLOCK]; 3];
    for i in 0..BLOCK {
        let shown = tone::film(Vec3::new(red[i], green[i], blue[i]) * exposure);
        for (channel, share) in bytes.iter_mut().zip(shown.to_array()) {
            channel[i] = screen.byte(share);
        }
    }
    bytes
}
