//! Results as JUnit XML.

use anyhow::Result;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::tested::{Tested, failures, verdict, why_not_loaded};

/// A suite for each pack, with a case for each scenario. A pack that cannot be loaded has one case, which is an error.
pub(super) fn report(all: &[Tested], unloaded: &[String]) -> Result<String> {
    let mut report = quick_junit::Report::new("principes test");
    for path in unloaded {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("not loaded").set_message(why_not_loaded(path));
        let mut case = TestCase::new("load", status);
        case.set_classname(path.as_str());
        let mut suite = TestSuite::new(path.as_str());
        suite.add_test_case(case);
        report.add_test_suite(suite);
    }
    for tested in all {
        let mut suite = TestSuite::new(tested.pack.as_str());
        for result in &tested.report.results {
            let mut status = TestCaseStatus::success();
            if !result.passed() {
                status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let failures = failures(result);
                status.set_type(verdict(result));
                status.set_message(
                    failures.first().map_or_else(|| format!("the scenario {}", verdict(result)), String::clone),
                );
                status.set_description(format!("{}\n{}", failures.join("\n"), result.diff));
            }
            let mut case = TestCase::new(result.id.as_str(), status);
            case.set_classname(result.file.as_str());
            suite.add_test_case(case);
        }
        for texts in &tested.texts {
            let mut status = TestCaseStatus::success();
            if !texts.passed() {
                status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message("the texts that players read differ from their snapshots");
                status.set_description(texts.diff.as_str());
            }
            let mut case = TestCase::new("texts", status);
            case.set_classname(texts.file.as_str());
            suite.add_test_case(case);
        }
        if let Some(why) = &tested.too_little {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("coverage").set_message(why.as_str());
            let mut case = TestCase::new("--min-coverage", status);
            case.set_classname(tested.pack.as_str());
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    Ok(report.to_string()?)
}
