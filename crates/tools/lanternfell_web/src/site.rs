//! The output folder: the package, a folder for each page, and the index.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    failure::Failure,
    module::Module,
    pages::{ENGINE_PACKAGES, Kind, Page},
    say,
    size::{self, Size},
    template::{self, Wasm},
    toolchain::Toolchain,
    workspace::{Workspace, on_path},
};

/// The folder of the package, in the site and for `npm pack`.
const PACKAGE: &str = "lanternfell";

/// The cargo profile of programs with Bevy, optimized for build time.
const ENGINE_PROFILE: &str = "web-engine";

/// Writes the site.
struct Builder<'a> {
    workspace: &'a Workspace,
    toolchain: Toolchain,
    wasm_opt: Option<PathBuf>,
    folder: &'a Path,
}

/// Builds the package and these pages, and prints their sizes.
///
/// # Errors
/// If something does not build, or is over its budget.
pub fn build(workspace: &Workspace, pages: &[&Page], folder: &Path) -> Result<(), Failure> {
    let toolchain = Toolchain::find()?;
    say(&toolchain.about());
    let wasm_opt = on_path(&["wasm-opt"]);
    if let Some(program) = &wasm_opt {
        say(&format!("modules are optimized by {}", program.display()));
    }
    let builder = Builder {
        workspace,
        toolchain,
        wasm_opt,
        folder,
    };
    let package = builder.package()?;
    let shell = builder.shell(pages)?;
    let mut over = Vec::new();
    for page in pages {
        let size = builder.page(page, &package)? + shell;
        say(&format!("{:>12} {size}", page.name));
        over.extend(size.check(page.name, page.budget()).err());
    }
    say(&format!("{:>12} {}", "the package", package.size));
    say(&format!("written to {}", folder.display()));
    over.into_iter().next().map_or(Ok(()), Err)
}

/// The package, as used by pages.
struct Package {
    size: Size,
    wasm: Wasm,
}

impl Builder<'_> {
    fn package(&self) -> Result<Package, Failure> {
        let made =
            Module::PACKAGE.make(self.workspace, &self.toolchain, self.wasm_opt.as_deref())?;
        let folder = self.folder.join(PACKAGE);
        let sources = self
            .workspace
            .root
            .join("crates/tools/lanternfell_js/package");
        let mut files = copy_folder(&sources, &folder)?;
        write_manifest(&sources, &folder)?;
        for name in ["lanternfell_js.js", "lanternfell_js_bg.wasm"] {
            files.push(copy(&made.join(name), &folder.join(name))?);
        }
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            copy(&self.workspace.root.join(name), &folder.join(name))?;
        }
        // Pages do not load the types, the texts and the example of the package.
        files.retain(|file| file.parent() == Some(&folder));
        let address = format!("../{PACKAGE}/lanternfell_js_bg.wasm");
        let bytes = fs::metadata(folder.join("lanternfell_js_bg.wasm"))
            .map_err(Failure::of(&folder))?
            .len();
        Ok(Package {
            size: loaded_size(&files)?,
            wasm: Wasm {
                script: format!("../{PACKAGE}/lanternfell.js"),
                address,
                bytes,
            },
        })
    }

    /// Writes the index and the files that all pages share. Returns the size of the shared files.
    fn shell(&self, pages: &[&Page]) -> Result<Size, Failure> {
        let sources = self.workspace.sources().join("pages");
        let shared = copy_folder(&sources.join("shell"), &self.folder.join("shell"))?;
        for picture in pages
            .iter()
            .map(|page| format!("pictures/{}.webp", page.name))
        {
            copy(&sources.join(&picture), &self.folder.join(&picture))?;
        }
        size::write_compressed(
            &self.folder.join("index.html"),
            template::index(pages).as_bytes(),
        )?;
        loaded_size(&shared)
    }

    /// Writes a page. Returns the size of the files that it loads, without the shared files.
    fn page(&self, page: &Page, package: &Package) -> Result<Size, Failure> {
        let source = self.workspace.sources().join("pages").join(page.name);
        let folder = self.folder.join(page.name);
        let mut files = match source.is_dir() {
            true => copy_folder(&source, &folder)?,
            false => Vec::new(),
        };
        let wasm = match page.kind {
            Kind::Module => package.wasm.clone(),
            Kind::Engine(example) => self.engine(example, &folder, &mut files)?,
        };
        let body = fs::read_to_string(source.join("body.html")).unwrap_or_default();
        let html = template::page(page, &body, &wasm);
        files.push(folder.join("index.html"));
        size::write_compressed(&folder.join("index.html"), html.as_bytes())?;
        let own = loaded_size(&files)?;
        Ok(if page.is_engine() {
            own
        } else {
            own + package.size
        })
    }

    /// Builds the module of a program. Adds the written files to `files`.
    fn engine(
        &self,
        example: &str,
        folder: &Path,
        files: &mut Vec<PathBuf>,
    ) -> Result<Wasm, Failure> {
        let module = Module {
            name: example,
            folder: example,
            command: "build",
            choice: &[&ENGINE_PACKAGES[..], &["--example", example]].concat(),
            profile: ENGINE_PROFILE,
        };
        let made = module.make(self.workspace, &self.toolchain, self.wasm_opt.as_deref())?;
        let [script, wasm] = [format!("{example}.js"), format!("{example}_bg.wasm")];
        for name in [&script, &wasm] {
            files.push(copy(&made.join(name), &folder.join(name))?);
        }
        // Scripts from the crates in the program.
        if made.join("snippets").is_dir() {
            files.append(&mut copy_folder(
                &made.join("snippets"),
                &folder.join("snippets"),
            )?);
        }
        let bytes = fs::metadata(folder.join(&wasm))
            .map_err(Failure::of(folder))?
            .len();
        Ok(Wasm {
            script: format!("./{script}"),
            address: format!("./{wasm}"),
            bytes,
        })
    }
}

/// Writes the manifest of the package with the version of the workspace, which is that of this tool.
fn write_manifest(from: &Path, to: &Path) -> Result<(), Failure> {
    let path = from.join("package.json");
    let text = fs::read_to_string(&path).map_err(Failure::of(&path))?;
    let versioned = text.replace("\"0.0.0\"", &format!("\"{}\"", env!("CARGO_PKG_VERSION")));
    size::write_compressed(&to.join("package.json"), versioned.as_bytes())
}

/// Copies a folder recursively, without files that only this tool reads. Returns the paths of the copies.
fn copy_folder(from: &Path, to: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut copied = Vec::new();
    for entry in entries(from)? {
        let name = entry.file_name().unwrap_or_default().to_owned();
        if entry.is_dir() {
            copied.append(&mut copy_folder(&entry, &to.join(name))?);
        } else if !is_for_the_tool(&entry) {
            copied.push(copy(&entry, &to.join(name))?);
        }
    }
    Ok(copied)
}

fn copy(from: &Path, to: &Path) -> Result<PathBuf, Failure> {
    let bytes = fs::read(from).map_err(Failure::of(from))?;
    size::write_compressed(to, &bytes)?;
    Ok(to.to_owned())
}

/// The entries of a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::of(folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(Failure::of(folder))?.path());
    }
    paths.sort();
    Ok(paths)
}

/// The size of those files that a page loads.
fn loaded_size(files: &[PathBuf]) -> Result<Size, Failure> {
    let loaded = files.iter().filter(|file| is_loaded(file));
    loaded.map(|file| size::of_file(file)).sum()
}

/// Whether the file is an input of the template.
fn is_for_the_tool(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "body.html")
}

/// Whether a page loads the file. Excludes types, texts, licenses and compressed versions.
fn is_loaded(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unseen = [".gz", ".br", ".md", ".d.ts", "package.json", "node.js"];
    !unseen.iter().any(|ending| name.ends_with(ending)) && !name.starts_with("LICENSE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_loaded_files_only() {
        for name in [
            "a/main.js",
            "lanternfell_js_bg.wasm",
            "style.css",
            "index.html",
            "lamp.webp",
        ] {
            assert!(is_loaded(Path::new(name)), "{name}");
        }
        for name in [
            "main.js.br",
            "main.js.gz",
            "README.md",
            "lanternfell.d.ts",
            "package.json",
            "LICENSE-MIT",
        ] {
            assert!(!is_loaded(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn copies_folder_without_template_input() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        fs::create_dir_all(from.join("deep")).unwrap();
        for (name, text) in [
            ("body.html", "<p>"),
            ("main.js", "1"),
            ("deep/worker.js", "22"),
        ] {
            fs::write(from.join(name), text).unwrap();
        }
        let to = folder.path().join("to");
        let copied = copy_folder(&from, &to).unwrap();
        assert_eq!(copied, [to.join("deep/worker.js"), to.join("main.js")]);
        assert!(!to.join("body.html").exists());
        assert_eq!(loaded_size(&copied).unwrap().raw, 3);
        assert!(copy_folder(&folder.path().join("nowhere"), &to).is_err());
    }
}
