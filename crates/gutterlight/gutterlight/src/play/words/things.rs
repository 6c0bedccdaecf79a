//! Names of things, distances and numbers.

use gutterlight_rules::{Item, LightBand};

/// The name of a light band.
pub fn band(band: LightBand) -> &'static str {
    match band {
        LightBand::Hidden => "hidden",
        LightBand::Dim => "dim",
        LightBand::Lit => "lit",
        LightBand::Blazing => "blazing",
    }
}

/// The name of an item, with its article.
pub fn thing(item: Item) -> String {
    match item {
        Item::Tool(stack) if stack.count > 1 => format!("{} x {}", stack.count, stack.tool.name()),
        Item::Tool(stack) => format!("the {}", stack.tool.name()),
        Item::Torch(torch) => format!("a torch ({})", torch.fuel),
        Item::Key => "a key".into(),
        Item::Treasure(worth) => format!("treasure worth {worth}"),
        Item::Cloth(beats) => format!("cloth ({beats})"),
        Item::Ember => "the Ember".into(),
        Item::Prisoner => "the prisoner".into(),
    }
}

/// A distance of a sound, as a word.
pub const fn near(steps: u16) -> &'static str {
    match steps {
        ..6 => "close",
        6..12 => "near",
        _ => "far off",
    }
}

/// The odds of a fight, out of 100.
pub fn odds(won: u8) -> String {
    match won {
        0 => "you would lose a fight".into(),
        100 => "you would win a fight".into(),
        won => format!("you would win {won} of 100 fights"),
    }
}

/// A number and a noun.
pub fn counted(number: u32, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        number => format!("{number} {}", plural(thing)),
    }
}

/// The plural of an English noun.
fn plural(noun: &str) -> String {
    if let Some(stem) = noun.strip_suffix("man") {
        return format!("{stem}men");
    }
    if let Some(stem) = noun.strip_suffix('y')
        && !stem.ends_with(['a', 'e', 'o', 'u'])
    {
        return format!("{stem}ies");
    }
    let is_sibilant = ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    format!("{noun}{}", if is_sibilant { "es" } else { "s" })
}

/// A number of times.
pub fn times(number: u32) -> String {
    match number {
        0 => "never".into(),
        1 => "once".into(),
        number => format!("{number} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_of_irregular_nouns() {
        for (noun, plurals) in [
            ("watchman", "2 watchmen"),
            ("sentry", "2 sentries"),
            ("hound", "2 hounds"),
            ("key", "2 keys"),
            ("torch", "2 torches"),
        ] {
            assert_eq!(counted(2, noun), plurals);
        }
        assert_eq!(counted(1, "watchman"), "1 watchman");
        assert_eq!(counted(0, "turn"), "0 turns");
    }
}
