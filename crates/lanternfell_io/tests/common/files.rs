//! Small files, written by this crate and by other encoders.

use std::io::Cursor;

use exr::prelude::{
    AnyChannel, AnyChannels, Blocks, Compression, Encoding, FlatSamples, Image, ImageAttributes,
    Layer, LayerAttributes, Layers, LineOrder, SmallVec, SpecificChannels, Vec2, WritableImage,
    f16,
};
use lanternfell_heightmap::{Elevation, ElevationModel, Heightmap, MapFrame, MapSize, Progress};
use lanternfell_io::{self as io, Format, RawFormat, Sidecar, WriteOptions};
use tiff::encoder::{Compression as TiffCompression, TiffEncoder, colortype::ColorType};

/// A map with heights from 0 to 1, including both ends.
pub fn ramp(width: u64, height: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    let last = size.cells() - 1;
    let heights = (0..=last).map(|cell| (cell * 11 % (last + 1)) as f32 / last as f32);
    Heightmap::from_heights(size, heights.collect()).unwrap()
}

/// A map whose heights are plain numbers, which are written unchanged.
pub fn plain(map: &Heightmap) -> ElevationModel {
    let frame = MapFrame::of_size(map.size()).of_values(Elevation::METERS);
    let heights = map.clone();
    ElevationModel { heights, frame }
}

/// Writes `map` in a format: its numbers unchanged, or as a mesh at the default scale.
pub fn written(map: &Heightmap, format: Format, options: &WriteOptions<'_>) -> Vec<u8> {
    if format.is_mesh() {
        return written_model(&ElevationModel::of_heights(map.clone()), format, options);
    }
    written_model(&plain(map), format, options)
}

/// Writes a model in a format.
pub fn written_model(
    model: &ElevationModel,
    format: Format,
    options: &WriteOptions<'_>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    io::write(model, format, options, &mut bytes, &Progress::default()).unwrap();
    bytes
}

/// An OpenEXR image with one channel.
pub fn exr(map: &Heightmap, compression: Compression, blocks: Blocks, half: bool) -> Vec<u8> {
    let encoding = Encoding {
        compression,
        blocks,
        line_order: LineOrder::Increasing,
    };
    let size = Vec2(map.width(), map.height());
    let attributes = LayerAttributes::default();
    let mut file = Cursor::new(Vec::new());
    if half {
        let channels = SpecificChannels::build()
            .with_channel::<f16>("height")
            .with_pixel_fn(|Vec2(x, y)| (f16::from_f32(map.get(x, y)),));
        let layer = Layer::new(size, attributes, encoding, channels);
        let image = Image::from_layer(layer);
        image.write().non_parallel().to_buffered(&mut file).unwrap();
    } else {
        let channels = SpecificChannels::build()
            .with_channel::<f32>("height")
            .with_pixel_fn(|Vec2(x, y)| (map.get(x, y),));
        let layer = Layer::new(size, attributes, encoding, channels);
        let image = Image::from_layer(layer);
        image.write().non_parallel().to_buffered(&mut file).unwrap();
    }
    file.into_inner()
}

/// An OpenEXR image in red, green and blue. In one pixel, blue is lower by `off`.
pub fn exr_colors(map: &Heightmap, off: f32) -> Vec<u8> {
    let blue = |x, y| map.get(x, y) - if (x, y) == (2, 1) { off } else { 0.0 };
    let channels = SpecificChannels::build()
        .with_channel::<f32>("R")
        .with_channel::<f32>("G")
        .with_channel::<f32>("B")
        .with_channel::<f32>("A")
        .with_pixel_fn(|Vec2(x, y)| (map.get(x, y), map.get(x, y), blue(x, y), 1.0_f32));
    let mut file = Cursor::new(Vec::new());
    let size = (map.width(), map.height());
    let image = Image::from_channels(size, channels);
    image.write().non_parallel().to_buffered(&mut file).unwrap();
    file.into_inner()
}

/// An OpenEXR image with several layers. The first is the map.
pub fn exr_layers(map: &Heightmap) -> Vec<u8> {
    let encoding = Encoding {
        compression: Compression::ZIP16,
        blocks: Blocks::Tiles(Vec2(16, 16)),
        line_order: LineOrder::Increasing,
    };
    let size = Vec2(map.width(), map.height());
    let layer = |name: &str, sign: f32| {
        let heights = map.heights().iter().map(|z| sign * z).collect();
        let channel = AnyChannel::new("Y", FlatSamples::F32(heights));
        let channels = AnyChannels::sort(SmallVec::from_vec(vec![channel]));
        Layer::new(size, LayerAttributes::named(name), encoding, channels)
    };
    let layers = SmallVec::from_vec(vec![layer("first", 1.0), layer("second", -1.0)]);
    let attributes = ImageAttributes::with_size(size);
    let image: Image<Layers<AnyChannels<FlatSamples>>> = Image::from_layers(attributes, layers);
    let mut file = Cursor::new(Vec::new());
    image.write().non_parallel().to_buffered(&mut file).unwrap();
    file.into_inner()
}

/// A TIFF with a color type and a compression.
pub fn tiff<C: ColorType>(
    map: &Heightmap,
    compression: TiffCompression,
    samples: &[C::Inner],
) -> Vec<u8>
where
    [C::Inner]: tiff::encoder::TiffValue,
{
    let mut file = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut file)
        .unwrap()
        .with_compression(compression);
    let size = (map.width() as u32, map.height() as u32);
    let mut image = encoder.new_image::<C>(size.0, size.1).unwrap();
    image.rows_per_strip(2).unwrap();
    image.write_data(samples).unwrap();
    file.into_inner()
}

/// A sidecar as JSON.
pub fn sidecar() -> Vec<u8> {
    let model = ElevationModel::of_heights(ramp(7, 5));
    let mut json = Vec::new();
    let sidecar = Sidecar::of(&model, Some(RawFormat::R16), model.frame.elevation);
    sidecar.write(&mut json).unwrap();
    json
}
