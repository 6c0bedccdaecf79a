//! Writes every sound of the game into a folder, as WAV files, to be listened to:
//! `cargo run -p gutterlight_assets --example listen -- sounds`.

use std::{error::Error, fs, path::Path, sync::Arc};

use gutterlight_assets::sound::{Bank, Cue, Mixer, RATE, SoundName};

/// Seconds of each file.
const LENGTH: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .ok_or("name a folder to write to")?;
    fs::create_dir_all(&folder)?;
    let bank = Arc::new(Bank::new());
    for (number, name) in SoundName::all().enumerate() {
        let mut mixer = Mixer::new(Arc::clone(&bank), 1);
        mixer.play(Cue::new(name));
        let mut samples = vec![0.0; 2 * RATE as usize * LENGTH];
        mixer.fill(&mut samples);
        let file = format!("{number:02} {}.wav", name.caption().replace('/', " "));
        fs::write(Path::new(&folder).join(file), wav(&samples))?;
    }
    Ok(())
}

/// Two channels of samples as a RIFF file of 16 bits (Microsoft and IBM 1991).
fn wav(samples: &[f32]) -> Vec<u8> {
    let bytes = 2 * samples.len() as u32;
    let mut file = Vec::with_capacity(44 + bytes as usize);
    file.extend(b"RIFF");
    file.extend((36 + bytes).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    // PCM, two channels; their rate, in samples and in bytes; bytes of both, bits of one.
    file.extend([1_u16, 2].map(u16::to_le_bytes).as_flattened());
    file.extend([RATE, 4 * RATE].map(u32::to_le_bytes).as_flattened());
    file.extend([4_u16, 16].map(u16::to_le_bytes).as_flattened());
    file.extend(b"data");
    file.extend(bytes.to_le_bytes());
    for sample in samples {
        file.extend(((sample * 32_767.0) as i16).to_le_bytes());
    }
    file
}
