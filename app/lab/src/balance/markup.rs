//! Texts of packs inside pages and tables. A pack may call its factions what it likes, so nothing of it may become
//! markup.

use principes_findings::escape;

/// A text inside HTML or SVG, also inside quotes.
pub fn html(text: &str) -> String {
    let mut safe = String::new();
    for c in escape::line(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

/// A text inside a Markdown table. Everything that Markdown or HTML could read as markup is escaped, and addresses and
/// names are not turned into links.
pub fn markdown(text: &str) -> String {
    let mut safe = String::new();
    for c in escape::line(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '@' => safe.push_str("&#64;"),
            ':' => safe.push_str("&#58;"),
            '.' if safe.ends_with("www") => safe.push_str("&#46;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|' | '~' => {
                safe.push('\\');
                safe.push(c);
            }
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_markup() {
        assert_eq!(html("<b onclick='x'>\"&\u{202e}"), "&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;\\u{202e}");
        assert_eq!(
            markdown("a|b\n[x](http://y) @all <img> www.z"),
            r"a\|b\\n\[x\]\(http&#58;//y\) &#64;all &lt;img&gt; www&#46;z"
        );
    }
}
