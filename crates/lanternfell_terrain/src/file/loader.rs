//! The asset loader for heightmaps and recipes.

use bevy::{
    asset::{
        AssetLoader, AssetPath, AsyncReadExt, LoadContext, ReadAssetBytesError,
        io::{AssetReaderError, Reader},
    },
    prelude::*,
};
use lanternfell_heightmap::{ElevationModel, Recipe};
use lanternfell_io::{
    self as io, AuxiliaryFile, BilHeader, Format, ImportError, ImportedMap, RawFormat, ReadOptions,
};

use super::{TerrainFile, image_path};
use crate::{error::TerrainFileError, map::stretch};

/// Loads [`TerrainFile`] assets: recipes with the extension `.ron`, and maps. The format of a map is detected by the
/// file extension, or by the first bytes of the file.
///
/// It is the only loader of this asset type, so `assets.load::<TerrainFile>(path)` finds it for any extension. It is
/// only registered for extensions that no image loader uses, so `.png` files still load as images by default.
#[derive(TypePath, Debug, Default, Clone, Copy)]
pub struct TerrainFileLoader;

impl AssetLoader for TerrainFileLoader {
    type Asset = TerrainFile;
    type Settings = ReadOptions;
    type Error = TerrainFileError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &ReadOptions,
        context: &mut LoadContext<'_>,
    ) -> Result<TerrainFile, TerrainFileError> {
        let path = context.path().clone();
        let ending = path.get_extension().unwrap_or_default().to_owned();
        if ending.eq_ignore_ascii_case("ron") {
            return recipe(reader, context).await;
        }
        let mut file = Beginning::of(reader).await?;
        let format = Format::from_extension(&ending).or_else(|| Format::sniff(&file.bytes));
        let format = format.ok_or(TerrainFileError::Unknown)?;
        let mut map = if format == Format::Raw {
            let raw = RawFormat::from_extension(&ending);
            raw_map(file, raw, settings, context).await?
        } else if let names = BilHeader::names(&file_name(&path), format)
            && !names.is_empty()
        {
            let map = map_with_header(file, &names, format, settings, context).await?;
            apply_companion_files(map, format, context).await?.model
        } else {
            let most = io::max_file_size(io::max_size(&file.bytes, format)?);
            file.read_up_to(most).await?;
            let map = io::import(&file.bytes, format, settings)?;
            drop(file);
            apply_companion_files(map, format, context).await?.model
        };
        stretch(&mut map);
        Ok(TerrainFile::Map(map.into()))
    }

    fn extensions(&self) -> &[&str] {
        &[
            "terrain.ron",
            "asc",
            "bil",
            "flt",
            "hgt",
            "r16",
            "r32",
            "xyz",
        ]
    }
}

/// Loads a recipe, and starts to load its images.
async fn recipe(
    reader: &mut dyn Reader,
    context: &mut LoadContext<'_>,
) -> Result<TerrainFile, TerrainFileError> {
    let mut file = Beginning::of(reader).await?;
    file.read_up_to(Recipe::MAX_BYTES as u64).await?;
    let text = str::from_utf8(&file.bytes).map_err(|_| TerrainFileError::NotText)?;
    let recipe = Recipe::from_ron(text)?;
    let own = context.path().clone();
    let paths: Vec<AssetPath> = recipe
        .images()
        .into_iter()
        .map(|name| image_path(Some(&own), name))
        .collect::<Result<_, _>>()?;
    let images = paths.into_iter().map(|path| context.load(path)).collect();
    Ok(TerrainFile::Recipe { recipe, images })
}

/// Loads a map without a header. Its size comes from the settings or from the sidecar.
async fn raw_map(
    mut file: Beginning<'_>,
    by_ending: Option<RawFormat>,
    settings: &ReadOptions,
    context: &mut LoadContext<'_>,
) -> Result<ElevationModel, TerrainFileError> {
    if let Some(size) = settings.size {
        let options = ReadOptions {
            raw: by_ending.unwrap_or(settings.raw),
            ..settings.clone()
        };
        file.read_up_to(options.raw.bytes(size)).await?;
        return Ok(io::read(&file.bytes, Format::Raw, &options)?);
    }
    let name = file_name(context.path());
    let json = read_companion_file(context, &io::sidecar_name(&name)).await?;
    raw_with_sidecar(file, json.ok_or(ImportError::NoSize)?, settings).await
}

#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
async fn raw_with_sidecar(
    mut file: Beginning<'_>,
    json: Vec<u8>,
    settings: &ReadOptions,
) -> Result<ElevationModel, TerrainFileError> {
    let sidecar = io::Sidecar::parse(&json)?;
    let bytes = sidecar
        .format
        .map_or(0, |format| format.bytes(sidecar.size));
    file.read_up_to(bytes).await?;
    Ok(sidecar.import(&file.bytes, settings)?.model)
}

#[cfg(not(any(feature = "exr", feature = "png", feature = "sidecar")))]
async fn raw_with_sidecar(
    _: Beginning<'_>,
    _: Vec<u8>,
    _: &ReadOptions,
) -> Result<ElevationModel, TerrainFileError> {
    Err(ImportError::NoSize.into())
}

/// Loads a map that is described by a header file with one of these names.
async fn map_with_header(
    mut file: Beginning<'_>,
    names: &[String],
    format: Format,
    settings: &ReadOptions,
    context: &mut LoadContext<'_>,
) -> Result<ImportedMap, TerrainFileError> {
    for name in names {
        if let Some(header) = read_companion_file(context, name).await? {
            let header = BilHeader::parse(&header, format)?;
            file.read_up_to(io::max_file_size(header.size())).await?;
            return Ok(header.import(&file.bytes, settings)?);
        }
    }
    let missing = format!("its header file `{}` does not exist", names[0]);
    Err(ImportError::Malformed(missing).into())
}

/// Applies the files next to the map. Damaged files and those of other programs are ignored with a warning, because the
/// map itself is valid.
async fn apply_companion_files(
    mut map: ImportedMap,
    format: Format,
    context: &mut LoadContext<'_>,
) -> Result<ImportedMap, TerrainFileError> {
    let file = file_name(context.path());
    match format.georeference_from_file_name(&file, map.model.size()) {
        Ok(Some(place)) => {
            let frame = &mut map.model.frame;
            (frame.place, frame.place_is_explicit) = (place, true);
        }
        Ok(None) => {}
        Err(error) => warn!("{}: {error}", context.path()),
    }
    for kind in AuxiliaryFile::ALL {
        for name in kind.names(&file, format, &map.model.frame) {
            let Some(bytes) = read_companion_file(context, &name).await? else {
                continue;
            };
            if let Err(error) = kind.apply(&mut map, &bytes) {
                warn!("ignored {name}, next to {}: {error}", context.path());
            }
            break;
        }
    }
    Ok(map)
}

/// Returns the content of the file with this name next to the loaded one, or `None` if it does not exist.
async fn read_companion_file(
    context: &mut LoadContext<'_>,
    name: &str,
) -> Result<Option<Vec<u8>>, TerrainFileError> {
    let own = context.path();
    let path = own.path().with_file_name(name);
    let path = AssetPath::from(path).with_source(own.source().clone_owned());
    match context.read_asset_bytes(path).await {
        Ok(bytes) => Ok(Some(bytes)),
        // Web servers use several status codes for missing files.
        Err(ReadAssetBytesError::AssetReaderError(
            AssetReaderError::NotFound(_) | AssetReaderError::HttpError(_),
        )) => Ok(None),
        Err(error) => Err(TerrainFileError::read(format_args!("{name}: {error}"))),
    }
}

fn file_name(path: &AssetPath<'_>) -> String {
    let name = path.path().file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The first part of a file. It limits how much is read.
pub(super) struct Beginning<'a> {
    reader: &'a mut dyn Reader,
    bytes: Vec<u8>,
}

/// How many bytes are read at once.
const CHUNK: usize = 1 << 16;

impl<'a> Beginning<'a> {
    /// Reads enough bytes to detect the format and the size.
    async fn of(reader: &'a mut dyn Reader) -> Result<Self, TerrainFileError> {
        let bytes = Vec::new();
        let mut file = Self { reader, bytes };
        file.read_to(io::HEADER as u64).await?;
        Ok(file)
    }

    /// Reads a whole file of at most `most` bytes.
    pub(super) async fn all_of(
        reader: &'a mut dyn Reader,
        most: u64,
    ) -> Result<Vec<u8>, TerrainFileError> {
        let mut file = Self::of(reader).await?;
        file.read_up_to(most).await?;
        Ok(file.bytes)
    }

    /// Reads the rest of the file. Returns an error if it is longer than `most` bytes.
    async fn read_up_to(&mut self, most: u64) -> Result<(), TerrainFileError> {
        self.read_to(most.saturating_add(1)).await?;
        if self.bytes.len() as u64 > most {
            return Err(TerrainFileError::TooLong { most });
        }
        Ok(())
    }

    /// Reads until there are `count` bytes, or until the end of the file.
    async fn read_to(&mut self, count: u64) -> Result<(), TerrainFileError> {
        while (self.bytes.len() as u64) < count {
            let start = self.bytes.len();
            let more = (count - start as u64).min(CHUNK as u64) as usize;
            self.bytes.resize(start + more, 0);
            let read = self.reader.read(&mut self.bytes[start..]).await;
            let read = read.map_err(TerrainFileError::read)?;
            self.bytes.truncate(start + read);
            if read == 0 {
                break;
            }
        }
        Ok(())
    }
}
