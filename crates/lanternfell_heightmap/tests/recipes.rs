//! Every recipe that is shipped can be read, made, and has land and sea.

use lanternfell_heightmap::{Progress, Recipe};

#[test]
fn shipped_recipes_make_land_in_a_sea() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/recipes");
    let mut made = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let recipe = Recipe::from_ron(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let map = recipe.generate(&Progress::default()).unwrap();
        let land = map.share_above(recipe.water_level());
        assert!(
            (0.05..0.95).contains(&land),
            "{}: {land} land",
            path.display()
        );
        made += 1;
    }
    assert!(made > 0);
}
