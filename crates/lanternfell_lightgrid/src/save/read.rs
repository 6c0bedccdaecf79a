//! Reads a file of either version: where fields have no names, one of a grid without land ends before those of land.

use core::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
};

use super::{HILLY, SavedGrid};

const FIELDS: &[&str] = &[
    "version", "width", "height", "gray", "settings", "cells", "regions", "ambient", "sources",
    "light", "heights", "relief",
];

pub(super) fn saved_grid<'de, D: Deserializer<'de>>(from: D) -> Result<SavedGrid, D::Error> {
    from.deserialize_struct("LightGrid", FIELDS, Fields)
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = SavedGrid;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("a grid of light")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SavedGrid, A::Error> {
        SavedGrid::deserialize(MapAccessDeserializer::new(map))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<SavedGrid, A::Error> {
        let fields = &mut fields;
        let mut saved = SavedGrid {
            version: next(fields)?,
            width: next(fields)?,
            height: next(fields)?,
            gray: next(fields)?,
            settings: next(fields)?,
            cells: next(fields)?,
            regions: next(fields)?,
            ambient: next(fields)?,
            sources: next(fields)?,
            light: next(fields)?,
            heights: Vec::new(),
            relief: None,
        };
        if saved.version == HILLY {
            saved.heights = next(fields)?;
            saved.relief = next(fields)?;
        }
        Ok(saved)
    }
}

fn next<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(fields: &mut A) -> Result<T, A::Error> {
    let field = fields.next_element()?;
    field.ok_or_else(|| A::Error::custom("the grid ends too early"))
}
