//! The font that the program brings: Vollkorn, cut to Latin letters. Its license is beside it, and so are the same files
//! compressed for browsers, made with `fonttools ttLib.woff2 compress`.

/// The name under which style sheets find the font.
pub const FAMILY: &str = "Vollkorn";

/// Its files: regular, bold, italic.
pub const FILES: [&[u8]; 3] = [
    include_bytes!("../fonts/Vollkorn-Regular.ttf"),
    include_bytes!("../fonts/Vollkorn-Bold.ttf"),
    include_bytes!("../fonts/Vollkorn-Italic.ttf"),
];
