//! Tables as aligned text or Markdown.

use std::io::{self, Write};

/// A table. All rows have as many cells as the header.
pub struct Table<const COLUMNS: usize> {
    rows: Vec<[String; COLUMNS]>,
    /// `l` or `r` for each column.
    sides: &'static str,
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    /// Creates a table with a header, and the alignment of each column.
    pub fn new(header: [&str; COLUMNS], sides: &'static str) -> Self {
        Self {
            rows: vec![header.map(str::to_owned)],
            sides,
        }
    }

    /// Adds a row.
    pub fn add(&mut self, row: [String; COLUMNS]) {
        self.rows.push(row);
    }

    /// Writes the table, one line per row.
    pub fn write(&self, out: &mut dyn Write, markdown: bool) -> io::Result<()> {
        if !markdown {
            return self
                .rows
                .iter()
                .try_for_each(|row| writeln!(out, "  {}", self.aligned(row)));
        }
        for (number, row) in self.rows.iter().enumerate() {
            writeln!(out, "| {} |", row.join(" | "))?;
            if number == 0 {
                let rules = self
                    .sides
                    .chars()
                    .map(|side| if side == 'r' { "--:" } else { "---" });
                writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
            }
        }
        Ok(())
    }

    fn aligned(&self, row: &[String; COLUMNS]) -> String {
        let mut line = String::new();
        for (column, (cell, side)) in row.iter().zip(self.sides.chars()).enumerate() {
            let lengths = self.rows.iter().map(|row| row[column].chars().count());
            let width = lengths.max().unwrap_or(0);
            line += &match side {
                'r' => format!("{cell:>width$}  "),
                _ => format!("{cell:<width$}  "),
            };
        }
        line.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(markdown: bool) -> io::Result<String> {
        let mut table = Table::new(["who", "time"], "lr");
        table.add(["ours".into(), "1 us".into()]);
        table.add(["a peer's".into(), "17.5 us".into()]);
        let mut out = Vec::new();
        table.write(&mut out, markdown)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    #[test]
    fn writes_aligned_text() -> io::Result<()> {
        let text = "  who          time\n  ours         1 us\n  a peer's  17.5 us\n";
        assert_eq!(written(false)?, text);
        Ok(())
    }

    #[test]
    fn writes_markdown() -> io::Result<()> {
        let text = "| who | time |\n| --- | --: |\n| ours | 1 us |\n| a peer's | 17.5 us |\n";
        assert_eq!(written(true)?, text);
        Ok(())
    }
}
