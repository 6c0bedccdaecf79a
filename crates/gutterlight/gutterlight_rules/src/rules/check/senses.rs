//! The allowed ranges of the numbers for light, sound and materials.

use super::{agree, check, percent, reach, row, written};
use crate::{
    limits::SOUND_BUCKETS,
    rules::{Color, LightRules, MaterialRules, NoiseRules, RulesError},
};

impl MaterialRules {
    pub(super) fn check(&self) -> Result<(), RulesError> {
        let colors = [
            ("rock", &self.rock),
            ("wall", &self.wall),
            ("door", &self.door),
            ("glass", &self.glass),
        ];
        // A material that reflects all light would never lose it.
        check_colors("materials", &colors, 0.99)?;
        let rows = [
            // Cells that pass no light count as walls, in which no one can stand.
            row("curtain[0]", written(self.curtain.0), 0.01, 1),
            row("curtain[1]", written(self.curtain.1), 0, 1),
            row("bars[0]", written(self.bars.0), 0.01, 1),
            row("bars[1]", written(self.bars.1), 0, 1),
            row("smoke", written(self.smoke), 0, 0.99),
        ];
        check("materials", &rows)
    }
}

/// Checks that each channel of the colors is at most `most`.
pub(super) fn check_colors(
    section: &str,
    colors: &[(&str, &Color)],
    most: f64,
) -> Result<(), RulesError> {
    for (name, &[red, green, blue]) in colors.iter().copied() {
        let names = [0, 1, 2].map(|channel| format!("{name}[{channel}]"));
        let rows = [
            row(&names[0], written(red), 0, most),
            row(&names[1], written(green), 0, most),
            row(&names[2], written(blue), 0, most),
        ];
        check(section, &rows)?;
    }
    Ok(())
}

impl LightRules {
    pub(super) fn check(&self) -> Result<(), RulesError> {
        let rows = [
            // The limits of `LightSettings`.
            row("radius", written(self.radius), 1, 1000),
            row("tolerance", written(self.tolerance), 1e-6, 0.1),
        ];
        check("light", &rows)?;
        let [dim, lit, blazing] = self.bands.from;
        let rows = [
            row("from[0]", written(dim), 1e-4, 16),
            row("from[1]", written(lit), 1e-4, 16),
            row("from[2]", written(blazing), 1e-4, 16),
            row("hysteresis", written(self.bands.hysteresis), 0, 0.9),
        ];
        check("light.bands", &rows)?;
        agree(
            dim < lit && lit < blazing && self.bands.validate().is_ok(),
            "light.bands.from must be increasing",
        )?;
        self.check_colors()
    }

    fn check_colors(&self) -> Result<(), RulesError> {
        let colors: [(&str, &Color); 9] = [
            ("torch", &self.torch),
            ("sconce", &self.sconce),
            ("brazier", &self.brazier),
            ("fungus", &self.fungus),
            ("crystal", &self.crystal),
            ("moonlight", &self.moonlight),
            ("fire", &self.fire),
            ("ember", &self.ember),
            ("embers", &self.embers),
        ];
        check_colors("light", &colors, 16.0)
    }
}

impl NoiseRules {
    pub(super) fn check(&self) -> Result<(), RulesError> {
        // A diagonal step into the most muffling cell must still have a bucket of its own.
        let muffles = |name, value: u16| row(name, value, 0, SOUND_BUCKETS as u32 - 15);
        let rows = [
            muffles("door_muffles", self.door_muffles),
            muffles("curtain_muffles", self.curtain_muffles),
            muffles("glass_muffles", self.glass_muffles),
            reach("walk", self.walk),
            reach("sneak", self.sneak),
            reach("run", self.run),
            percent("stone", self.stone),
            percent("carpet", self.carpet),
            percent("gravel", self.gravel),
            percent("water", self.water),
            percent("earth", self.earth),
            reach("guard_walk", self.guard_walk),
            reach("guard_run", self.guard_run),
            reach("paws", self.paws),
            reach("voice", self.voice),
            reach("call", self.call),
            reach("howl", self.howl),
            reach("door", self.door),
            reach("curtain", self.curtain),
            reach("lock", self.lock),
            reach("picklock", self.picklock),
            reach("shutter", self.shutter),
            reach("takedown", self.takedown),
            reach("fight", self.fight),
            reach("fall", self.fall),
            reach("shove", self.shove),
            reach("flame", self.flame),
            reach("hiss", self.hiss),
            reach("glass", self.glass),
            reach("pebble", self.pebble),
            reach("burst", self.burst),
            reach("pick_up", self.pick_up),
            reach("thief_hears", self.thief_hears),
            reach("trumpet_hears", self.trumpet_hears),
        ];
        check("noise", &rows)
    }
}
