//! Pictures of pixels: they are decoded once, so that a broken one is found before somebody prints it.

use std::io::Cursor;

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The most pixels of a picture.
const MOST: u64 = 32 << 20;
/// The longest side of a picture, in pixels.
const LONGEST: u32 = 16_384;
/// The most scans of a JPEG file; each of them can have all pixels again.
const MOST_SCANS: usize = 32;

/// The number of pixels of a PNG or JPEG file, from its header; an error says why nothing can draw it.
pub fn count(bytes: &[u8], is_png: bool) -> Result<u64, String> {
    let size = if is_png { png_size(bytes) } else { jpeg_size(bytes) };
    let (wide, high) = size.ok_or("its header cannot be read")?;
    let pixels = u64::from(wide) * u64::from(high);
    if pixels == 0 {
        return Err("it has no pixels".to_owned());
    }
    if pixels > MOST || wide.max(high) > LONGEST {
        return Err(format!(
            "it has {wide} × {high} pixels; at most {} million and {LONGEST} on a side are allowed",
            MOST / 1_000_000
        ));
    }
    Ok(pixels)
}

fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    Some((reader.info().width, reader.info().height))
}

fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut decoder = JpegDecoder::new(ZCursor::new(bytes));
    decoder.decode_headers().ok()?;
    let (wide, high) = decoder.dimensions()?;
    Some((u32::try_from(wide).ok()?, u32::try_from(high).ok()?))
}

/// Decodes a picture whose pixels are counted; an error says what is broken.
pub fn decode(bytes: &[u8], is_png: bool) -> Result<(), String> {
    let decoded = if is_png { decode_png(bytes) } else { decode_jpeg(bytes) };
    decoded.map_err(|error| format!("it is damaged ({error})"))
}

/// Row by row, so that it takes little memory.
fn decode_png(bytes: &[u8]) -> Result<(), String> {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().map_err(|error| error.to_string())?;
    while reader.next_row().map_err(|error| error.to_string())?.is_some() {}
    reader.finish().map_err(|error| error.to_string())
}

fn decode_jpeg(bytes: &[u8]) -> Result<(), String> {
    let options = DecoderOptions::default().set_strict_mode(true).jpeg_set_max_scans(MOST_SCANS);
    let decoded = JpegDecoder::new_with_options(ZCursor::new(bytes), options).decode();
    decoded.map(drop).map_err(|error| error.to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A gray picture.
    fn png(wide: u32, high: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = png::Encoder::new(&mut bytes, wide, high);
        writer.set_color(png::ColorType::Grayscale);
        let mut writer = writer.write_header().unwrap();
        writer.write_image_data(&vec![90; (wide * high) as usize]).unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn broken_and_absurd_pictures_are_refused() {
        let whole = png(40, 30);
        assert_eq!(count(&whole, true), Ok(1200));
        assert_eq!(decode(&whole, true), Ok(()));
        for length in [9, 20, 40, whole.len() - 13, whole.len() - 20] {
            let cut = &whole[..length];
            assert!(count(cut, true).and_then(|_| decode(cut, true)).is_err(), "cut after {length}");
        }
        for at in [18, 45, whole.len() - 16] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            assert!(count(&bytes, true).and_then(|_| decode(&bytes, true)).is_err(), "byte {at}");
        }
        for (wide, high) in [(20_000, 1), (1, 20_000), (16_384, 4_096)] {
            let mut bytes = Vec::new();
            let mut header = png::Encoder::new(&mut bytes, wide, high).write_header().unwrap();
            header.write_chunk(png::chunk::IDAT, &[0; 9]).unwrap();
            drop(header);
            let refused = count(&bytes, true).unwrap_err();
            assert!(refused.contains("pixels"), "{refused}");
        }
    }
}
