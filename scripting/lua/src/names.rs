//! How scripts write names that packs give.

/// The name of the constant for an id: `-` and `.` are not possible in names, so they become `_`.
pub fn constant_name(id: &str) -> String {
    id.replace(['-', '.'], "_")
}
