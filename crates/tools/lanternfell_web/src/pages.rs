//! Which pages there are: the one place that says so.
//!
//! Who adds a page adds a line here, and a folder of its name in `pages/`: `body.html` is what stands in the
//! shell, and all other files are copied beside it. The table leads the build, the index, the budgets and
//! the tests.

use crate::failure::Failure;

/// One page.
#[derive(Debug)]
pub struct Page {
    /// Its folder, and its name on the command line.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// What makes it.
    pub kind: Kind,
}

/// What makes a page.
#[derive(Debug)]
pub enum Kind {
    /// JavaScript on the package, without an engine.
    Module,
    /// A program with Bevy: one of the root package's examples.
    Engine(&'static str),
}

/// The root package's features for all programs with Bevy: with others, Bevy would be built anew.
pub const ENGINE_FEATURES: &str = "rapier,web-worker";

/// All of them, in the order of the index.
pub const PAGES: &[Page] = &[
    Page {
        name: "island",
        title: "Island",
        about: "An island to fly over and walk on, made while you watch and tuned while you look",
        kind: Kind::Engine("island"),
    },
    Page {
        name: "gutterlight",
        title: "Gutterlight",
        about: "A thief, a keep and its guards: a roguelike in which light is what you hide from",
        kind: Kind::Engine("torch_stealth"),
    },
    Page {
        name: "generators",
        title: "Generators",
        about: "Islands, ranges and deserts while you move the sliders: every algorithm, preset and filter",
        kind: Kind::Module,
    },
    Page {
        name: "torchlight",
        title: "Torchlight",
        about: "A wall, a torch and a chisel: carve rooms, and watch light find its way round the corners",
        kind: Kind::Module,
    },
    Page {
        name: "light_sandbox",
        title: "Light sandbox",
        about: "Colored lamps, glass, smoke and mirrors: every rule of the light to turn while you draw",
        kind: Kind::Engine("light_sandbox"),
    },
];

impl Page {
    /// How large all that the page loads may be, with brotli, in KiB.
    pub fn budget(&self) -> u64 {
        match self.kind {
            Kind::Module => 600,
            Kind::Engine(_) => 9 * 1024,
        }
    }

    /// Whether it takes a build of Bevy.
    pub fn is_engine(&self) -> bool {
        matches!(self.kind, Kind::Engine(_))
    }
}

/// The pages of these names, or all; without those with an engine if asked so.
///
/// # Errors
/// A name that no page has.
pub fn chosen(names: &[String], no_engine: bool) -> Result<Vec<&'static Page>, Failure> {
    let known = || PAGES.iter().map(|page| page.name);
    if let Some(name) = names
        .iter()
        .find(|name| !known().any(|known| known == **name))
    {
        return Err(Failure::UnknownPage {
            name: name.clone(),
            known: known().collect::<Vec<_>>().join(", "),
        });
    }
    let asked = |page: &&Page| names.is_empty() || names.iter().any(|name| name == page.name);
    let wanted = PAGES.iter().filter(asked);
    Ok(wanted
        .filter(|page| !(no_engine && page.is_engine()))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_fit_for_addresses_and_each_is_there_once() {
        for (index, page) in PAGES.iter().enumerate() {
            let fits = |letter: char| letter.is_ascii_lowercase() || letter == '_';
            assert!(page.name.chars().all(fits), "{}", page.name);
            assert!(PAGES[..index].iter().all(|other| other.name != page.name));
            assert!((30..120).contains(&page.about.len()), "{}", page.about);
        }
    }

    #[test]
    fn names_choose_pages_and_wrong_ones_are_named() {
        let names = |of: Vec<&Page>| of.iter().map(|page| page.name).collect::<Vec<_>>();
        assert_eq!(names(chosen(&[], false).unwrap()).len(), PAGES.len());
        let one = chosen(&["torchlight".to_owned()], true).unwrap();
        assert_eq!(names(one), ["torchlight"]);
        let wrong = chosen(&["torch".to_owned()], false).unwrap_err();
        assert!(
            wrong
                .to_string()
                .starts_with("there is no page `torch`: there are island")
        );
    }

    #[test]
    fn each_page_has_its_files() {
        let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("pages");
        for page in PAGES {
            assert!(pages.join(format!("pictures/{}.webp", page.name)).is_file());
            let body = pages.join(page.name).join("body.html");
            assert!(page.is_engine() || body.is_file(), "{}", body.display());
        }
    }
}
