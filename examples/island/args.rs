//! The command line: what to show, from where, at which hour.

use lanternfell::{
    headless::{ArgsError, HeadlessArgs, none_left, value_of},
    heightmap::Generator,
};

use crate::{
    design::{Design, SIZES},
    sky::TimeOfDay,
    view::StartView,
};

/// What the command line asks for.
pub struct IslandArgs {
    pub headless: HeadlessArgs,
    pub view: StartView,
    /// Neither panel nor help line.
    pub bare: bool,
    algorithm: Option<String>,
    seed: Option<u64>,
    cells: Option<u64>,
    hour: Option<f32>,
}

const HELP: &str = "  --algorithm NAME    hills, faults, fluid or islands (hills)
  --seed N            which island (7)
  --cells N           cells along each side: 128, 256, 512, 1024 or 2048 (512)
  --hour H            the time of day, from 0 to 24 (9.5)
  --view NAME         air, shore or walk (air)
  --bare              neither panel nor help line
";

impl IslandArgs {
    /// Reads the process's arguments; a wrong one ends it with a line that says so.
    pub fn from_env() -> Self {
        let mut args: Vec<String> = std::env::args().skip(1).collect();
        Self::take_from(&mut args).unwrap_or_else(|answer| answer.end_process(HELP))
    }

    pub fn design(&self) -> Design {
        let name = self.algorithm.as_deref().unwrap_or("hills");
        let mut design = Design::of(name);
        design.seed = self.seed.unwrap_or(design.seed);
        design.resize(self.cells.unwrap_or(design.cells));
        design
    }

    pub fn time_of_day(&self) -> TimeOfDay {
        let mut time = TimeOfDay::default();
        time.hour = self.hour.unwrap_or(time.hour);
        time
    }

    fn take_from(args: &mut Vec<String>) -> Result<Self, ArgsError> {
        let mut found = Self {
            headless: HeadlessArgs::take_from(args)?,
            view: StartView::default(),
            bare: false,
            algorithm: None,
            seed: None,
            cells: None,
            hour: None,
        };
        let mut rest = Vec::new();
        let mut given = std::mem::take(args).into_iter();
        while let Some(name) = given.next() {
            let mut value = || value_of(&name, given.next());
            match name.as_str() {
                "--algorithm" => found.algorithm = Some(algorithm(value()?)?),
                "--seed" => found.seed = Some(parse(&name, &value()?, "a whole number", |_| true)?),
                "--cells" => {
                    let allowed = "128, 256, 512, 1024 or 2048";
                    found.cells = Some(parse(&name, &value()?, allowed, |n| SIZES.contains(n))?);
                }
                "--hour" => {
                    let fits = |hour: &f32| (0.0..=24.0).contains(hour);
                    found.hour = Some(parse(&name, &value()?, "from 0 to 24", fits)?);
                }
                "--view" => found.view = view(&value()?)?,
                "--bare" => found.bare = true,
                _ => rest.push(name),
            }
        }
        none_left(&rest)?;
        Ok(found)
    }
}

fn algorithm(name: String) -> Result<String, ArgsError> {
    if Generator::from_name(&name).is_some() {
        return Ok(name);
    }
    Err(wrong(
        "--algorithm",
        &name,
        "hills, faults, fluid or islands",
    ))
}

fn view(name: &str) -> Result<StartView, ArgsError> {
    StartView::from_name(name).ok_or_else(|| wrong("--view", name, "air, shore or walk"))
}

fn parse<T: std::str::FromStr>(
    name: &str,
    value: &str,
    allowed: &str,
    fits: impl Fn(&T) -> bool,
) -> Result<T, ArgsError> {
    value
        .parse()
        .ok()
        .filter(fits)
        .ok_or_else(|| wrong(name, value, allowed))
}

fn wrong(name: &str, value: &str, allowed: &str) -> ArgsError {
    ArgsError::Wrong(format!("{name} is `{value}`, but must be {allowed}"))
}
