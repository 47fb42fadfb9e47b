//! Rebuilds the crate when the embedded game changes.

fn main() {
    println!("cargo:rerun-if-changed=../principes");
    println!("cargo:rerun-if-changed=build.rs");
}
