//! Builds, serves and tests Lanternfell's web pages and its package for JavaScript.
//!
//! ```text
//!   crates/tools/lanternfell_js --cargo, wasm-bindgen--> lanternfell/     the package, which `npm pack` takes
//!   pages/NAME, pages/shell -------template------> NAME/, shell/    a folder for each page
//!   examples with Bevy ----cargo, wasm-bindgen---> NAME/
//!                                                     | brotli, gzip, budgets
//!                                                     v
//!                                 a folder of files for any host   <-- serve, test
//! ```
//!
//! # How it is built
//! - [`pages`]: which pages there are.
//! - [`toolchain`], [`module`]: which way to wasm there is; from a crate to a module.
//! - [`template`], [`site`]: a page around its body; the folder of files.
//! - [`check`]: whether all compiles, without making modules.
//! - [`size`]: how large they are, and what is too large.
//! - [`serve`], [`browser`]: a server; the tests in node and in a browser.
//! - [`workspace`], [`failure`]: where things are; what can go wrong, one line each.
//!
//! Exit codes: 0, 2 for wrong arguments, 1 for all else.

mod browser;
mod check;
mod failure;
mod module;
mod pages;
mod serve;
mod site;
mod size;
mod template;
mod toolchain;
mod workspace;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, Parser, Subcommand};

use failure::Failure;
use serve::Server;
use workspace::Workspace;

/// Lanternfell's web pages and its package for JavaScript.
#[derive(Debug, Parser)]
#[command(name = "lanternfell_web", version)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Compile all that runs in a page, and make nothing of it.
    Check,
    /// Write a folder of files that any host can serve, and the package.
    Build(Choice),
    /// Serve the folder on 127.0.0.1.
    Serve {
        /// The folder; by default where `build` writes to.
        #[arg(long)]
        out: Option<PathBuf>,
        /// The port; 0 takes a free one.
        #[arg(long, default_value_t = 8080)]
        port: u16,
    },
    /// Build what is stale, then try everything in node and in a browser without a window.
    Test {
        #[command(flatten)]
        choice: Choice,
        /// Leave out the times beside THREE.Terrain.
        #[arg(long)]
        no_comparison: bool,
        /// Try what runs in node alone: the package, and the pages' scripts.
        #[arg(long, conflicts_with = "no_comparison")]
        no_browser: bool,
    },
}

#[derive(Debug, Args)]
struct Choice {
    /// These pages alone, separated by commas.
    #[arg(long, value_delimiter = ',')]
    pages: Vec<String>,
    /// The folder; by default `web/site` where cargo builds.
    #[arg(long)]
    out: Option<PathBuf>,
    /// No pages with Bevy, which take minutes to build.
    #[arg(long)]
    no_engine: bool,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return lanternfell_files::usage::answer(&error, ""),
    };
    let Err(failure) = obey(cli.command) else {
        return ExitCode::SUCCESS;
    };
    lanternfell_files::usage::say_wrong(&failure.to_string());
    match failure {
        Failure::UnknownPage { .. } => ExitCode::from(lanternfell_files::usage::WRONG),
        _ => ExitCode::FAILURE,
    }
}

fn obey(task: Task) -> Result<(), Failure> {
    match task {
        Task::Check => check::check(&Workspace::find()?),
        Task::Build(choice) => build(&choice).map(drop),
        Task::Serve { out, port } => {
            let folder =
                out.map_or_else(|| Workspace::find().map(|workspace| workspace.site()), Ok)?;
            serve(folder, port)
        }
        Task::Test {
            choice,
            no_comparison,
            no_browser,
        } => {
            let tools = browser::Tools::find(!no_browser)?;
            // Node runs no engine.
            let choice = Choice {
                no_engine: choice.no_engine || no_browser,
                ..choice
            };
            let folder = build(&choice)?;
            let pages = pages::chosen(&choice.pages, choice.no_engine)?;
            browser::test(&tools, &Workspace::find()?, &folder, &pages, !no_comparison)
        }
    }
}

fn build(choice: &Choice) -> Result<PathBuf, Failure> {
    let pages = pages::chosen(&choice.pages, choice.no_engine)?;
    let workspace = Workspace::find()?;
    let folder = choice.out.clone().unwrap_or_else(|| workspace.site());
    site::build(&workspace, &pages, &folder)?;
    Ok(folder)
}

fn serve(folder: PathBuf, port: u16) -> Result<(), Failure> {
    let server = Server::bind(&folder, port)?;
    let address = server
        .address()
        .map_err(|error| Failure::Port { port, error })?;
    say(&format!(
        "http://{address}/ serves {}; Ctrl-C ends it",
        folder.display()
    ));
    server.run().map_err(|error| Failure::Port { port, error })
}

/// A line on standard output.
fn say(line: &str) {
    // Whoever closed it does not want to know.
    let _ = writeln!(io::stdout(), "{line}");
}
