//! Wrapping text into lines.

/// Maximum line lengths in characters: wide pages, narrow pages.
pub const WIDE: usize = 70;
pub const NARROW: usize = 38;

/// Maximum line length next to a map.
pub const ASIDE: usize = 32;

/// Wraps each line of a text.
pub fn lines(text: &str, width: usize) -> impl Iterator<Item = String> {
    text.lines().flat_map(move |line| wrapped(line, width))
}

/// Wraps a sentence into lines of at most `width` characters. Longer words get their own line.
pub fn wrapped(sentence: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
