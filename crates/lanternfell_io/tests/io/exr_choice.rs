//! OpenEXR images with several channels, layers and parts.

use std::io::Cursor;

use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, ImageAttributes, Layer, LayerAttributes,
    Layers, SmallVec, Vec2, WritableImage,
};
use lanternfell_io::{self as io, Format, ImportError, ReadOptions};

use super::unpacked::unpacked;

const SIZE: Vec2<usize> = Vec2(9, 7);

/// An image of these parts, each a name and channels. All heights of the n-th channel are n.
fn image(parts: &[(&str, &[&str])]) -> Vec<u8> {
    let mut number = 0.0;
    let parts = parts.iter().map(|(name, channels)| {
        let channels = channels.iter().map(|&name| {
            number += 1.0;
            AnyChannel::new(name, FlatSamples::F32(vec![number; SIZE.area()]))
        });
        let channels = AnyChannels::sort(channels.collect());
        Layer::new(
            SIZE,
            LayerAttributes::named(*name),
            Encoding::UNCOMPRESSED,
            channels,
        )
    });
    let parts: SmallVec<_> = parts.collect();
    let attributes = ImageAttributes::with_size(SIZE);
    let image: Image<Layers<AnyChannels<FlatSamples>>> = Image::from_layers(attributes, parts);
    let mut file = Cursor::new(Vec::new());
    image.write().non_parallel().to_buffered(&mut file).unwrap();
    file.into_inner()
}

fn options(part: Option<&str>, channel: Option<&str>) -> ReadOptions {
    ReadOptions {
        part: part.map(str::to_owned),
        channel: channel.map(str::to_owned),
        ..ReadOptions::default()
    }
}

/// Returns the height, which all cells have.
fn height(file: &[u8], options: &ReadOptions) -> Result<f32, ImportError> {
    let model = io::read(file, Format::Exr, options)?;
    assert_eq!(
        (model.heights.width(), model.heights.height()),
        (SIZE.0, SIZE.1)
    );
    let (low, high) = model.heights.range();
    assert_eq!(low, high);
    assert_eq!(unpacked(file, Format::Exr, options).1[0], low);
    Ok(low)
}

#[test]
fn single_channels_need_no_choice() {
    let chosen: [(&[&str], f32); 8] = [
        (&["Y"], 1.0),
        (&["Z"], 1.0),
        (&["height"], 1.0),
        (&["terrain.height.Z"], 1.0),
        (&["A", "Y"], 2.0),
        (&["A", "Z"], 2.0),
        (&["sea.A", "sea.Z"], 2.0),
        (&["Y", "BY", "RY"], 1.0),
    ];
    for (channels, expected) in chosen {
        let file = image(&[("", channels)]);
        assert_eq!(
            height(&file, &options(None, None)),
            Ok(expected),
            "{channels:?}"
        );
        assert_eq!(io::read_exr(&file).unwrap().range(), (expected, expected));
    }
}

/// The report: the first of several layers was read without an error.
#[test]
fn several_channels_are_listed() {
    let ambiguous: [(&[&str], &str); 5] = [
        (&["Y", "Z"], "the channels `Y`, `Z`"),
        (&["R", "G", "B", "Z"], "the channels `B`, `G`, `R`, `Z`"),
        (
            &["A", "B", "G", "R", "depth.Z"],
            "the channels `B`, `G`, `R`, `depth.Z`",
        ),
        (
            &["first.Y", "second.Y"],
            "the channels `first.Y`, `second.Y`",
        ),
        (&["R", "G"], "the channels `G`, `R`"),
    ];
    for (channels, names) in ambiguous {
        let file = image(&[("", channels)]);
        let several = ImportError::Several {
            option: "channel",
            found: names.to_owned(),
        };
        assert_eq!(height(&file, &options(None, None)), Err(several));
        for (index, channel) in channels.iter().enumerate() {
            let expected = (index + 1) as f32;
            assert_eq!(
                height(&file, &options(None, Some(channel))),
                Ok(expected),
                "{channel}"
            );
        }
        let line = height(&file, &options(None, Some("fog")))
            .unwrap_err()
            .to_string();
        assert!(
            line.contains("channel is `fog`, but the file has the channels"),
            "{line}"
        );
    }
    // A channel of a color image need not be gray, and alpha can be read by its name.
    let colors = image(&[("", &["R", "G", "B", "A"])]);
    assert!(matches!(
        height(&colors, &options(None, None)),
        Err(ImportError::Colored { .. })
    ));
    assert_eq!(height(&colors, &options(None, Some("G"))), Ok(2.0));
    assert_eq!(height(&colors, &options(None, Some("A"))), Ok(4.0));
}

#[test]
fn several_parts_are_listed() {
    let file = image(&[
        ("sea", &["Y"]),
        ("land", &["A", "Z"]),
        ("7", &["R", "Z", "fog"]),
    ]);
    let names = "the parts 0 `sea`, 1 `land`, 2 `7`";
    for channel in [None, Some("Z"), Some("none")] {
        let several = ImportError::Several {
            option: "part",
            found: names.to_owned(),
        };
        assert_eq!(height(&file, &options(None, channel)), Err(several));
    }
    for (part, channel, expected) in [
        (Some("sea"), None, 1.0),
        (Some("0"), None, 1.0),
        (Some("land"), None, 3.0),
        (Some("1"), None, 3.0),
        (Some("1"), Some("A"), 2.0),
        (Some("7"), Some("Z"), 5.0),
        (Some("2"), Some("fog"), 6.0),
        // Only one part has this channel.
        (None, Some("fog"), 6.0),
        (None, Some("Y"), 1.0),
    ] {
        let found = height(&file, &options(part, channel));
        assert_eq!(found, Ok(expected), "{part:?}, {channel:?}");
    }
    for part in ["3", "-1", "Sea", ""] {
        let line = height(&file, &options(Some(part), None))
            .unwrap_err()
            .to_string();
        assert_eq!(line, format!("part is `{part}`, but the file has {names}"));
    }
    let line = height(&file, &options(Some("2"), None))
        .unwrap_err()
        .to_string();
    assert!(line.contains("the channels `R`, `Z`, `fog`"), "{line}");
    let line = io::read_exr(&file).unwrap_err().to_string();
    assert!(line.contains(names), "{line}");
}

/// The size is that of the selected part.
#[test]
fn parts_may_have_other_sizes() {
    let part = |name: &str, width: usize| {
        let size = Vec2(width, 5);
        let channel = AnyChannel::new("Y", FlatSamples::F32(vec![width as f32; size.area()]));
        let channels = AnyChannels::sort(SmallVec::from_vec(vec![channel]));
        Layer::new(
            size,
            LayerAttributes::named(name),
            Encoding::SMALL_LOSSLESS,
            channels,
        )
    };
    let parts = SmallVec::from_vec(vec![part("small", 4), part("large", 40)]);
    let attributes = ImageAttributes::with_size(Vec2(40, 5));
    let image: Image<Layers<AnyChannels<FlatSamples>>> = Image::from_layers(attributes, parts);
    let mut file = Cursor::new(Vec::new());
    image.write().non_parallel().to_buffered(&mut file).unwrap();
    for (name, width) in [("small", 4), ("large", 40)] {
        let found = io::read(file.get_ref(), Format::Exr, &options(Some(name), None)).unwrap();
        assert_eq!((found.heights.width(), found.heights.height()), (width, 5));
        assert_eq!(found.heights.range(), (width as f32, width as f32));
    }
}

/// Names come from the file, and errors have one line.
#[test]
fn names_are_escaped_in_errors() {
    let file = image(&[("", &["a\nb", "\u{1b}[31m"])]);
    let line = height(&file, &options(None, None)).unwrap_err().to_string();
    assert!(
        line.contains("`a\\nb`") && line.contains("`\\u{1b}[31m`"),
        "{line}"
    );
    let names: Vec<String> = (10..99).map(|number| format!("layer{number}.Y")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let line = height(&image(&[("", &names)]), &options(None, None))
        .unwrap_err()
        .to_string();
    assert!(
        line.contains("`layer29.Y`, ...: ") && !line.contains("layer30"),
        "{line}"
    );
}
