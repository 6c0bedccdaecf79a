//! The list of all pages.
//!
//! To add a page, add an entry here and a folder with its name in `pages/`. The folder contains `body.html`, the
//! content of the page; all other files are copied. The build, the index, the budgets and the tests use this list.

use crate::failure::Failure;

/// A page.
#[derive(Debug)]
pub struct Page {
    /// The name of its folder, also used on the command line.
    pub name: &'static str,
    /// The title.
    pub title: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// How the page is built.
    pub kind: Kind,
}

/// How a page is built.
#[derive(Debug)]
pub enum Kind {
    /// From JavaScript and the package, without Bevy.
    Module,
    /// From a program with Bevy: an example of one of the [`ENGINE_PACKAGES`].
    Engine(&'static str),
}

/// Cargo's arguments for all programs with Bevy. If packages or features differed, Bevy would be compiled again.
pub const ENGINE_PACKAGES: [&str; 7] = [
    "--package",
    "lanternfell",
    "--package",
    "gutterlight",
    "--no-default-features",
    "--features",
    "lanternfell/rapier,lanternfell/web-worker,gutterlight/play",
];

/// All pages, in the order of the index.
pub const PAGES: &[Page] = &[
    Page {
        name: "island",
        title: "Island",
        about: "Generate an island, fly over it, walk on it, and change its settings live",
        kind: Kind::Engine("island"),
    },
    Page {
        name: "gutterlight",
        title: "Gutterlight",
        about: "A stealth roguelike: hide from the guards of a keep, and from the light",
        kind: Kind::Engine("torch_stealth"),
    },
    Page {
        name: "generators",
        title: "Generators",
        about: "Every terrain generator, preset and filter, with sliders and a live preview",
        kind: Kind::Module,
    },
    Page {
        name: "torchlight",
        title: "Torchlight",
        about: "Carve rooms into a wall by torchlight, and watch light flow around corners",
        kind: Kind::Module,
    },
    Page {
        name: "light_sandbox",
        title: "Light sandbox",
        about: "Draw with colored lamps, glass, smoke and mirrors, and change how light behaves",
        kind: Kind::Engine("light_sandbox"),
    },
];

impl Page {
    /// The budget for all files that the page loads, with brotli, in KiB.
    pub fn budget(&self) -> u64 {
        match self.kind {
            Kind::Module => 600,
            Kind::Engine(_) => 9 * 1024,
        }
    }

    /// Whether the page contains Bevy.
    pub fn is_engine(&self) -> bool {
        matches!(self.kind, Kind::Engine(_))
    }
}

/// The pages with these names, or all if there are none. Without the pages with Bevy if `no_engine` is `true`.
///
/// # Errors
/// If there is no page with one of the names.
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
    fn names_are_valid_and_unique() {
        for (index, page) in PAGES.iter().enumerate() {
            let fits = |letter: char| letter.is_ascii_lowercase() || letter == '_';
            assert!(page.name.chars().all(fits), "{}", page.name);
            assert!(PAGES[..index].iter().all(|other| other.name != page.name));
            assert!((30..120).contains(&page.about.len()), "{}", page.about);
        }
    }

    #[test]
    fn selects_pages_by_name() {
        let names = |of: Vec<&Page>| of.iter().map(|page| page.name).collect::<Vec<_>>();
        assert_eq!(names(chosen(&[], false).unwrap()).len(), PAGES.len());
        let one = chosen(&["torchlight".to_owned()], true).unwrap();
        assert_eq!(names(one), ["torchlight"]);
        let wrong = chosen(&["torch".to_owned()], false).unwrap_err();
        assert!(
            wrong
                .to_string()
                .starts_with("unknown page `torch`, expected one of island")
        );
    }

    #[test]
    fn every_page_has_its_files() {
        let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("pages");
        for page in PAGES {
            assert!(pages.join(format!("pictures/{}.webp", page.name)).is_file());
            let body = pages.join(page.name).join("body.html");
            assert!(page.is_engine() || body.is_file(), "{}", body.display());
        }
    }
}
