//! Sentences in lines.

/// How long lines may be, in letters: on wide pages, and on narrow ones.
pub const WIDE: usize = 70;
pub const NARROW: usize = 38;

/// And beside a picture.
pub const ASIDE: usize = 32;

/// The lines of a text, each wrapped.
pub fn lines(text: &str, width: usize) -> impl Iterator<Item = String> {
    text.lines().flat_map(move |line| wrapped(line, width))
}

/// A sentence in lines of at most so many letters, where its words allow.
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
