//! Serialization of the log as its bytes, for scenes.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, SeqAccess, Visitor},
};

use super::TerrainEdits;

impl Serialize for TerrainEdits {
    /// Serializes the bytes of the log.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}

impl<'de> Deserialize<'de> for TerrainEdits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl<'de> Visitor<'de> for Bytes {
            type Value = TerrainEdits;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of a log of terrain edits")
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<TerrainEdits, E> {
                TerrainEdits::from_bytes(bytes).map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<TerrainEdits, A::Error> {
                let mut all = Vec::new();
                while let Some(byte) = bytes.next_element()? {
                    all.push(byte);
                }
                self.visit_bytes(&all)
            }
        }

        deserializer.deserialize_byte_buf(Bytes)
    }
}
