//! What is written out in a call of the API: names, fields, points, messages, options.

use principes_lua::ByteSpan;
use principes_lua::tree::{Expr, ExprKind, Item, Name};
use std::collections::BTreeSet;

use principes_core::catalog::HookPointKind;
use principes_findings::{Code, Suggestion, listing, suggestion};
use principes_scripting::api::{Entry, Field, Ty};

use crate::calls::CallArguments;
use crate::help::Help;
use crate::types::{self as t, Callee, Detail, Type};
use crate::walk::Walk;

impl Walk<'_, '_> {
    /// Checks a value that is written out in a call.
    pub fn check_value(&mut self, name: &str, param: &str, ty: Ty, arg: &Expr, known: &Type) {
        match (&arg.kind, ty) {
            (ExprKind::Text(text), _) => self.check_name(name, param, ty, text, &arg.span),
            (ExprKind::Table(items), Ty::Fields(fields)) => self.check_fields(name, fields, items, arg, known),
            (ExprKind::Table(items), Ty::Map(Ty::Prop, _)) => self.check_wanted(items, known),
            (_, Ty::Map(Ty::Prop, _)) => self.check_wanted_shape(known, &arg.span),
            (ExprKind::Table(items), Ty::List(inner)) => {
                let items: Vec<&Expr> = items.iter().filter_map(plain).collect();
                for item in items {
                    let known = self.silently(|walk| walk.peek(item));
                    self.check_item(name, param, *inner, item, &known);
                }
            }
            (_, Ty::List(inner)) => {
                if let Some(shape) = known.shape() {
                    let (real, accepts) = (shape.items.bits & !t::NIL, t::accepts(*inner));
                    if real != 0 && shape.items.bits != t::ALL && real & accepts == 0 {
                        let message =
                            format!("`{name}` needs {} in the list `{param}`, found {}", inner.wanted(), t::tell(real));
                        self.report(Code::WrongArgumentType, &arg.span, message, Help::NONE);
                    }
                }
            }
            (_, Ty::Seat | Ty::ZoneOwner) => {
                let unled = &self.program.facts.unled;
                if let Some(words) = known.words().filter(|_| known.bits & !t::NIL == t::FACTION)
                    && words.iter().all(|id| unled.contains(&**id))
                {
                    let message = format!("`{name}` needs a seat as `{param}`, but this faction is not playable");
                    self.report(Code::WrongArgumentType, &arg.span, message, Help::NONE);
                }
            }
            _ => {}
        }
    }

    pub fn check_item(&mut self, name: &str, param: &str, ty: Ty, arg: &Expr, known: &Type) {
        self.check_value(name, param, ty, arg, known);
        let real = known.bits & !t::NIL;
        if known.bits != 0 && !known.is_any() && real & t::accepts(ty) == 0 && real != 0 {
            let message = format!("`{name}` needs {} as `{param}`, found {}", ty.wanted(), t::tell(real));
            self.report(Code::WrongArgumentType, &arg.span, message, Help::NONE);
        }
    }

    /// A table of named fields, written out.
    pub fn check_fields(&mut self, name: &str, fields: &'static [Field], items: &[Item], table: &Expr, known: &Type) {
        for item in items {
            match item {
                Item::Named(key, value) => match fields.iter().find(|field| field.name == key.text) {
                    Some(field) => {
                        let ty = known.shape().and_then(|shape| shape.fields.get(key.text.as_str())).cloned();
                        self.check_item(name, field.name, field.ty, value, &ty.unwrap_or(Type::ANY));
                    }
                    None => self.unknown_field(name, fields, key),
                },
                Item::Keyed(key, value) if matches!(key.kind, ExprKind::Text(_)) => {
                    let ExprKind::Text(text) = &key.kind else { continue };
                    let key = Name { text: text.clone(), span: key.span.clone() };
                    match fields.iter().find(|field| field.name == key.text) {
                        Some(field) => {
                            let ty = self.silently(|walk| walk.peek(value));
                            self.check_item(name, field.name, field.ty, value, &ty);
                        }
                        None => self.unknown_field(name, fields, &key),
                    }
                }
                Item::Plain(value) => {
                    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                    let help = format!("the fields are {}", listing(&names));
                    self.report(
                        Code::UnknownScriptField,
                        &value.span,
                        format!("fields of `{name}` must have names"),
                        Some(help),
                    );
                }
                Item::Keyed(..) => return,
            }
        }
        let given: BTreeSet<&str> = items
            .iter()
            .filter_map(|item| match item {
                Item::Named(key, _) => Some(key.text.as_str()),
                Item::Keyed(Expr { kind: ExprKind::Text(text), .. }, _) => Some(text),
                _ => None,
            })
            .collect();
        let missing: Vec<&str> = fields
            .iter()
            .filter(|field| !field.optional && !given.contains(field.name))
            .map(|field| field.name)
            .collect();
        // A misspelled field has been reported already.
        let strangers = given.iter().any(|name| fields.iter().all(|field| field.name != *name));
        if !missing.is_empty() && !strangers {
            self.report(Code::WrongArguments, &table.span, format!("`{name}` needs {}", listing(&missing)), Help::NONE);
        }
    }

    pub fn unknown_field(&mut self, name: &str, fields: &[Field], key: &Name) {
        let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
        let near = suggestion(&key.text, names.iter().copied()).map(Suggestion::of_program);
        let help = Help::or(near, format!("the fields are {}", listing(&names)));
        self.report(Code::UnknownScriptField, &key.span, format!("`{name}` has no field `{}`", key.text), help);
    }

    /// A name that is written out.
    pub fn check_name(&mut self, name: &str, param: &str, ty: Ty, text: &str, bytes: &ByteSpan) {
        if !self.reports() || self.program.facts.unsure.contains(text) {
            return;
        }
        let facts = &self.program.facts;
        let near = |all: &BTreeSet<String>| suggestion(text, all.iter().map(String::as_str));
        let (code, message, help) = match ty {
            Ty::Query | Ty::Effect | Ty::Point => match (ty, self.program.kind_of_point(text)) {
                (_, None) => {
                    let near = suggestion(text, facts.points.keys().map(String::as_str));
                    let help = Help::or(near, "declare it under `points`").lacking("points", text);
                    (Code::UnknownPoint, format!("unknown hook point `{text}`"), help)
                }
                (Ty::Query, Some(HookPointKind::Effect)) => (
                    Code::UnknownPoint,
                    format!("`{text}` is an effect point"),
                    "`trigger` and `perform` run effect points".into(),
                ),
                (Ty::Effect, Some(HookPointKind::Query)) => {
                    (Code::UnknownPoint, format!("`{text}` is a query point"), "`query` runs query points".into())
                }
                _ => return,
            },
            Ty::Decision if !facts.decisions.contains(text) => {
                let help = Help::or(near(&facts.decisions), "declare it under `decisions`").lacking("decisions", text);
                (Code::UnknownPoint, format!("unknown decision `{text}`"), help)
            }
            Ty::Message | Ty::Cause => {
                let prefix = if ty == Ty::Message { "log." } else { "outcome." };
                if facts.holes.contains_key(&format!("{prefix}{text}")) {
                    return;
                }
                let near = suggestion(text, facts.holes.keys().filter_map(|key| key.strip_prefix(prefix)));
                let help = Help::or(near, format!("add `{prefix}{text}` to the messages of every language"));
                let help = help.lacking("messages", &format!("{prefix}{text}"));
                (Code::UnknownMessage, format!("unknown message `{prefix}{text}`"), help)
            }
            Ty::Prop => {
                self.check_prop(crate::props::read_of(name, param), text, bytes);
                return;
            }
            Ty::Stat if !facts.stats.contains(text) => {
                (Code::UnknownWord, format!("no piece has a stat `{text}`"), near(&facts.stats).into())
            }
            Ty::ParamName if !facts.params.contains(text) => {
                (Code::UnknownWord, format!("no card has a param `{text}`"), near(&facts.params).into())
            }
            Ty::FaceValue if !facts.face_values.contains(text) => {
                (Code::UnknownWord, format!("no face of the die has a value `{text}`"), near(&facts.face_values).into())
            }
            Ty::Face if !facts.faces.contains(text) => {
                (Code::UnknownWord, format!("the die has no face `{text}`"), near(&facts.faces).into())
            }
            Ty::Word | Ty::KindOrClass | Ty::Any if !facts.is_word(text) => {
                (Code::UnknownWord, format!("unknown keyword \"{text}\""), suggestion(text, facts.all_words()).into())
            }
            Ty::Side if !["attacker", "defender"].contains(&text) => {
                let near = suggestion(text, ["attacker", "defender"]).map(Suggestion::of_program);
                (Code::UnknownWord, format!("`{name}` needs {} as `{param}`", ty.wanted()), near.into())
            }
            Ty::OneOf(words) if !words.contains(&text) => {
                let near = suggestion(text, words.iter().copied()).map(Suggestion::of_program);
                (Code::UnknownWord, format!("`{name}` needs {} as `{param}`", ty.wanted()), near.into())
            }
            _ => return,
        };
        self.report(code, bytes, message, help);
    }

    /// Checks the values that a hook point receives.
    pub fn point(&mut self, given: &CallArguments<'_>, at: usize, from: usize) {
        let Some((id, _)) = given.literal(at) else { return };
        let Some(point) = self.program.facts.points.get(id) else { return };
        let (wanted, kernel) = (point.args.clone(), point.kernel);
        let values: Vec<Type> = given.types.get(from.min(given.types.len())..).unwrap_or_default().to_vec();
        let many = given.args.len().saturating_sub(from);
        let takes = |id: &str| format!("`{id}` passes ({})", wanted.join(", "));
        if many > wanted.len() {
            let message = "too many values".to_owned();
            self.report(Code::WrongArguments, given.bytes(from + wanted.len()), message, Some(takes(id)));
        } else if many < wanted.len() && !given.open && from < 3 {
            let message = format!("`{}` is missing", wanted[many]);
            self.report(Code::WrongArguments, &given.callee.span, message, Some(takes(id)));
        }
        if kernel {
            return;
        }
        let rest = given.rest();
        let known = self.program.point_args.entry(id.to_owned()).or_insert_with(|| vec![Type::NEVER; wanted.len()]);
        let mut changed = false;
        for (at, slot) in known.iter_mut().enumerate() {
            let joined = slot.join(values.get(at).unwrap_or(&rest));
            changed |= joined != *slot;
            *slot = joined;
        }
        if changed {
            self.program.point_changed();
        }
    }

    /// A message shows as many values as it receives: those that follow it, or the three that the verb itself adds.
    pub fn message_values(&mut self, entry: &Entry, given: &CallArguments<'_>, at: usize) {
        let Some((key, _)) = given.literal(at) else { return };
        let Some(shown) = self.program.facts.holes.get(&format!("log.{key}")) else { return };
        let by_itself = !entry.params.last().is_some_and(|last| last.rest);
        let count = if by_itself { 3 } else { given.args.len().saturating_sub(at + 1) };
        if count < *shown && !given.open {
            let message = format!("the message `log.{key}` shows {{{shown}}}, but gets {count} values");
            self.report(Code::WrongArguments, &given.callee.span, message, Help::NONE);
        }
    }

    /// The values that a prompt shows must be passed with the decision.
    pub fn prompt(&mut self, entry: &Entry, given: &CallArguments<'_>, at: usize) {
        let Some((id, _)) = given.literal(at) else { return };
        let shown = self.program.facts.holes.get(&format!("decision.{id}")).copied().unwrap_or_default();
        let Some(last) = entry.params.iter().position(|param| matches!(param.ty, Ty::Fields(_))) else { return };
        let count = match given.args.get(last).map(|arg| &arg.kind) {
            None if given.lacks(last) => 0,
            Some(ExprKind::Table(items)) => {
                let about = items.iter().find_map(|item| match item {
                    Item::Named(name, value) if name.text == "about" => Some(value),
                    _ => None,
                });
                match about.map(|about| &about.kind) {
                    None => 0,
                    Some(ExprKind::Table(items)) => {
                        let unsure = items.last().and_then(plain).is_some_and(|last| {
                            matches!(last.kind, ExprKind::Call { .. } | ExprKind::Vararg | ExprKind::Method { .. })
                        });
                        if unsure { items.len().max(shown) } else { items.len() }
                    }
                    Some(_) => return,
                }
            }
            _ => return,
        };
        if count < shown {
            let message = format!("the prompt `decision.{id}` shows {{{shown}}}, but gets {count} values");
            let help = "pass them as `{ about = { … } }`".to_owned();
            self.report(Code::WrongArguments, &given.callee.span, message, Some(help));
        }
    }

    /// Options are words that packs know, or come from a function that changes nothing.
    pub fn options(&mut self, given: &CallArguments<'_>, at: usize) {
        if let Some(Detail::Functions(list)) = given.types.get(at).map(|ty| &ty.detail) {
            for callee in list.clone().iter() {
                if let Callee::Own(id) = callee {
                    let known = &mut self.program.functions[*id];
                    known.must.get_or_insert((t::TABLE, "a list of options"));
                    known.pure.get_or_insert_with(|| "a function that lists options".to_owned());
                }
            }
        }
        let decision = at.checked_sub(1).and_then(|at| given.literal(at)).map(|(id, _)| id);
        // A list that is written out is checked word by word below.
        if let (Some(decision), Some(ty), Some(arg)) = (decision, given.types.get(at), given.args.get(at))
            && !matches!(arg.kind, ExprKind::Table(_))
        {
            self.offered(decision, ty, &arg.span);
        }
        if let Some(ExprKind::Table(items)) = given.args.get(at).map(|arg| &arg.kind) {
            for item in items.iter().filter_map(plain) {
                let word = match &item.kind {
                    ExprKind::Table(inner) => inner.first().and_then(plain).unwrap_or(item),
                    _ => item,
                };
                if let ExprKind::Text(text) = &word.kind {
                    match decision {
                        Some(decision) => self.check_option(decision, text, &word.span),
                        None => self.check_name("choose", "options", Ty::Word, text, &word.span),
                    }
                }
            }
        }
    }
}

impl Walk<'_, '_> {
    /// Everything that a list of options, or a function that returns one, may offer must be declared.
    fn offered(&mut self, decision: &str, ty: &Type, bytes: &ByteSpan) {
        let lists: Vec<Type> = match &ty.detail {
            Detail::Functions(list) => {
                let own = list.iter().filter_map(|callee| match callee {
                    Callee::Own(id) => self.program.functions[*id].results.first().cloned(),
                    _ => None,
                });
                own.collect()
            }
            _ => vec![ty.clone()],
        };
        for items in lists.iter().filter_map(Type::shape).map(|shape| &shape.items) {
            if let Some(words) = items.words().filter(|_| items.bits & !t::NIL == t::TEXT) {
                words.iter().for_each(|word| self.check_option(decision, word, bytes));
            }
        }
    }
}

fn plain(item: &Item) -> Option<&Expr> {
    match item {
        Item::Plain(value) => Some(value),
        _ => None,
    }
}
