//! Messages: their braces and plural forms.

use principes_findings::{Code, Finding, listing};
use principes_json::template::{self, texts};
use principes_model::{Merged, MessageEntry, plural};
use principes_schemas::MessageText;

use super::content::Content;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    for entry in &content.merged.messages {
        braces(content.merged, entry, findings);
        plural_forms(content.merged, entry, findings);
    }
}

fn braces(merged: &Merged, entry: &MessageEntry, findings: &mut Vec<Finding>) {
    for (field, text) in texts(&entry.text).filter(|(_, text)| text.contains(['{', '}'])) {
        if let Err(message) = template::parse(text) {
            let finding = merged.finding(&entry.place, field, Code::BadBraces, message);
            findings.push(template::at_brace(finding.help("placeholders look like `{gold}`"), text));
        }
    }
}

fn plural_forms(merged: &Merged, entry: &MessageEntry, findings: &mut Vec<Finding>) {
    let MessageText::Plural(plural) = &entry.text else { return };
    let given = [
        (plural::PluralForm::One, plural.one.is_some()),
        (plural::PluralForm::Few, plural.few.is_some()),
        (plural::PluralForm::Many, plural.many.is_some()),
        (plural::PluralForm::Other, plural.other.is_some()),
    ];
    let needed = plural::forms(&entry.language);
    let names: Vec<&str> = needed.iter().map(|form| form.name()).collect();
    let help = format!("whole numbers in `{}` take {}", entry.language, listing(&names));
    let lacking: Vec<&str> =
        given.iter().filter(|(form, there)| !there && needed.contains(form)).map(|(form, _)| form.name()).collect();
    if !lacking.is_empty() {
        let (forms, are) = if lacking.len() == 1 { ("form", "is") } else { ("forms", "are") };
        let message = format!("the {forms} {} {are} missing", listing(&lacking));
        findings.push(merged.finding(&entry.place, "", Code::WrongPluralForms, message).help(help.as_str()));
    }
    // Every message may have `other`, even if whole numbers never take it.
    let idle = |form: &plural::PluralForm| *form != plural::PluralForm::Other && !needed.contains(form);
    for (form, _) in given.iter().filter(|(form, there)| *there && idle(form)) {
        let field = format!("/{}", form.name());
        let message = format!("the plural form `{}` is never used", form.name());
        let finding = merged.finding(&entry.place, &field, Code::WrongPluralForms, message).help(help.as_str());
        findings.push(merged.without(finding, &entry.place, &field));
    }
}
