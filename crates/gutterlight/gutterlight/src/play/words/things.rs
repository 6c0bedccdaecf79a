//! Names and numbers that sentences are made of.

use gutterlight_rules::{Item, LightBand};

/// A band as a word.
pub fn band(band: LightBand) -> &'static str {
    match band {
        LightBand::Hidden => "hidden",
        LightBand::Dim => "dim",
        LightBand::Lit => "lit",
        LightBand::Blazing => "blazing",
    }
}

/// Something that lies about, with its article.
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

/// How far away something is heard.
pub const fn near(steps: u16) -> &'static str {
    match steps {
        ..6 => "close",
        6..12 => "near",
        _ => "far off",
    }
}

/// How a fight would end that so many of a hundred end well.
pub fn odds(won: u8) -> String {
    match won {
        0 => "you would lose a fight".into(),
        100 => "you would win a fight".into(),
        won => format!("you would win {won} of 100 fights"),
    }
}

/// A number of things.
pub fn counted(number: u32, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

/// How often.
pub fn times(number: u32) -> String {
    match number {
        0 => "never".into(),
        1 => "once".into(),
        number => format!("{number} times"),
    }
}
