//! Finds names that are similar to a misspelled one.
//!
//! The distance of two names is the number of letters that must be inserted, deleted, replaced, or swapped with their
//! neighbor to turn one into the other (optimal string alignment distance). Names are short, so the full table of
//! prefixes is fast enough.

/// Returns up to three similar names, the nearest first, and in alphabetical order if they are equally near.
pub(super) fn similar<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let far = 1 + wrong.chars().count() / 4;
    let near = |name: &'a str| Some((distance(wrong, name), name)).filter(|near| near.0 <= far);
    let mut near: Vec<_> = names.filter_map(near).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|(_, name)| name).take(MOST).collect()
}

/// The maximum number of suggestions.
const MOST: usize = 3;

fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // table[i][j] is the distance between the first i letters of `a` and the first j letters of `b`.
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let exchanged = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let put_in = table[i][j - 1].min(table[i - 1][j]) + 1;
                let is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swapped = if is_swap {
                    table[i - 2][j - 2] + 1
                } else {
                    usize::MAX
                };
                exchanged.min(put_in).min(swapped)
            };
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        for (a, b, apart) in [
            ("", "", 0),
            ("", "abc", 3),
            ("relief", "relief", 0),
            ("relief", "releif", 1),
            ("hils", "hills", 1),
            ("kitten", "sitting", 3),
            ("größe", "grösse", 2),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (apart, apart), "{a} {b}");
        }
    }

    #[test]
    fn returns_nearest_names_first() {
        let names = ["lacunarity", "gain", "gamma", "gains", "chain", "gain"];
        assert_eq!(similar("gian", names.into_iter()), ["gain", "gains"]);
        assert_eq!(similar("lacunrity", names.into_iter()), ["lacunarity"]);
        assert!(similar("xyzzy", names.into_iter()).is_empty());
    }
}
