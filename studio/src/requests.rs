//! The requests of pages: one table with the path of each, who may make it, and what it does. `studio/assets/engine.js`
//! and the other scripts of the page make them.
//!
//! A new request needs a row here, what it does in the file of its subject, and the script that makes it.

use principes_app::session::WhenChanged;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{PageRequest, Who, get, post};
use crate::command::{AnswerRequest, FaceSize, NewScenario, ViewRequest};
use crate::lab::Experiment;
use crate::lobby::NewGame;
use crate::visits;
use crate::workbench::{Planned, ToWrite};
use crate::{design, picture};

/// All requests of pages. Style sheets, scripts and pictures are not among them: they are the same for everybody.
pub fn requests() -> Vec<PageRequest> {
    [of_tables(), of_visits(), of_the_workbench(), of_trials_and_the_lab()].into_iter().flatten().collect()
}

/// A request without parameters.
#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct At {
    step: usize,
}

#[derive(Deserialize, JsonSchema)]
struct Between {
    from: usize,
    until: usize,
}

/// An option of a seat.
#[derive(Deserialize, JsonSchema)]
struct OfOption {
    key: String,
}

#[derive(Deserialize, JsonSchema)]
struct InLanguage {
    lang: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct OfFace {
    id: String,
    #[serde(default)]
    size: FaceSize,
}

#[derive(Deserialize, JsonSchema)]
struct WithSeed {
    seed: u64,
}

fn of_tables() -> Vec<PageRequest> {
    vec![
        get("/api/table", Who::Viewer, |by, known: ViewRequest| {
            let asked = ViewRequest { viewer: by.viewer.clone(), host: by.is_host, ..known };
            by.table(move |table| table.look(asked))
        }),
        get("/api/moment", Who::Viewer, |by, at: At| by.view(move |table, viewer| table.moment(viewer, at.step))),
        get("/api/trail", Who::Viewer, |by, way: Between| {
            by.view(move |table, viewer| {
                picture::trail(&table.session, way.from, way.until.min(table.visible_steps), viewer)
            })
        }),
        get("/api/rules", Who::Viewer, |by, Nothing {}| by.view(|table, viewer| Ok(table.session.rulebook(viewer)))),
        get("/api/curves", Who::Viewer, |by, Nothing {}| by.view(|table, viewer| table.curves(viewer))),
        get("/api/outlook", Who::Seat, |by, of: OfOption| {
            // An option that is gone has no outlook. The page will learn of the change.
            by.seated(move |table, seat| Ok(table.session.outlook(seat, &of.key).ok()))
        }),
        get("/api/ghost", Who::Seat, |by, of: OfOption| {
            by.seated(move |table, seat| Ok(picture::ghost(&table.session, seat, &of.key)))
        }),
        get("/api/odds", Who::Seat, |by, of: OfOption| by.odds(of.key)),
        get("/api/why", Who::Seat, |by, Nothing {}| by.seated(|table, seat| Ok(table.why(seat)))),
        post("/api/answer", Who::Seat, |by, given: AnswerRequest| by.answer(given)),
        post("/api/undo", Who::Seat, |by, Nothing {}| by.undo()),
        get("/api/wait", Who::Anybody, visits::wait),
        get("/api/words", Who::Anybody, |by, Nothing {}| by.table(|table| Ok(table.session.words().own_with("page.")))),
        get("/api/rulebook", Who::Anybody, |by, Nothing {}| design::rulebook(by)),
        get("/api/titles", Who::Anybody, |by, Nothing {}| by.table(|table| Ok(picture::titles(&table.session)))),
        get("/api/cards", Who::Anybody, |by, wanted: InLanguage| by.table(move |table| table.cards(wanted.lang))),
        get("/api/face", Who::Anybody, |by, of: OfFace| {
            by.table(move |table| picture::face(&table.session, &of.id, of.size))
        }),
        post("/api/new", Who::Host, |by, given: WithSeed| {
            design::leave_trial(by, move |table| table.begin(given.seed))
        }),
    ]
}

/// A game in the lobby.
#[derive(Deserialize, JsonSchema)]
struct OfGame {
    id: String,
    /// The ids of packs added to it, with commas between them.
    #[serde(default)]
    adds: String,
}

#[derive(Deserialize, JsonSchema)]
struct SavedGame {
    file: String,
    #[serde(default)]
    when_changed: WhenChanged,
}

/// The links with which others take part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Invitations {
    /// For each seat that a person plays: its name and its link.
    pub seats: Vec<(String, String)>,
    /// For those who only watch.
    pub spectators: String,
}

fn of_visits() -> Vec<PageRequest> {
    vec![
        get("/api/lobby", Who::Anybody, |by, Nothing {}| visits::lobby(by)),
        get("/api/links", Who::Host, |by, Nothing {}| async move {
            let links = &by.studio.links;
            Ok(Invitations { seats: links.seats.clone(), spectators: links.spectators.clone() })
        }),
        get("/api/game", Who::Host, |by, of: OfGame| {
            by.aside(move |lobby| {
                let adds: Vec<String> = of.adds.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
                lobby.game(&of.id, &adds)
            })
        }),
        get("/api/length", Who::Host, |by, of: OfGame| by.aside(move |lobby| lobby.length(&of.id))),
        post("/api/start", Who::Host, |by, choice: NewGame| visits::open(by, |lobby| lobby.chosen(choice))),
        post("/api/resume", Who::Host, |by, saved: SavedGame| {
            visits::open(by, move |lobby| lobby.resumed(&saved.file, saved.when_changed))
        }),
        post("/api/leave", Who::Host, |by, Nothing {}| visits::leave(by)),
    ]
}

#[derive(Deserialize, JsonSchema)]
struct Since {
    since: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct OfEntity {
    family: String,
    id: String,
}

#[derive(Deserialize, JsonSchema)]
struct OfSchema {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Direction {
    /// Undo or redo.
    undo: bool,
}

#[derive(Deserialize, JsonSchema)]
struct OfFinding {
    at: usize,
    load: u64,
}

fn of_the_workbench() -> Vec<PageRequest> {
    vec![
        get("/api/wall", Who::Host, |by, wanted: Since| by.bench(move |bench| bench.wall(wanted.since.as_deref()))),
        get("/api/entity", Who::Host, |by, of: OfEntity| by.bench(move |bench| bench.entity(&of.family, &of.id))),
        get("/api/schema", Who::Host, |by, of: OfSchema| by.bench(move |bench| bench.schema(&of.name))),
        get("/api/map", Who::Host, |by, Nothing {}| by.bench(|bench| bench.map())),
        get("/api/desk", Who::Host, |by, Nothing {}| by.bench(|bench| bench.desk())),
        post("/api/plan", Who::Host, |by, wanted: Planned| by.bench(move |bench| bench.plan(&wanted))),
        post("/api/write", Who::Host, |by, plan: ToWrite| by.bench(move |bench| bench.write(&plan))),
        get("/api/coming", Who::Host, |by, which: Direction| by.bench(move |bench| bench.coming(which.undo))),
        post("/api/turn", Who::Host, |by, which: Direction| by.bench(move |bench| bench.turn(which.undo))),
        post("/api/fix", Who::Host, |by, of: OfFinding| by.table(move |table| table.fix(of.at, of.load))),
        post("/api/scenario", Who::Host, |by, new: NewScenario| design::scenario(by, new)),
    ]
}

#[derive(Deserialize, JsonSchema)]
struct OfCard {
    card: String,
}

fn of_trials_and_the_lab() -> Vec<PageRequest> {
    vec![
        get("/api/try", Who::Host, |by, Nothing {}| async move { Ok(by.studio.trials.look()) }),
        post("/api/try", Who::Host, |by, of: OfCard| async move { by.studio.trials.begin(of.card) }),
        post("/api/try/stop", Who::Host, |by, Nothing {}| async move { Ok(by.studio.trials.stop()) }),
        post("/api/try/open", Who::Host, |by, Nothing {}| design::open_trial(by)),
        post("/api/back", Who::Host, |by, Nothing {}| design::leave_trial(by, |table| table.back())),
        get("/api/lab", Who::Host, |by, Nothing {}| async move { Ok(by.studio.lab.look()) }),
        post("/api/lab", Who::Host, |by, wanted: Experiment| async move { by.studio.lab.begin(wanted) }),
        post("/api/lab/stop", Who::Host, |by, Nothing {}| async move { Ok(by.studio.lab.stop()) }),
    ]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::access::HttpMethod;

    fn name(method: HttpMethod) -> &'static str {
        match method {
            HttpMethod::Get => "get",
            HttpMethod::Post => "post",
        }
    }

    #[test]
    fn only_seats_and_the_host_change_something() {
        for request in requests() {
            let is_safe = request.method == HttpMethod::Get || matches!(request.who, Who::Seat | Who::Host);
            assert!(is_safe, "{} may be made by {:?}", request.path, request.who);
        }
    }

    /// All scripts of the page, without those of others.
    fn scripts(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: std::path::PathBuf| match path.extension().and_then(|end| end.to_str()) {
            Some("js") => vec![std::fs::read_to_string(&path).unwrap()],
            None if !path.ends_with("vendor") => scripts(&path),
            _ => Vec::new(),
        };
        entries.flat_map(read).collect()
    }

    #[test]
    fn pages_make_these_requests_and_no_others() {
        let mut made = BTreeSet::new();
        for script in scripts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")) {
            for method in ["get", "post"] {
                let call = format!("{method}(\"/api/");
                let paths = script.split(&call).skip(1).filter_map(|rest| rest.split('"').next());
                made.extend(paths.map(|path| (method, format!("/api/{path}"))));
            }
        }
        let known: BTreeSet<_> = requests().iter().map(|of| (name(of.method), of.path.to_owned())).collect();
        assert_eq!(known.len(), requests().len(), "each path once");
        assert_eq!(made, known);
    }
}
