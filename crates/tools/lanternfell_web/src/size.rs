//! File sizes, uncompressed and as sent to browsers, and their budgets.

use std::{
    fmt,
    io::Write,
    iter::Sum,
    ops::Add,
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};

use crate::failure::Failure;

/// Above this size the best brotli quality takes minutes, and saves only about 2%.
const LARGE: usize = 8 << 20;

/// The size of one or more files in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Uncompressed.
    pub raw: u64,
    /// Compressed with gzip.
    pub gzip: u64,
    /// Compressed with brotli.
    pub brotli: u64,
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            raw: self.raw + other.raw,
            gzip: self.gzip + other.gzip,
            brotli: self.brotli + other.brotli,
        }
    }
}

impl Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kib = |bytes: u64| bytes as f64 / 1024.0;
        let [raw, gzip, brotli] = [self.raw, self.gzip, self.brotli].map(kib);
        write!(
            formatter,
            "{raw:9.1} KiB, gzip {gzip:8.1}, brotli {brotli:8.1}"
        )
    }
}

impl Size {
    /// Checks the size with brotli against a budget in KiB.
    ///
    /// # Errors
    /// If the size exceeds the budget.
    pub fn check(&self, name: &str, budget: u64) -> Result<(), Failure> {
        let kib = self.brotli.div_ceil(1024);
        if kib <= budget {
            return Ok(());
        }
        Err(Failure::OverBudget(format!(
            "{name} is {kib} KiB with brotli, but its budget is {budget} KiB"
        )))
    }
}

/// Whether a file is worth compressing. Markdown files are excluded, since npm would pack the compressed files next to
/// a README.
pub fn is_compressible(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    matches!(
        ending,
        Some("css" | "html" | "js" | "json" | "ron" | "svg" | "ts" | "wasm")
    )
}

/// Writes a file if its content has changed, with compressed versions (`.gz` and `.br`) that hosts can send instead.
///
/// Compression is the slowest part of a build, so unchanged files are not compressed again.
pub fn write_compressed(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let [gzip, brotli] = ["gz", "br"].map(|suffix| with_suffix(path, suffix));
    if !is_compressible(path) {
        // Remove compressed files from an earlier build, since hosts would still send them.
        for old in [gzip, brotli].iter().filter(|old| old.is_file()) {
            std::fs::remove_file(old).map_err(Failure::of(old))?;
        }
        return write_if_new(path, bytes).map(drop);
    }
    let is_new = write_if_new(path, bytes)?;
    if is_new || !gzip.is_file() {
        write(&gzip, &gzipped(bytes))?;
    }
    if is_new || !brotli.is_file() {
        write(&brotli, &brotlied(bytes))?;
    }
    Ok(())
}

/// The size of a written file. Files that are not compressed are sent uncompressed.
pub fn of_file(path: &Path) -> Result<Size, Failure> {
    let length = |path: &Path| {
        std::fs::metadata(path)
            .map(|data| data.len())
            .map_err(Failure::of(path))
    };
    let raw = length(path)?;
    if !is_compressible(path) {
        return Ok(Size {
            raw,
            gzip: raw,
            brotli: raw,
        });
    }
    let gzip = length(&with_suffix(path, "gz"))?;
    Ok(Size {
        raw,
        gzip,
        brotli: length(&with_suffix(path, "br"))?,
    })
}

fn write_if_new(path: &Path, bytes: &[u8]) -> Result<bool, Failure> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    write(path, bytes).map(|()| true)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Failure::of(folder))?;
    }
    lanternfell_files::write(path, bytes).map_err(Failure::of(path))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    name.into()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("writing to memory cannot fail")
}

fn brotlied(mut bytes: &[u8]) -> Vec<u8> {
    let params = brotli::enc::BrotliEncoderParams {
        quality: if bytes.len() > LARGE { 9 } else { 11 },
        lgwin: 24,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut written = Vec::new();
    brotli::BrotliCompress(&mut bytes, &mut written, &params)
        .expect("writing to memory cannot fail");
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_budget() {
        let size = Size {
            raw: 9999,
            gzip: 2000,
            brotli: 1025,
        };
        assert!(size.check("page", 2).is_ok());
        let over = size.check("page", 1).unwrap_err().to_string();
        assert_eq!(
            over,
            "over budget: page is 2 KiB with brotli, but its budget is 1 KiB"
        );
    }

    #[test]
    fn compression_round_trips() {
        let text = b"fire and water ".repeat(99);
        let mut back = Vec::new();
        std::io::copy(
            &mut flate2::read::GzDecoder::new(&gzipped(&text)[..]),
            &mut back,
        )
        .unwrap();
        assert_eq!(back, text);
        let packed = brotlied(&text);
        assert!(packed.len() < 99);
        let mut back = Vec::new();
        brotli::BrotliDecompress(&mut &packed[..], &mut back).unwrap();
        assert_eq!(back, text);
    }

    #[test]
    fn compresses_only_changed_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/page.html");
        write_compressed(&path, b"one one one").unwrap();
        let first = of_file(&path).unwrap();
        assert_eq!(first.raw, 11);
        std::fs::write(with_suffix(&path, "br"), b"kept").unwrap();
        write_compressed(&path, b"one one one").unwrap();
        assert_eq!(of_file(&path).unwrap().brotli, 4);
        write_compressed(&path, b"two").unwrap();
        assert_eq!(
            std::fs::read(with_suffix(&path, "br")).unwrap(),
            brotlied(b"two")
        );
        assert_eq!([first, first].into_iter().sum::<Size>().raw, 22);
    }

    #[test]
    fn removes_compressed_readme() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("README.md");
        std::fs::write(with_suffix(&path, "br"), b"old").unwrap();
        write_compressed(&path, b"words").unwrap();
        assert!(
            path.is_file()
                && !with_suffix(&path, "br").exists()
                && !with_suffix(&path, "gz").exists()
        );
        assert_eq!(of_file(&path).unwrap().brotli, 5);
    }
}
