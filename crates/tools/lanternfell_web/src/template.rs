//! Fills the HTML templates in `pages/templates`.
//!
//! A placeholder is `{{name}}`. A test checks that the templates and this file have the same placeholders.

use serde_json::json;

use crate::pages::{PAGES, Page};

const PAGE: &str = include_str!("../pages/templates/page.html");
const INDEX: &str = include_str!("../pages/templates/index.html");
const CARD: &str = include_str!("../pages/templates/card.html");

/// The module of a page. Its uncompressed size is needed for the progress bar, since it cannot be derived from a
/// compressed transfer.
#[derive(Debug, Clone)]
pub struct Wasm {
    /// The path of the JavaScript, relative to the folder of the page.
    pub script: String,
    /// The path of the module, relative to the folder of the page.
    pub address: String,
    /// The uncompressed size in bytes.
    pub bytes: u64,
}

/// The HTML of a page.
pub fn page(page: &Page, body: &str, wasm: &Wasm) -> String {
    let engine = page.is_engine();
    let config = json!({
        "name": page.name,
        "engine": engine,
        "script": wasm.script,
        "wasm": wasm.address,
        "bytes": wasm.bytes,
    });
    let start = if engine {
        "../shell/engine.js"
    } else {
        "./main.js"
    };
    let style = if engine {
        "../shell/engine.css"
    } else {
        "./style.css"
    };
    filled(
        PAGE,
        &[
            ("title", &escaped(page.title)),
            ("about", &escaped(page.about)),
            ("style", style),
            ("start", start),
            ("body", body),
            ("page", &config.to_string()),
        ],
    )
}

/// The index, with a card for each page that was built.
pub fn index(built: &[&Page]) -> String {
    let is_built = |page: &&Page| built.iter().any(|built| built.name == page.name);
    let cards: String = PAGES.iter().filter(is_built).map(card).collect();
    filled(INDEX, &[("cards", &cards)])
}

fn card(page: &Page) -> String {
    filled(
        CARD,
        &[
            ("name", page.name),
            ("title", &escaped(page.title)),
            ("about", &escaped(page.about)),
        ],
    )
}

fn filled(template: &str, holes: &[(&str, &str)]) -> String {
    // A single pass, since inserted text may contain placeholders.
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        let filling = holes
            .iter()
            .find(|hole| hole.0 == name)
            .map_or("", |hole| hole.1);
        text.extend([before, filling]);
        rest = after;
    }
    text + rest
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holes(template: &str) -> Vec<&str> {
        let after = template.split("{{").skip(1);
        let mut names: Vec<&str> = after
            .filter_map(|after| after.split_once("}}").map(|parts| parts.0))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    #[test]
    fn templates_have_the_expected_placeholders() {
        assert_eq!(
            holes(PAGE),
            ["about", "body", "page", "start", "style", "title"]
        );
        assert_eq!(holes(INDEX), ["cards"]);
        assert_eq!(holes(CARD), ["about", "name", "title"]);
    }

    #[test]
    fn inserted_text_is_not_expanded() {
        assert_eq!(
            filled("{{a}} and {{b}}.", &[("a", "{{b}}"), ("b", "c")]),
            "{{b}} and c."
        );
    }

    #[test]
    fn links_are_relative() {
        let wasm = Wasm {
            script: "./a.js".into(),
            address: "./a_bg.wasm".into(),
            bytes: 12,
        };
        for html in [
            page(&PAGES[0], "<p>", &wasm),
            index(&PAGES.iter().collect::<Vec<_>>()),
        ] {
            for link in ["href=\"/", "src=\"/", "http://", "https://", "url(/"] {
                assert!(!html.contains(link), "{link} in {html}");
            }
        }
        assert!(page(&PAGES[0], "<p>", &wasm).contains("\"bytes\":12"));
    }

    #[test]
    fn index_lists_built_pages_only() {
        let html = index(&[&PAGES[0]]);
        assert!(html.contains(PAGES[0].title) && !html.contains(PAGES[1].title));
        assert_eq!(escaped("a < \"b\" & c"), "a &lt; &quot;b&quot; &amp; c");
    }
}
