//! Reading files by the `AssetServer`.

use bevy::{
    asset::{
        AssetLoader, AssetPath, AsyncReadExt, LoadContext, ReadAssetBytesError,
        io::{AssetReaderError, Reader},
    },
    prelude::*,
};
use lanternfell_heightmap::{ElevationModel, MapSize, Recipe};
use lanternfell_io::{self as io, Beside, Format, ImportError, RawFormat, ReadOptions};

use super::{TerrainFile, image_path};
use crate::{error::TerrainFileError, map::stretch};

/// Reads every [`TerrainFile`]: recipes, which end in `.ron`, and maps, by their ending or else by how
/// they begin.
///
/// It is the only loader of that asset, so that it is found by the asset's type whatever the file is
/// called. So that `.png` and the like remain pictures for all who do not say what they want, it is
/// registered for the endings of formats alone that no picture has.
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
        } else {
            file.read_up_to(longest(format, &file.bytes)?).await?;
            let map = io::read(&file.bytes, format, settings)?;
            drop(file);
            told_beside(map, format, context).await?
        };
        stretch(&mut map);
        Ok(TerrainFile::Map(map.into()))
    }

    fn extensions(&self) -> &[&str] {
        &["terrain.ron", "asc", "r16", "r32"]
    }
}

/// A recipe, whose images begin to be loaded.
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

/// The most bytes that a map has whose file begins so.
fn longest(format: Format, header: &[u8]) -> Result<u64, ImportError> {
    // The directory of a TIFF may stand anywhere.
    if format == Format::Tiff && format.is_built_in() {
        let side = u64::from(MapSize::MAX_SIDE);
        return Ok(io::longest(MapSize::new(side, side)?));
    }
    Ok(io::longest(io::size(header, format)?))
}

/// A map without a header: its size is in the settings, or in the sidecar.
async fn raw_map(
    mut file: Beginning<'_>,
    by_ending: Option<RawFormat>,
    settings: &ReadOptions,
    context: &mut LoadContext<'_>,
) -> Result<ElevationModel, TerrainFileError> {
    if let Some(size) = settings.size {
        let options = ReadOptions {
            raw: by_ending.unwrap_or(settings.raw),
            ..*settings
        };
        file.read_up_to(options.raw.bytes(size)).await?;
        return Ok(io::read(&file.bytes, Format::Raw, &options)?);
    }
    let name = file_name(context.path());
    let json = beside(context, &io::sidecar_name(&name)).await?;
    raw_with_sidecar(file, json.ok_or(ImportError::NoSize)?).await
}

#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
async fn raw_with_sidecar(
    mut file: Beginning<'_>,
    json: Vec<u8>,
) -> Result<ElevationModel, TerrainFileError> {
    let sidecar = io::Sidecar::parse(&json)?;
    let bytes = sidecar
        .format
        .map_or(0, |format| format.bytes(sidecar.size));
    file.read_up_to(bytes).await?;
    Ok(sidecar.read(&file.bytes)?)
}

#[cfg(not(any(feature = "exr", feature = "png", feature = "sidecar")))]
async fn raw_with_sidecar(
    _: Beginning<'_>,
    _: Vec<u8>,
) -> Result<ElevationModel, TerrainFileError> {
    Err(ImportError::NoSize.into())
}

/// The map, with what files beside it tell. One that is damaged, or of another program, is passed over
/// with a warning: the map itself is fine.
async fn told_beside(
    mut map: ElevationModel,
    format: Format,
    context: &mut LoadContext<'_>,
) -> Result<ElevationModel, TerrainFileError> {
    let file = file_name(context.path());
    for kind in Beside::ALL {
        for name in kind.names(&file, format, &map.frame) {
            let Some(bytes) = beside(context, &name).await? else {
                continue;
            };
            if let Err(error) = kind.tell(&mut map, &bytes) {
                warn!("{name}, beside {}, is passed over: {error}", context.path());
            }
            break;
        }
    }
    Ok(map)
}

/// The content of the file of this name beside the one that is loaded; `None` if there is none.
async fn beside(
    context: &mut LoadContext<'_>,
    name: &str,
) -> Result<Option<Vec<u8>>, TerrainFileError> {
    let own = context.path();
    let path = own.path().with_file_name(name);
    let path = AssetPath::from(path).with_source(own.source().clone_owned());
    match context.read_asset_bytes(path).await {
        Ok(bytes) => Ok(Some(bytes)),
        // Servers say by many numbers that something is not there.
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

/// What was read of a file, no more than it may need.
pub(super) struct Beginning<'a> {
    reader: &'a mut dyn Reader,
    bytes: Vec<u8>,
}

/// So many bytes are asked for at once.
const CHUNK: usize = 1 << 16;

impl<'a> Beginning<'a> {
    /// The first bytes, enough to tell what it is and how large.
    async fn of(reader: &'a mut dyn Reader) -> Result<Self, TerrainFileError> {
        let bytes = Vec::new();
        let mut file = Self { reader, bytes };
        file.read_to(io::HEADER as u64).await?;
        Ok(file)
    }

    /// All of a file that has no more bytes than so many.
    pub(super) async fn all_of(
        reader: &'a mut dyn Reader,
        most: u64,
    ) -> Result<Vec<u8>, TerrainFileError> {
        let mut file = Self::of(reader).await?;
        file.read_up_to(most).await?;
        Ok(file.bytes)
    }

    /// All of it, or an error when there is more than so much.
    async fn read_up_to(&mut self, most: u64) -> Result<(), TerrainFileError> {
        self.read_to(most.saturating_add(1)).await?;
        if self.bytes.len() as u64 > most {
            return Err(TerrainFileError::TooLong { most });
        }
        Ok(())
    }

    /// Reads until there are so many bytes, or no more.
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
