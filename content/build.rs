//! Rebuilds the crate when embedded files change.

fn main() {
    println!("cargo:rerun-if-changed=principes");
    println!("cargo:rerun-if-changed=src/explain");
    println!("cargo:rerun-if-changed=build.rs");
}
