//! Recipes from arbitrary text.
#![no_main]

use lanternfell_heightmap::Recipe;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(recipe) = Recipe::from_ron(text) {
        assert_eq!(Recipe::from_ron(&recipe.to_ron()), Ok(recipe));
    }
});
