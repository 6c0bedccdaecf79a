//! Builds, serves and tests Lanternfell's web pages and its JavaScript package.
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
//! # Modules
//! - [`pages`]: the list of pages.
//! - [`toolchain`], [`module`]: find a toolchain for WebAssembly, and compile a crate to a module.
//! - [`template`], [`site`]: the HTML of a page, and the folder of files.
//! - [`check`]: compiles everything without building modules.
//! - [`size`]: file sizes and their budgets.
//! - [`serve`], [`browser`]: a web server, and the tests in node and in a browser.
//! - [`workspace`], [`failure`]: paths, and the error type.
//!
//! Exit codes: 0 on success, 2 for invalid arguments, 1 for all other errors.

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

/// Builds, serves and tests Lanternfell's web pages and its JavaScript package.
#[derive(Debug, Parser)]
#[command(name = "lanternfell_web", version)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Compile everything that runs in a page, without building modules
    Check,
    /// Build the pages and the package into a folder that any web host can serve
    Build(Choice),
    /// Serve the folder on 127.0.0.1
    Serve {
        /// The folder to serve. Default: the output folder of `build`
        #[arg(long)]
        out: Option<PathBuf>,
        /// The port. 0 selects a free one
        #[arg(long, default_value_t = 8080)]
        port: u16,
    },
    /// Build what is out of date, then run all tests in node and in a headless browser
    Test {
        #[command(flatten)]
        choice: Choice,
        /// Skip the benchmarks against THREE.Terrain
        #[arg(long)]
        no_comparison: bool,
        /// Run only the tests in node: the package, and the scripts of the pages
        #[arg(long, conflicts_with = "no_comparison")]
        no_browser: bool,
    },
}

#[derive(Debug, Args)]
struct Choice {
    /// The pages to build, separated by commas. Default: all
    #[arg(long, value_delimiter = ',')]
    pages: Vec<String>,
    /// The output folder. Default: `web/site` in cargo's target folder
    #[arg(long)]
    out: Option<PathBuf>,
    /// Skip the pages with Bevy, which take minutes to build
    #[arg(long)]
    no_engine: bool,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return lanternfell_files::usage::report(&error, ""),
    };
    let Err(failure) = obey(cli.command) else {
        return ExitCode::SUCCESS;
    };
    lanternfell_files::usage::print_error(&failure.to_string());
    match failure {
        Failure::UnknownPage { .. } => ExitCode::from(lanternfell_files::usage::EXIT_CODE),
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
            // Pages with Bevy are not tested in node.
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
        "serving {} on http://{address}/ (press Ctrl-C to stop)",
        folder.display()
    ));
    server.run().map_err(|error| Failure::Port { port, error })
}

/// Prints a line to standard output.
fn say(line: &str) {
    // A closed pipe is not an error.
    let _ = writeln!(io::stdout(), "{line}");
}
