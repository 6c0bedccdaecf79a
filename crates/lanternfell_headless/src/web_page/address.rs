//! Converts between the fragment of an address (after `#`) and command-line options.

use form_urlencoded::{Serializer, parse};

/// Converts `seed=42&bare` to `--seed=42 --bare`. Skips entries without a name.
pub(crate) fn options_of(fragment: &str) -> Vec<String> {
    let fragment = fragment.trim_start_matches('#');
    let option = |(name, value): (_, _)| option(name, value);
    parse(fragment.as_bytes())
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .filter(|(name, _)| !name.is_empty())
        .map(option)
        .collect()
}

fn option(name: String, value: String) -> String {
    match value.is_empty() {
        true => format!("--{name}"),
        false => format!("--{name}={value}"),
    }
}

/// The inverse of [`options_of`]. An option with an empty value is a switch.
pub(crate) fn fragment_of(options: &[(&str, String)]) -> String {
    let mut fragment = Serializer::new(String::new());
    for (name, value) in options {
        match value.is_empty() {
            true => fragment.append_key_only(name),
            false => fragment.append_pair(name, value),
        };
    }
    fragment.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragment_converts_to_options() {
        for (fragment, options) in [
            ("", &[][..]),
            ("#", &[]),
            ("#preset=alpine&seed=42", &["--preset=alpine", "--seed=42"]),
            ("bare&hour=6.5", &["--bare", "--hour=6.5"]),
            ("torch=3%2C4", &["--torch=3,4"]),
            ("name=a+b%20c", &["--name=a b c"]),
            ("&&=5&x=", &["--x"]),
            ("torch=-3,4", &["--torch=-3,4"]),
            // Invalid escapes are kept. The parser of the option rejects them.
            ("seed=%zz%4", &["--seed=%zz%4"]),
        ] {
            assert_eq!(options_of(fragment), options, "{fragment}");
        }
    }

    #[test]
    fn options_round_trip() {
        let recipe = "(seed: 4, steps: [\"a&b\" = #50%])\n ä".to_owned();
        let options = [("recipe", recipe.clone()), ("bare", String::new())];
        let fragment = fragment_of(&options);
        assert!(
            fragment.is_ascii() && !fragment.contains(['#', '\n', ' ']),
            "{fragment}"
        );
        let expected = [format!("--recipe={recipe}"), "--bare".to_owned()];
        assert_eq!(options_of(&fragment), expected);
    }
}
