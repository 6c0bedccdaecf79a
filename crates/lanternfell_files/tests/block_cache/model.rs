//! Compares the cache with a model: a list of blocks in the order of their use.

use lanternfell_files::{BlockCache, BlockCacheOptions};
use proptest::prelude::*;
use tempfile::TempDir;

use super::{HEADER, file_name, folder, sizes};

#[derive(Debug, Clone)]
enum Operation {
    Put(Key, Vec<u8>),
    Get(Key),
    /// All caches are closed and opened again.
    Restart,
}

/// An owner and a key.
type Key = (usize, [i64; 2]);

fn key() -> impl Strategy<Value = Key> {
    (0..2_usize, -2..3_i64, 0..3_i64).prop_map(|(owner, x, y)| (owner, [x, y]))
}

fn operation() -> impl Strategy<Value = Operation> {
    let bytes = (0..2000_usize, any::<u8>()).prop_map(|(length, first)| {
        let byte = |place| first.wrapping_add((place % 251) as u8);
        (0..length).map(byte).collect()
    });
    prop_oneof![
        5 => (key(), bytes).prop_map(|(key, bytes)| Operation::Put(key, bytes)),
        5 => key().prop_map(Operation::Get),
        1 => Just(Operation::Restart),
    ]
}

/// The expected content of the folder, least recently used first.
#[derive(Debug, Default)]
struct Model {
    blocks: Vec<(Key, Vec<u8>)>,
    max_bytes: usize,
}

impl Model {
    fn bytes(&self) -> usize {
        let sizes = self.blocks.iter().map(|(_, bytes)| HEADER + bytes.len());
        sizes.sum()
    }

    fn take(&mut self, key: Key) -> Option<Vec<u8>> {
        let place = self.blocks.iter().position(|(of, _)| *of == key)?;
        Some(self.blocks.remove(place).1)
    }

    fn get(&mut self, key: Key) -> Option<Vec<u8>> {
        let bytes = self.take(key)?;
        self.blocks.push((key, bytes.clone()));
        Some(bytes)
    }

    /// Returns whether the block fits. Like the cache, this makes room before it removes an old
    /// block of the same key.
    fn put(&mut self, key: Key, bytes: &[u8]) -> bool {
        let size = HEADER + bytes.len();
        if size > self.max_bytes {
            return false;
        }
        while self.bytes() + size > self.max_bytes {
            self.blocks.remove(0);
        }
        self.take(key);
        self.blocks.push((key, bytes.to_vec()));
        true
    }

    /// The name and size of each file.
    fn files(&self) -> Vec<(String, u64)> {
        let file = |((owner, key), bytes): &(Key, Vec<u8>)| {
            let name = file_name(*owner as u64, *key);
            (name, (HEADER + bytes.len()) as u64)
        };
        let mut files: Vec<_> = self.blocks.iter().map(file).collect();
        files.sort();
        files
    }
}

/// Opens the cache of one owner. Only one is open at a time, because open caches do not notice each
/// other's changes immediately.
fn open(folder: &TempDir, owner: usize, max_bytes: usize) -> BlockCache {
    let options = BlockCacheOptions {
        owner: owner as u64,
        max_bytes: max_bytes as u64,
    };
    BlockCache::open(folder.path(), options).expect("a cache")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn drops_least_recently_used(
        max_bytes in 500..30_000_usize,
        operations in prop::collection::vec(operation(), 1..120),
    ) {
        let folder = folder();
        let mut model = Model { max_bytes, ..Model::default() };
        let mut opened = (0, open(&folder, 0, max_bytes));
        for operation in operations {
            let (Operation::Put((owner, _), _) | Operation::Get((owner, _))) = operation else {
                opened.1 = open(&folder, opened.0, max_bytes);
                continue;
            };
            if owner != opened.0 {
                opened = (owner, open(&folder, owner, max_bytes));
            }
            let cache = &opened.1;
            match operation {
                Operation::Put(key, bytes) => {
                    let has_room = model.put(key, &bytes);
                    prop_assert_eq!(cache.put(key.1, &bytes).is_ok(), has_room);
                }
                Operation::Get(key) => prop_assert_eq!(cache.get(key.1), model.get(key)),
                Operation::Restart => {}
            }
            let files: Vec<(String, u64)> = sizes(folder.path()).into_iter().collect();
            prop_assert_eq!(&files, &model.files());
            let bytes: u64 = files.iter().map(|(_, size)| size).sum();
            prop_assert!(bytes <= max_bytes as u64);
        }
        for (owner, key) in model.blocks.iter().map(|(key, _)| *key).collect::<Vec<_>>() {
            let found = open(&folder, owner, max_bytes).get(key);
            prop_assert_eq!(found, model.get((owner, key)));
        }
    }
}
