//! `--edits`: a log of edits.

use std::path::PathBuf;

use clap::Args;

/// The edits of a map.
#[derive(Debug, Args, Default, Clone)]
pub(crate) struct EditsArgs {
    /// Apply a log of edits to the whole map, before --crop, --resize and everything else: see `lanternfell edit
    /// --help`. Its holes are only written to .obj and .glb meshes
    #[arg(long, value_name = "FILE.edits")]
    pub(crate) edits: Option<PathBuf>,
}

impl EditsArgs {
    /// Returns whether the option was given.
    pub(crate) fn given(&self) -> bool {
        self.edits.is_some()
    }
}
