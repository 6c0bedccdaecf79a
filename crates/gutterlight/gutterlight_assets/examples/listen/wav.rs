//! Writing WAV files.

/// Encodes interleaved stereo samples as a 16-bit RIFF WAVE file (Microsoft and IBM 1991).
pub fn wav(samples: &[f32], rate: u32) -> Vec<u8> {
    let bytes = 2 * samples.len() as u32;
    let mut file = Vec::with_capacity(44 + bytes as usize);
    file.extend(b"RIFF");
    file.extend((36 + bytes).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    // PCM, two channels; samples and bytes per second; bytes per frame, bits per sample.
    file.extend([1_u16, 2].map(u16::to_le_bytes).as_flattened());
    file.extend([rate, 4 * rate].map(u32::to_le_bytes).as_flattened());
    file.extend([4_u16, 16].map(u16::to_le_bytes).as_flattened());
    file.extend(b"data");
    file.extend(bytes.to_le_bytes());
    for sample in samples {
        file.extend(((sample * 32_767.0).round() as i16).to_le_bytes());
    }
    file
}
