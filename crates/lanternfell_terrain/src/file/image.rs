//! Asset paths of recipe images.

use std::path::{Component, Path, PathBuf};

use bevy::asset::AssetPath;
use lanternfell_io::Format;

use crate::error::TerrainFileError;

/// Returns the asset path of a recipe's image. It is relative to the folder of the recipe's file,
/// or to the root of the assets if the recipe is not in a file.
///
/// Recipes may come from untrusted sources. So paths outside of that folder are rejected, even if
/// the `AssetServer` would allow them. An image cannot be a recipe, which prevents cycles.
pub(crate) fn image_path(
    recipe: Option<&AssetPath<'_>>,
    name: &str,
) -> Result<AssetPath<'static>, TerrainFileError> {
    let wrong = |why| {
        let name = name.to_owned();
        TerrainFileError::Image { name, why }
    };
    let is_below = |part: Component| matches!(part, Component::Normal(_));
    let file = Path::new(name);
    // A path with a backslash or a colon has another meaning on Windows than on other systems.
    if name.is_empty() || name.contains(['\\', ':']) || !file.components().all(is_below) {
        return Err(wrong("it must be next to its recipe, or in a folder there"));
    }
    let ending = file.extension().and_then(|ending| ending.to_str());
    let format = ending.and_then(Format::from_extension);
    match format {
        Some(format) if !format.is_read() => Err(wrong("this format can be written but not read")),
        Some(format) if !format.is_built_in() => Err(wrong(
            "this build does not support its format: see the features",
        )),
        Some(_) => Ok(match recipe {
            Some(recipe) => {
                let folder = recipe.path().parent().unwrap_or(Path::new(""));
                AssetPath::from(folder.join(file)).with_source(recipe.source().clone_owned())
            }
            None => AssetPath::from(PathBuf::from(file)),
        }),
        None => Err(wrong("its file extension is not a known format")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn image_path_is_relative_to_recipe() {
        let at = |recipe: &'static str, name: &str| {
            let recipe = AssetPath::from(recipe);
            image_path(Some(&recipe), name).map(|path| path.to_string())
        };
        assert_eq!(
            at("maps/a.terrain.ron", "b.asc"),
            Ok("maps/b.asc".to_owned())
        );
        assert_eq!(at("a.terrain.ron", "c/b#2.asc").unwrap(), "c/b#2.asc");
        assert_eq!(at("web://x/a.ron", "b.asc").unwrap(), "web://x/b.asc");
        let path = image_path(None, "maps/b.r16").unwrap();
        assert_eq!(path, AssetPath::from("maps/b.r16"));
    }

    #[test]
    fn rejects_outside_paths_and_unknown_formats() {
        let recipe = AssetPath::from("maps/a.terrain.ron");
        for name in [
            "",
            "..",
            "../b.asc",
            "c/../b.asc",
            "./b.asc",
            "/b.asc",
            "web://b.asc",
            "c:\\b.asc",
            "b",
            "b.ron",
            "b.obj",
            "b.exe",
        ] {
            let error = image_path(Some(&recipe), name).unwrap_err();
            let named =
                matches!(&error, TerrainFileError::Image { name: found, .. } if found == name);
            assert!(named, "{name}: {error}");
        }
    }
}
