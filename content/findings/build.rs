//! Rebuilds the crate when an explanation changes.

fn main() {
    println!("cargo:rerun-if-changed=explain");
    println!("cargo:rerun-if-changed=build.rs");
}
