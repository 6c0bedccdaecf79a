//! The types of parameters in TypeScript, made of the library's own declarations.

use std::fmt::Write;

use lanternfell_heightmap::{
    Blend, Filter, Generator, Parameter, Selection,
    parameter::{Described, Kind, Value},
};

/// What the types are kept in. Written anew where the variable `BLESS` is set.
const TYPES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/package/parameters.d.ts");

const LISTS: [(&str, &str, &[Described]); 4] = [
    (
        "Generator",
        "A generator and its parameters.",
        Generator::DESCRIBED,
    ),
    ("Filter", "A filter and its parameters.", Filter::DESCRIBED),
    (
        "Blend",
        "How two heights become one: `a` is the ground so far, `b` the layer, `w` its weight.",
        Blend::DESCRIBED,
    ),
    (
        "Selection",
        "What is asked for in a map.",
        Selection::DESCRIBED,
    ),
];

fn types() -> String {
    let mut text = String::from(
        "// Made by a test from the declarations in the library: change those, and set BLESS.\n",
    );
    for (name, about, list) in LISTS {
        let members: Vec<String> = list
            .iter()
            .map(|described| format!("  | {}{name}", camel(described.name)))
            .collect();
        write!(
            text,
            "\n/** {about} */\nexport type {name} =\n{};\n\n/** The name of one. */\nexport type {name}Name = {name}[\"name\"];\n",
            members.join("\n"),
        )
        .unwrap();
        for described in list {
            interface(&mut text, name, described);
        }
    }
    text
}

fn interface(text: &mut String, list: &str, described: &Described) {
    write!(
        text,
        "\n/** {}. */\nexport interface {}{list} {{\n  name: \"{}\";\n",
        described.about(),
        camel(described.name),
        described.name
    )
    .unwrap();
    for parameter in described.parameters {
        let about = parameter.about().replace("*/", "* /");
        let details = parameter.details();
        let (name, value) = (parameter.name, value_type(parameter));
        write!(text, "  /** {about}: {details}. */\n  {name}?: {value};\n").unwrap();
    }
    text.push_str("}\n");
}

/// `stream-power-erosion` as `StreamPowerErosion`.
fn camel(name: &str) -> String {
    let words = name.split('-');
    words
        .map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..]))
        .collect()
}

fn value_type(parameter: &Parameter) -> String {
    let inner = match parameter.kind.innermost() {
        Kind::Whole | Kind::Number => "number".to_owned(),
        Kind::Switch => "boolean".to_owned(),
        Kind::Choice(_) => {
            let names = parameter.kind.innermost().choices();
            let names: Vec<String> = names.map(|choice| format!("{:?}", choice.name)).collect();
            names.join(" | ")
        }
        Kind::List(_) => list_type(&parameter.default()),
        Kind::Optional(_) => unreachable!("the innermost kind is not optional"),
    };
    let is_optional = matches!(parameter.kind, Kind::Optional(_));
    format!("{inner}{}", if is_optional { " | null" } else { "" })
}

/// How the numbers of a list are nested, by the brackets of its default.
fn list_type(default: &Value) -> String {
    let Value::List(text) = default else {
        panic!("{default:?} is no list");
    };
    let depth = text.chars().take_while(|&letter| letter == '[').count();
    let is_of_pairs = text[depth..].starts_with('(');
    let inner = if is_of_pairs {
        "readonly [number, number]"
    } else {
        "number"
    };
    (0..depth).fold(inner.to_owned(), |inner, level| {
        if level == 0 && !is_of_pairs {
            "readonly number[]".to_owned()
        } else {
            format!("readonly ({inner})[]")
        }
    })
}

#[test]
fn the_types_are_up_to_date() {
    let types = types();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(TYPES, &types).unwrap();
    }
    let found = std::fs::read_to_string(TYPES).unwrap();
    for (number, (found, expected)) in (1..).zip(found.lines().zip(types.lines())) {
        assert_eq!(
            found, expected,
            "line {number} of parameters.d.ts; set BLESS to write it anew"
        );
    }
    assert_eq!(found.lines().count(), types.lines().count());
}

#[test]
fn no_parameter_is_called_as_what_tells_the_kind() {
    for (_, _, list) in LISTS {
        let mut parameters = list.iter().flat_map(|described| described.parameters);
        assert!(parameters.all(|parameter| parameter.name != "name"));
    }
}
