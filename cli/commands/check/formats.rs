//! Findings in formats for programs: SARIF 2.1.0, JUnit, annotations of GitHub Actions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::Result;
use principes_findings::explain;
use principes_findings::{Finding, Severity, Span};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

use super::root::Root;

/// The number of annotations that GitHub shows for one step.
const MOST_ANNOTATIONS: usize = 10;

/// The findings as a SARIF log. Programs look for its files from `root`.
pub fn sarif(findings: &[Finding], root: &Root) -> Value {
    let (place, uri) = (|file: &str, span: &Span| place(&root.path(file), span), |file: &str| uri(&root.path(file)));
    let codes: Vec<&str> =
        findings.iter().map(|finding| finding.code.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    let rule = |code: &&str| match explain(code) {
        Some(entry) => json!({
            "id": code,
            "shortDescription": { "text": entry.title },
            "fullDescription": { "text": entry.text },
            "help": { "text": entry.print(), "markdown": entry.markdown() },
            "defaultConfiguration": { "level": entry.severity.name() },
        }),
        None => json!({ "id": code }),
    };
    let rules: Vec<Value> = codes.iter().map(rule).collect();
    let results: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let mut result = json!({
                "ruleId": finding.code,
                "ruleIndex": codes.iter().position(|code| *code == finding.code.as_str()),
                "level": finding.severity.name(),
                "message": { "text": with_help(finding) },
                "locations": [place(&finding.file, &finding.span)],
            });
            if !finding.labels.is_empty() {
                let labels = finding.labels.iter().map(|label| {
                    let mut place = place(&label.file, &label.span);
                    place["message"] = json!({ "text": label.message });
                    place
                });
                result["relatedLocations"] = labels.collect();
            }
            if let Some(fix) = &finding.fix {
                let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
                for edit in &fix.edits {
                    files.entry(&edit.file).or_default().push(json!({
                        "deletedRegion": region(&edit.span), "insertedContent": { "text": edit.text },
                    }));
                }
                let changes = files
                    .into_iter()
                    .map(|(file, edits)| json!({ "artifactLocation": { "uri": uri(file) }, "replacements": edits }));
                result["fixes"] = json!([{
                    "description": { "text": fix.message }, "artifactChanges": changes.collect::<Vec<_>>(),
                }]);
            }
            result
        })
        .collect();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "principes", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn place(file: &str, span: &Span) -> Value {
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region(span) } })
}

fn region(span: &Span) -> Value {
    json!({
        "startLine": span.line, "startColumn": span.column, "endLine": span.end_line, "endColumn": span.end_column,
    })
}

/// A path as a URI. Relative paths stay relative.
fn uri(file: &str) -> String {
    let mut text = String::new();
    if file.starts_with('/') {
        text.push_str("file://");
    }
    for byte in file.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'@' => {
                text.push(char::from(byte))
            }
            // Writing to a string cannot fail.
            _ => drop(write!(text, "%{byte:02X}")),
        }
    }
    text
}

fn with_help(finding: &Finding) -> String {
    let help = finding.help.as_ref().map(|help| format!(" (help: {help})"));
    let note = finding.note().map(|note| format!(" ({note})"));
    finding.message.clone() + &help.unwrap_or_default() + &note.unwrap_or_default()
}

fn position(finding: &Finding) -> String {
    format!("{}:{}:{}", finding.file, finding.span.line, finding.span.column)
}

/// The findings as a JUnit report: a suite for every file with findings, and one for the packs. Findings that make
/// `check` fail are failures; the others are passed tests with output.
pub fn junit(packs: &[String], findings: &[Finding], deny_warnings: bool) -> Result<String> {
    let mut report = Report::new("principes check");
    let mut fine = TestSuite::new("principes");
    for pack in packs {
        let mut case = TestCase::new(pack.clone(), TestCaseStatus::success());
        case.set_classname("principes.check");
        fine.add_test_case(case);
    }
    report.add_test_suite(fine);
    let mut files: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        files.entry(&finding.file).or_default().push(finding);
    }
    for (file, findings) in files {
        let mut suite = TestSuite::new(file);
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for finding in findings {
            let text = format!("{}: {}: {}", position(finding), finding.severity.name(), with_help(finding));
            // The name stays the same while lines move, so that a report can be compared with an earlier one.
            let name = format!("{} {}", finding.code, finding.message);
            let number = names.entry(name.clone()).or_default();
            *number += 1;
            let name = if *number > 1 { format!("{name} ({number})") } else { name };
            let mut case = TestCase::new(name, TestCaseStatus::success());
            if finding.is_error() || deny_warnings {
                case.status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                case.status.set_type(finding.code.as_str()).set_message(finding.message.clone()).set_description(text);
            } else {
                case.set_system_out(text);
            }
            case.set_classname(file);
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    // The Jenkins schema does not allow `skipped` on the whole report, and nothing is ever skipped.
    Ok(report.to_string()?.replacen(" skipped=\"0\"", "", 1))
}

/// The findings as annotations of files below `root`, errors first, up to the number that GitHub shows for one step. The rest are plain lines
/// of the log, and the last annotation gives their number.
pub fn github(findings: &[Finding], root: &Root) -> String {
    let mut text = String::new();
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| finding.severity);
    let shown = if sorted.len() > MOST_ANNOTATIONS { MOST_ANNOTATIONS - 1 } else { sorted.len() };
    let (first, rest) = sorted.split_at(shown);
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    for finding in first {
        let span = &finding.span;
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "::{} file={},line={}",
            finding.severity.name(),
            property(&root.path(&finding.file)),
            span.line
        );
        let _ = write!(text, ",endLine={},col={}", span.end_line, span.column);
        // Columns make sense only within one line. GitHub's end column is inclusive.
        if span.line == span.end_line {
            let _ = write!(text, ",endColumn={}", span.end_column.saturating_sub(1).max(span.column));
        }
        let _ = writeln!(text, ",title={}::{}", finding.code, data(&with_help(finding)));
    }
    if !rest.is_empty() {
        let errors = rest.iter().filter(|finding| finding.severity == Severity::Error).count();
        let level = if errors > 0 { "error" } else { "warning" };
        let warnings = rest.len() - errors;
        let _ = writeln!(
            text,
            "::{level} title=principes check::{} more findings ({errors} errors, {warnings} warnings) are in the log",
            rest.len()
        );
        text.push_str("::group::More findings\n");
        for finding in rest {
            let _ = writeln!(
                text,
                "{}: {}[{}]: {}",
                position(finding),
                finding.severity.name(),
                finding.code,
                with_help(finding).replace('\n', " ")
            );
        }
        text.push_str("::endgroup::\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use principes_findings::Code;

    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("mods/a b/żubr.json"), "mods/a%20b/%C5%BCubr.json");
        assert_eq!(uri("/tmp/a.json"), "file:///tmp/a.json");
    }

    #[test]
    fn github_shows_errors_first_and_counts_the_rest() {
        let warning = Finding::new(Code::ByteOrderMark, "a,b.json", "50 %");
        let mut findings = vec![warning.clone(); 3];
        findings.push(Finding::new(Code::NotJson, "b.json", "wrong"));
        let root = Root::default();
        let text = github(&findings, &root);
        assert!(
            text.starts_with("::error file=b.json,line=1,endLine=1,col=1,endColumn=1,title=P0005::wrong\n"),
            "{text}"
        );
        assert!(text.contains("::warning file=a%2Cb.json,") && text.contains("::50 %25\n"), "{text}");
        findings.extend(vec![warning; 20]);
        let text = github(&findings, &root);
        let annotations = text.lines().filter(|line| line.starts_with("::error") || line.starts_with("::warning"));
        assert_eq!(annotations.count(), MOST_ANNOTATIONS);
        assert!(text.contains("::warning title=principes check::15 more findings (0 errors, 15 warnings)"), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("a,b.json:1:1: warning[P0004]")).count(), 15);
    }

    #[test]
    fn junit_fails_what_check_fails() {
        let findings = [
            Finding::new(Code::ByteOrderMark, "a.json", "a mark"),
            Finding::new(Code::NotJson, "a.json", "<wrong> & \u{1}"),
        ];
        let text = |deny| junit(&["p".to_owned()], &findings, deny).expect("it can be written");
        assert!(text(false).contains("tests=\"3\" failures=\"1\" errors=\"0\">"), "{}", text(false));
        assert!(text(true).contains("tests=\"3\" failures=\"2\""));
        assert!(text(false).contains("&lt;wrong"), "{}", text(false));
    }

    #[test]
    fn names_in_junit_do_not_depend_on_lines() {
        let finding = |at: usize| {
            let source = format!("{}x", "\n".repeat(at)).into();
            Finding::new(Code::NotJson, "a.json", "wrong").at(&source, Span::new(&source, at..at + 1))
        };
        let names = |findings: &[Finding]| -> Vec<String> {
            let text = junit(&[], findings, false).expect("it can be written");
            text.split("<testcase name=\"")
                .skip(1)
                .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
                .collect()
        };
        assert_eq!(names(&[finding(1), finding(2)]), ["P0005 wrong", "P0005 wrong (2)"]);
        assert_eq!(names(&[finding(7), finding(9)]), ["P0005 wrong", "P0005 wrong (2)"]);
    }
}
