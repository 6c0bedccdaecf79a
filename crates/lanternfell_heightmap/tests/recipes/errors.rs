//! Errors of invalid recipes name the problem and its position.

use super::*;

#[test]
fn errors_name_typo_and_position() {
    let text =
        "(\n  version: 1,\n  size: (64, 64),\n  steps: {\n \"a\": Generate(by: Hils(()))},\n)";
    let error = reads(text);
    assert!(
        error.contains("line 5") && error.contains("Hils"),
        "{error}"
    );
    let error =
        reads("(version: 1, size: (64, 64), steps: {\"a\": Generate(by: Hills((cuont: 3)))})");
    assert!(
        error.contains("cuont") && error.contains("count"),
        "{error}"
    );
    let error = reads("(version: 1, size: (64, 64), steps: {\"a\": Blend(grund: \"b\")})");
    assert!(
        error.contains("grund") && error.contains("ground"),
        "{error}"
    );
    let error = reads("(version: 1, size: (64");
    assert!(error.starts_with("line 1"), "{error}");
    let twice =
        "(version: 1, size: (64, 64), steps: {\n\"a\": Flat(height: 0),\n\"a\": Flat(height: 1)})";
    let error = reads(twice);
    assert!(
        error.starts_with("line 3") && error.contains("two steps are named `a`"),
        "{error}"
    );
    let many: String = (0..300)
        .map(|i| format!("\"s{i}\": Flat(height: 0),"))
        .collect();
    let error = reads(&format!("(version: 1, size: (64, 64), steps: {{{many}}})"));
    assert!(error.contains("more than 256 steps"), "{error}");
}

/// A damaged file is either rejected or read as a valid recipe.
#[test]
fn damaged_files_are_rejected_or_valid() {
    let mut rng = SeededRng::new(1, b"test    ");
    let text = every_kind().to_ron();
    let words: Vec<&str> = text
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .collect();
    let (mut good, mut bad) = (0, 0);
    for _ in 0..4000 {
        let mut damaged = words.clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(damaged.len() as u64) as usize;
            match rng.below(4) {
                0 => drop(damaged.remove(at)),
                1 => damaged.insert(at, rng.pick(&words).unwrap()),
                2 => damaged[at] = rng.pick(&words).unwrap(),
                _ => {
                    let odd = ["-1,", "1e39,", "[(", "NaN,", "()", ""];
                    damaged[at] = rng.pick(&odd).unwrap();
                }
            }
        }
        match Recipe::from_ron(&damaged.concat()) {
            Ok(recipe) => {
                assert_eq!(Recipe::from_ron(&recipe.to_ron()), Ok(recipe));
                good += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                bad += 1;
            }
        }
    }
    assert!(good > 100 && bad > 1000, "{good} good, {bad} bad");
    let deep = "(".repeat(100_000);
    assert!(Recipe::from_ron(&deep).is_err());
}

#[test]
fn errors_name_range_of_whole_numbers() {
    for version in ["0", "2", "99999999999"] {
        let newer = reads(&format!("(version: {version}, size: (64, 64), color: Red)"));
        let words =
            format!("recipe version {version} is not supported: this release reads version 1");
        assert_eq!(newer, words);
    }
    for count in ["-5", "99999999999", "4294967296"] {
        let error = reads(&format!(
            "(version: 1, size: (64, 64), steps: {{\"a\": Generate(by: Hills((count: {count})))}})"
        ));
        assert!(error.starts_with("line 1, column "), "{error}");
        assert!(
            error.contains("a whole number from 0 to 4294967295"),
            "{error}"
        );
    }
}

#[test]
fn errors_name_the_step() {
    let steps = |steps: &str| reads(&format!("(version: 1, size: (64, 64), steps: {{{steps}}})"));
    let land = "\"land\": Generate(by: Fluid(()))";
    let cases = [
        ("", "the recipe has 0 steps, but must have from 1 to 256"),
        (
            "\"land\": Generate(by: Hills((radius_max: -1)))",
            "step `land`: hills: radius_m",
        ),
        (
            "\"a\": Filter(of: \"land\", by: [Gamma(0.5)]), \"land\": Flat(height: 1)",
            "step `a`: filter: gamma is 0.5, but must be from 1 to 16",
        ),
        (
            "\"a\": Blend(ground: \"land\", layer: \"land\", weight: 7), \"land\": Flat(height: 1)",
            "step `a`: blend: weight is 7, but must be from 0 to 1",
        ),
        (
            "\"a\": Select(of: \"land\", by: Height((from: 1, to: 0.5))), \"land\": Flat(height: 1)",
            "step `a`: selection: to is 0.5, but must be at least 1",
        ),
        ("\"a\": Flat(height: 1.1)", "step `a`: flat: height is 1.1,"),
        (
            "\"a\": Filter(of: \"b\", by: [])",
            "step `a`: there is no step `b`",
        ),
        (
            "\"a\": Filter(of: \"a\", by: [])",
            "step `a` depends on itself: `a` -> `a`",
        ),
        (
            "\"x\": Filter(of: \"y\", by: []), \"y\": Filter(of: \"z\", by: []), \
             \"z\": Filter(of: \"y\", by: []), \"land\": Flat(height: 1)",
            "step `y` depends on itself: `y` -> `z` -> `y`",
        ),
        (
            "\"two words\": Flat(height: 1)",
            "`two words` is not a valid step name",
        ),
        ("\"\": Flat(height: 1)", "`` is not a valid step name"),
    ];
    for (text, words) in cases {
        let error = steps(text);
        assert!(error.starts_with(words), "{error}\nis not\n{words}");
    }
    let rest = |rest: &str| {
        reads(&format!(
            "(version: 1, size: (64, 64), steps: {{{land}}}, {rest})"
        ))
    };
    assert!(rest("sea_level: 1.5").contains("sea_level is 1.5"));
    assert!(rest("sea_level: 1.1").contains("sea_level is 1.1,"));
    assert!(rest("scale: (spacing: 0, relief: 1)").contains("scale: spacing is 0"));
    assert_eq!(rest("result: \"lnd\""), "result: there is no step `lnd`");
    let text = "(version: 1, size: (1, 64), steps: {\"a\": Flat(height: 1)})";
    assert!(reads(text).contains("size 1x64"), "{}", reads(text));
}

#[test]
fn validate_rejects_duplicate_step_names() {
    let recipe = Recipe::default().with_step("land", Operation::Flat { height: 0.0 });
    let error = recipe.validate().unwrap_err();
    assert_eq!(
        error,
        RecipeError::Twice {
            name: "land".to_owned()
        }
    );
}
