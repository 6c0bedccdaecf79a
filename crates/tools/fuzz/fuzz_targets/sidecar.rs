//! Sidecars of RAW files from arbitrary bytes.
#![no_main]

use lanternfell_io::Sidecar;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(sidecar) = Sidecar::parse(bytes) {
        let mut again = Vec::new();
        sidecar
            .write(&mut again)
            .expect("a parsed sidecar can be written");
        assert!(Sidecar::parse(&again).is_ok());
    }
});
