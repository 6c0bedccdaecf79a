//! The descriptions of all parameters, and the page that is generated from them.

use lanternfell_heightmap::{
    Blend, Filter, Generator, MapSize, Parameters, Selection,
    parameter::{Described, Kind, Value},
};

/// The file with the page. Rewritten if the environment variable `BLESS` is set.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/PARAMETERS.md");

const LISTS: [(&str, &[Described]); 4] = [
    ("Generators", Generator::DESCRIBED),
    ("Filters", Filter::DESCRIBED),
    ("Blends", Blend::DESCRIBED),
    ("Selections", Selection::DESCRIBED),
];

fn tables() -> String {
    let mut text = String::from(
        "# Parameters\n\nAll types with parameters, with the names that `--set` and recipes use. \
         A test generates this page from the declarations in the code.\n",
    );
    for (title, list) in LISTS {
        text += &format!("\n## {title}\n\n| name | |\n|---|---|\n");
        for described in list {
            let about = described.about().replace('|', "\\|");
            text += &format!("| `{}` | {about} |\n", described.name);
        }
        for described in list
            .iter()
            .filter(|described| !described.parameters.is_empty())
        {
            text += &format!(
                "\n### {}\n\n| parameter | | |\n|---|---|---|\n",
                described.name
            );
            for parameter in described.parameters {
                let (about, details) = (parameter.about(), parameter.details());
                let about = about.replace('|', "\\|");
                text += &format!("| `{}` | {about} | {details} |\n", parameter.name);
            }
        }
    }
    text
}

#[test]
fn parameters_page_is_up_to_date() {
    let tables = tables();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(TABLES, &tables).unwrap();
    }
    let page = std::fs::read_to_string(TABLES).unwrap();
    let pairs = page.lines().zip(tables.lines());
    for (number, (found, expected)) in (1..).zip(pairs) {
        assert_eq!(
            found, expected,
            "line {number} of PARAMETERS.md; set BLESS to rewrite it"
        );
    }
    assert_eq!(page.lines().count(), tables.lines().count());
}

/// The crate documentation lists the generators with their own descriptions.
#[test]
fn crate_docs_list_all_generators() {
    let documentation = include_str!("../../src/lib.rs");
    for generator in Generator::DESCRIBED {
        let about = generator.about();
        let sentence = format!("| {}{} |", about[..1].to_lowercase(), &about[1..]);
        assert!(documentation.contains(&sentence), "{sentence}");
    }
}

#[test]
fn parameters_have_descriptions_and_valid_defaults() {
    for (title, list) in LISTS {
        for described in list {
            for parameter in described.parameters {
                let name = format!("{title}: {}: {}", described.name, parameter.name);
                assert!((3..200).contains(&parameter.about().len()), "{name}");
                let default = parameter.default();
                let read = parameter.kind.read(&default.to_string());
                assert_eq!(read.as_ref(), Some(&default), "{name}");
                if let (Some(number), Some(bounds)) = (default.number(), parameter.bounds) {
                    assert!(bounds.contain(number), "{name}: {number}, {bounds}");
                }
                if let Some(slider) = parameter.slider {
                    assert!(slider.least < slider.most, "{name}");
                    let ends = parameter
                        .bounds
                        .and_then(lanternfell_heightmap::parameter::Bounds::ends);
                    let (least, most) = ends.unwrap_or((f64::MIN, f64::MAX));
                    assert!(least <= slider.least && slider.most <= most, "{name}");
                }
            }
        }
    }
}

/// Numbers just outside their bounds are rejected with the parameter's name; those at the bounds
/// are accepted.
#[test]
fn check_bounds_matches_declared_bounds() {
    for name in Filter::NAMES {
        let usual = Filter::from_name(name).unwrap();
        assert_eq!(usual.validate(), Ok(()), "{name}");
        for parameter in usual.parameters() {
            let Some((least, most)) = parameter
                .bounds
                .and_then(lanternfell_heightmap::parameter::Bounds::ends)
            else {
                continue;
            };
            for (number, fine) in [(least - 1.0, false), (most + 1.0, false), (most, true)] {
                let value = match parameter.kind.innermost() {
                    Kind::Whole if number < 0.0 => continue,
                    Kind::Whole => Value::Whole(number as u32),
                    _ => Value::Number(number),
                };
                let mut filter = usual.clone();
                assert!(
                    filter.put(parameter.name, &value),
                    "{name}: {}",
                    parameter.name
                );
                let result = filter.check_bounds();
                assert_eq!(
                    result.is_ok(),
                    fine,
                    "{name}: {} is {number}",
                    parameter.name
                );
                if let Err(error) = result {
                    assert_eq!(error.name, parameter.name, "{name}: {error}");
                }
            }
        }
    }
}

#[test]
fn set_then_get_returns_the_value() {
    let mut faults = Generator::from_name("faults").unwrap();
    assert_eq!(faults.get("erosion_every"), Some(Value::None));
    faults.set("erosion_every", "7").unwrap();
    assert_eq!(faults.get("erosion_every"), Some(Value::Whole(7)));
    assert_eq!(faults.get("erosion_strength"), Some(Value::Number(0.3)));

    let mut dig = Filter::from_name("dig").unwrap();
    dig.set("path", "[(0, 0.2), (1, 0.8)]").unwrap();
    let path = Value::List("[(0.0,0.2),(1.0,0.8)]".to_owned());
    assert_eq!(dig.get("path"), Some(path));
    assert!(dig.set("path", "(0, 0.2)").is_err());

    let mut worley = Generator::from_name("worley").unwrap();
    worley.set("period", "128").unwrap();
    worley.set("feature", "f2-f1").unwrap();
    assert_eq!(worley.validate(MapSize::default()), Ok(()));
    worley.set("period", "none").unwrap();
    assert_eq!(worley.get("period"), Some(Value::None));
    let error = worley.set("period", "often").unwrap_err().to_string();
    let words = "worley: period is `often`, but must be a whole number from 1 to 1000000 or none";
    assert_eq!(error, words);
}

#[test]
fn old_names_are_accepted_and_hidden_ones_not_listed() {
    let mut islands = Generator::from_name("islands").unwrap();
    for (name, value) in [
        ("quantised", "true"),
        ("variant", "plain"),
        ("variant", "ridged"),
    ] {
        islands.set(name, value).unwrap();
    }
    assert_eq!(islands.get("quantized"), Some(Value::Switch(true)));
    let error = islands.set("variant", "round").unwrap_err().to_string();
    assert_eq!(
        error,
        "fractal-noise: variant is `round`, but must be fbm or billowed"
    );
    assert_eq!(
        Filter::from_name("talus").unwrap().name(),
        "thermal-erosion"
    );
    assert_eq!(Filter::from_name("flatten"), Some(Filter::Gamma(2.0)));
}
