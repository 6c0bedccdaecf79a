//! PGM: known bytes, files of other programs, and rejected files.

use lanternfell_heightmap::Progress;
use lanternfell_io::{self as io, Format, ImportError, PngDepth};

use super::{map, read};

#[test]
fn pgm_is_header_and_big_endian_values() {
    let map = map(3, &[0.0, 1.0, 0.2, 0.4, 0.6, 0.8]);
    let mut bytes = Vec::new();
    io::write_pgm(&map, PngDepth::Eight, &mut bytes, &Progress::default()).unwrap();
    assert_eq!(bytes, b"P5\n3 2\n255\n\x00\xff\x33\x66\x99\xcc");
    let mut bytes = Vec::new();
    io::write_pgm(&map, PngDepth::Sixteen, &mut bytes, &Progress::default()).unwrap();
    assert_eq!(bytes[..20], *b"P5\n3 2\n65535\n\0\0\xff\xff\x33\x33f");
    assert_eq!(bytes.len(), 13 + 12);
}

#[test]
fn reads_pgms_of_other_programs() {
    let expected = map(2, &[0.0, 0.5, 1.0, 0.25]);
    let files: [&[u8]; 6] = [
        b"P2 2 2 100 0 50 100 25",
        b"P2\n# a comment\n2 # and one more\n2\n100\n0\t50\n# and here\n100 25\n\n",
        b"P5 2 2 100\n\x00\x32\x64\x19",
        b"P5\r2\r2\r100\r\x00\x32\x64\x19",
        b"P5#x\n2 2 4\n\x00\x02\x04\x01",
        b"P5 2 2 1000 \x00\x00\x01\xf4\x03\xe8\x00\xfa",
    ];
    for (number, file) in files.into_iter().enumerate() {
        assert_eq!(read(file, Format::Pgm).unwrap(), expected, "file {number}");
    }
}

#[test]
fn rejects_invalid_pgms() {
    let says = |bytes: &[u8]| read(bytes, Format::Pgm).unwrap_err().to_string();
    for bytes in [&b""[..], b"P", b"P6 2 2 255 ", b"P1 2 2", b"\x89PNG"] {
        assert_eq!(says(bytes), "this is not a PGM");
    }
    for header in [
        "P5",
        "P5 2",
        "P5 2 2",
        "P5 2 2 255",
        "P5 2 -2 255 ",
        "P5 2 2x 255 ",
    ] {
        assert!(says(header.as_bytes()).contains("header"), "{header}");
    }
    assert!(says(b"P5 99999999999999999999999 2 255 ").contains("header"));
    for most in ["0", "65536", "4294967296"] {
        let line = says(format!("P5 2 2 {most}\n").as_bytes());
        assert!(line.contains("largest"), "{line}");
    }
    assert!(says(b"P2 2 2 5 0 1 2 6").contains("column 1, row 1"));
    assert!(says(b"P2 2 2 5 0 1 x 5").contains("column 0, row 1"));
    assert!(says(b"P2 2 2 5 0 1 2 3 4").contains("more values"));
    assert!(says(b"P5 2 2 5 \x00\x01\x02\x06").contains("column 1, row 1"));
    for found in [3, 5] {
        let bytes = [b"P5 2 2 5 ".as_slice(), &vec![0; found as usize]].concat();
        let expected = ImportError::Length { expected: 4, found };
        assert_eq!(read(&bytes, Format::Pgm), Err(expected));
    }
}
