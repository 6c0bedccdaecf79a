//! Where a recipe's image lies.

use std::path::{Component, Path, PathBuf};

use bevy::asset::AssetPath;
use lanternfell_io::Format;

use crate::error::TerrainFileError;

/// The path of the image of that name: beside the recipe in that file or in a folder there; of a
/// recipe in no file, from the root of the assets.
///
/// A recipe may come from anybody: one that reaches for other places is refused, whatever the
/// `AssetServer` would allow. Nor may an image be a recipe: so none can need itself.
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
    // A file of another system would not be found on this one, and the other way round.
    if name.is_empty() || name.contains(['\\', ':']) || !file.components().all(is_below) {
        return Err(wrong("it lies beside its recipe, or in a folder there"));
    }
    let ending = file.extension().and_then(|ending| ending.to_str());
    let format = ending.and_then(Format::from_extension);
    match format {
        Some(format) if !format.is_read() => Err(wrong("this format is written, not read")),
        Some(format) if !format.is_built_in() => Err(wrong(
            "this format is left out of this build: see the features",
        )),
        Some(_) => Ok(match recipe {
            Some(recipe) => {
                let folder = recipe.path().parent().unwrap_or(Path::new(""));
                AssetPath::from(folder.join(file)).with_source(recipe.source().clone_owned())
            }
            None => AssetPath::from(PathBuf::from(file)),
        }),
        None => Err(wrong("its ending tells no format that is known")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_lies_beside_its_recipe() {
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
    fn other_places_and_other_files_are_refused() {
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
