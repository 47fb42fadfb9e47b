//! Whether everything in looks can be drawn.

use principes_findings::Finding;

use super::content::Content;
use crate::look;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    look::read(content.merged, content.decoding, findings);
}
