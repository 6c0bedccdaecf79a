//! Implementation on native platforms, where there is no page.

use crate::web_page::ChosenFile;

pub(crate) fn options() -> Option<Vec<String>> {
    None
}

pub(crate) fn show_options(_options: &[(&str, String)]) -> Option<()> {
    None
}

pub(crate) fn dispatch_event(_event: &str, _detail: &str) -> Option<()> {
    None
}

pub(crate) fn offer(_name: &str, _bytes: &[u8]) -> Option<()> {
    None
}

pub(crate) fn ask(_endings: &str, _limit: usize) -> Option<()> {
    None
}

pub(crate) fn chosen() -> Option<Result<ChosenFile, String>> {
    None
}
