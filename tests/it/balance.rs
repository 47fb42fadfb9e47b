//! `principes balance`: its figures, on games whose truth is known, and the program around them.

use crate::common::program::{Place, assert_keys, code, errors, json, principes, text};
use crate::common::purse;
use serde_json::Value;

fn measured(place: &Place, args: &[&str]) -> Value {
    let output = place.run(&[&["balance"], args, &["--format", "json"]].concat());
    assert_eq!(code(&output), 0, "{args:?}: {}", errors(&output));
    json(&output)
}

/// The row of a list with an id.
#[track_caller]
fn row<'a>(rows: &'a Value, id: &str) -> &'a Value {
    rows.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("no `{id}` in {rows}"))
}

#[track_caller]
fn ends(row: &Value) -> (f64, f64) {
    (row["interval"][0].as_f64().unwrap(), row["interval"][1].as_f64().unwrap())
}

#[test]
fn the_same_command_gives_the_same_bytes_for_any_number_of_jobs() {
    let place = Place::new();
    purse::write(&place, "purse", &purse::GOLD);
    let run = |jobs: &str, more: &[&str]| {
        let output = place.run(&[&["balance", "purse", "--jobs", jobs, "--format", "json"], more].concat());
        assert_eq!(code(&output), 0, "{}", errors(&output));
        text(&output)
    };
    assert!(run("1", &["--games", "150"]) == run("3", &["--games", "150"]));
    // Where the intervals are narrow enough depends on the games, not on who plays them first.
    let narrow = run("1", &["--precision", "3%"]);
    assert!(narrow == run("4", &["--precision", "3%"]));
    let report: Value = serde_json::from_str(&narrow).unwrap();
    assert_eq!(report["stopped"], "precision");
    let games = report["games"].as_u64().unwrap();
    assert!((700..=1_200).contains(&games) && games.is_multiple_of(100), "{games}");
    let half = |row: &Value| (ends(row).1 - ends(row).0) / 2.0;
    assert!(report["factions"].as_array().unwrap().iter().all(|row| half(row) <= 0.03));
}

#[test]
fn the_games_are_those_of_sim() {
    let sim = ["sim", "--game", "lanes", "--seats", "random", "--games", "20", "--seed", "3", "--format", "json"];
    let sim: Value = json(&principes(&sim).output().unwrap());
    let here = ["balance", "--game", "lanes", "--bots", "random", "--games", "20", "--seed", "3", "--format", "json"];
    let here: Value = json(&principes(&here).output().unwrap());
    assert_eq!(sim["state_hash"], here["state_hash"]);
    assert_eq!(sim["seats"][0]["win_rate"], here["factions"][0]["value"], "shares of 20 games are exact");
}

#[test]
fn figures_are_near_the_truth() {
    let place = Place::new();
    purse::write(&place, "purse", &purse::GOLD);
    let report = measured(&place, &["purse", "--bots", "random", "--games", "3000"]);
    let keys = [
        "format",
        "version",
        "setting",
        "games",
        "stopped",
        "state_hash",
        "confidence",
        "factions",
        "places",
        "order_is_fixed",
        "promises",
        "endings",
        "no_winner",
        "lengths",
        "leads",
        "comebacks",
        "cards",
        "faulty",
        "unfinished",
        "faults",
    ];
    assert_keys(&report, &keys);
    // The seats do the same things in turn, so each wins half of the games that are not level.
    let level = row(&report["endings"], "level")["value"].as_f64().unwrap();
    for id in ["ruby", "jade"] {
        let (low, high) = ends(row(&report["factions"], id));
        let truth = (1.0 - level) / 2.0;
        assert!(low < truth && truth < high, "{id}: {low} to {high}, truth {truth}");
    }
    assert_eq!(row(&report["lengths"], "rounds")["value"], 4.0);
    // Nobody is asked which of two equal cards to play.
    let answers = row(&report["lengths"], "answers")["value"].as_f64().unwrap();
    assert!(7.0 < answers && answers < 8.0, "{answers}");
    // A better card helps more. All draws are random; the middle of the deck changes nothing.
    let draw = |id: &str| row(&report["cards"], id)["draw"].clone();
    let values: Vec<f64> = (1..=6).map(|n| draw(&format!("coin-{n}"))["value"].as_f64().unwrap()).collect();
    assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
    assert!(ends(&draw("coin-1")).1 < 0.0 && ends(&draw("coin-6")).0 > 0.0);
    // Ten of the twelve cards are drawn, so each design about 5,000 times.
    assert!((4_850..5_150).contains(&draw("coin-1")["events"].as_u64().unwrap()));
    // The one who leads late wins more often than one who leads early.
    let lead = |quarter: &str| row(&report["leads"], quarter)["value"].as_f64().unwrap();
    assert!(lead("1") < lead("2") && lead("2") < lead("3"), "{}", report["leads"]);
    assert!(report["comebacks"]["value"].as_f64().unwrap() < 0.5);
}

#[test]
fn a_card_like_the_others_is_given_no_effect() {
    let place = Place::new();
    purse::write(&place, "purse", &[3, 3, 3, 1, 5, 3]);
    let report = measured(&place, &["purse", "--bots", "random", "--games", "2000"]);
    // Three gold is what a card is worth on average, so these cards change next to nothing.
    for id in ["coin-1", "coin-2", "coin-3", "coin-6"] {
        let (low, high) = ends(&row(&report["cards"], id)["draw"]);
        assert!(low < 0.0 && 0.0 < high, "{id}: {low} to {high}");
    }
    assert!(ends(&row(&report["cards"], "coin-4")["draw"]).1 < 0.0);
}

#[test]
fn a_planted_change_is_found_and_nothing_else_on_top() {
    let place = Place::new();
    purse::write(&place, "old/purse", &purse::GOLD);
    let mut richer = purse::GOLD;
    richer[2] += 3;
    purse::write(&place, "new/purse", &richer);
    let report = measured(&place, &["old/purse", "new/purse", "--games", "500"]);
    assert_eq!((&report["paired"], &report["games"]), (&Value::from(true), &Value::from(500)));
    let rows: Vec<&Value> = report["rows"].as_array().unwrap().iter().filter(|row| row["id"] == "coin-3").collect();
    assert_eq!(rows.len(), 1, "a card that is drawn at random is judged by its draws alone");
    assert_eq!((&rows[0]["group"], &rows[0]["verdict"]), (&Value::from("draw"), &Value::from("higher")));
    let changed = report["rows"].as_array().unwrap().iter().filter(|row| row["verdict"] == "higher").count();
    assert_eq!(changed, 1, "only the better card is worth more: {}", report["rows"]);
    // A version that is compared with itself plays the same games.
    let same = measured(&place, &["old/purse", "old/purse", "--games", "150"]);
    assert_eq!((&same["changed"], &same["old"]["state_hash"]), (&Value::from(0), &same["new"]["state_hash"]));
    assert!(same["rows"].as_array().unwrap().iter().all(|row| row["difference"].as_f64().is_none_or(|d| d == 0.0)));
    let other = measured(&place, &["old/purse", "old/purse", "--games", "150", "--unpaired"]);
    assert_ne!(other["old"]["state_hash"], other["new"]["state_hash"]);
    let text = text(&place.run(&["balance", "old/purse", "new/purse", "--games", "500", "--format", "md"]));
    assert!(text.contains("| drawing Coin 3 |") && text.contains("figures have changed"), "{text}");
}

/// Trained players take lessons in the new version before they play both. In the new version the coin of the least value
/// is worth the most.
#[test]
fn players_are_trained_again_before_versions_are_compared() {
    let place = Place::new();
    purse::write(&place, "old/purse", &purse::GOLD);
    assert_eq!(code(&place.run(&["learn", "--pack", "old/purse", "--games", "2000"])), 0);
    purse::write(&place, "new/purse", &purse::GOLD);
    place.write("new/purse/bots/player.bot.json", &place.read("old/purse/bots/player.bot.json"));
    let script = place.read("new/purse/game.lua");
    place.write("new/purse/game.lua", &script.replace(r#"prop(card, "gold")"#, r#"7 - prop(card, "gold")"#));
    let compared = |more: &[&str]| {
        let versions = ["balance", "old/purse", "new/purse", "--games", "400", "--format", "json"];
        let output = place.run(&[&versions, more].concat());
        assert_eq!(code(&output), 0, "{}", errors(&output));
        json(&output)
    };
    let usual = compared(&["--jobs", "1"]);
    assert_eq!(
        (&usual["lessons"], usual["old"]["setting"]["players"][0]["bot"].as_str()),
        (&1000.into(), Some("policy"))
    );
    assert!(usual == compared(&["--jobs", "3"]));
    let without = compared(&["--lessons", "0"]);
    assert_eq!(without["lessons"], 0);
    for version in ["old", "new"] {
        assert_ne!(
            usual[version]["state_hash"], without[version]["state_hash"],
            "{version}: other players, other games"
        );
    }
    // Nothing changed, so there is nothing to learn.
    let same = place.run(&["balance", "old/purse", "old/purse", "--games", "100", "--format", "json"]);
    assert_eq!(json(&same)["lessons"], 0);
}

#[test]
fn a_gate_has_three_results() {
    let place = Place::new();
    purse::write(&place, "purse", &purse::GOLD);
    let promise =
        |more: &str| place.write("purse/balance.json", &format!(r#"{{"promises": [{{"id": "fair", {more}}}]}}"#));
    let gate = |args: &[&str]| place.run(&[&["balance", "purse", "--gate"], args].concat());
    let shares = r#""bots": "random", "shares": {"least": 30, "most": 60}, "endings": {"richer": {"least": 80}}"#;
    promise(&format!(r#"{shares}, "first": 130, "rounds": {{"least": 4, "most": 4}}"#));
    let kept = gate(&["--games", "600"]);
    assert_eq!(code(&kept), 0, "{}{}", text(&kept), errors(&kept));
    let few = gate(&["--games", "20"]);
    assert_eq!(code(&few), 3, "twenty games prove nothing: {}", text(&few));
    assert!(text(&few).contains("not enough games"), "{}", text(&few));
    promise(r#""bots": "random", "shares": {"least": 30, "most": 60}, "cards": 8"#);
    let refuted = gate(&["--games", "1500", "--format", "junit"]);
    assert_eq!(code(&refuted), 1, "{}", text(&refuted));
    let report = text(&refuted);
    let document = roxmltree::Document::parse(&report).unwrap();
    let failed = |node: &roxmltree::Node<'_, '_>| node.children().any(|child| child.tag_name().name() == "failure");
    let cases: Vec<(String, bool)> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "testcase")
        .map(|node| (node.attribute("name").unwrap().to_owned(), failed(&node)))
        .collect();
    let expected = [("factions/jade", false), ("factions/ruby", false), ("cards", true)];
    assert_eq!(cases, expected.map(|(name, failed)| (name.to_owned(), failed)));
    assert!(report.contains("Coin 6"), "the card is named: {report}");
    let report = json(&gate(&["--games", "120", "--format", "json"]));
    assert_keys(&report["promises"], &["id", "result", "promises"]);
    for (args, hint) in [
        (&["--gate=other"][..], "the id `other`"),
        (&["--gate", "--bots", "greedy"], "cannot be used with"),
        (&["--format", "junit"], "needs --gate"),
    ] {
        let output = place.run(&[&["balance", "purse"], args].concat());
        assert_eq!(code(&output), 2);
        assert!(errors(&output).contains(hint), "{args:?}: {}", errors(&output));
    }
    std::fs::remove_file(place.file("purse/balance.json")).unwrap();
    let none = gate(&[]);
    assert_eq!(code(&none), 2);
    assert!(errors(&none).contains("promise nothing"), "{}", errors(&none));
}

#[test]
fn a_faction_that_does_not_play_keeps_no_promise() {
    let place = Place::new();
    purse::write(&place, "purse", &purse::GOLD);
    let pearl = r#"{"factions": [{"id": "pearl", "playable": true, "group": "sides", "color": "blue"}]}"#;
    place.write("purse/more.json", pearl);
    place.write("purse/more.en.json", r#"{"messages": {"faction.pearl": "Pearl"}}"#);
    let promises = r#"{"promises": [{
        "id": "fair", "bots": "random", "shares": {"least": 20, "most": 80},
        "factions": {"pearl": {"least": 0, "most": 100}}
    }]}"#;
    place.write("purse/balance.json", promises);
    let gate = place.run(&["balance", "purse", "--gate", "--games", "300"]);
    assert_eq!(code(&gate), 3, "{}{}", text(&gate), errors(&gate));
    assert!(text(&gate).contains("these games do not show it"), "{}", text(&gate));
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn versions_come_from_git_too() {
    let place = Place::new();
    purse::write(&place, "packs/purse", &purse::GOLD);
    let git = |args: &[&str]| drop(git(place.path(), args));
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "purse"]);
    purse::write(&place, "packs/purse", &[6, 5, 4, 3, 2, 1]);
    let report = measured(&place, &["HEAD:packs/purse", "packs/purse", "--games", "300"]);
    assert_eq!(report["old"]["label"], "HEAD:packs/purse");
    let verdict = |id: &str| row(&report["rows"], id)["verdict"].clone();
    assert_eq!((verdict("coin-1"), verdict("coin-6")), (Value::from("higher"), Value::from("lower")));
    for (wrong, hint) in [("HEAD:packs/none", "does not exist at `HEAD`"), ("nowhere:packs/purse", "git does not know")]
    {
        let output = place.run(&["balance", wrong, "packs/purse"]);
        assert_eq!(code(&output), 2);
        assert!(errors(&output).contains(hint), "{}", errors(&output));
    }
}

/// Git in a folder.
#[track_caller]
fn git(folder: &std::path::Path, args: &[&str]) -> String {
    let own = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
    let done = std::process::Command::new("git").args(own).args(args).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}

/// A repository with the pack `t` at its top, and another version of it in the folder.
fn repository() -> Place {
    let place = Place::new();
    purse::write(&place, "repo/t", &purse::GOLD);
    git(&place.file("repo"), &["init", "-q"]);
    git(&place.file("repo"), &["add", "."]);
    git(&place.file("repo"), &["commit", "-q", "-m", "purse"]);
    purse::write(&place, "repo/t", &[6, 5, 4, 3, 2, 1]);
    place
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn every_form_of_a_path_names_the_same_old_pack() {
    let place = repository();
    let repo = place.file("repo");
    let whole = repo.join("t").display().to_string();
    git(&repo, &["tag", "-a", "first", "-m", "first"]);
    let tree = git(&repo, &["rev-parse", "HEAD^{tree}"]);
    let verdicts = |folder: &str, old: &str, new: &str| {
        let mut command = place.program(&["balance", old, new, "--games", "200", "--format", "json"]);
        let output = command.current_dir(repo.join(folder)).output().unwrap();
        assert_eq!(code(&output), 0, "{old} {new} in `{folder}`: {}", errors(&output));
        let report = json(&output);
        ["coin-1", "coin-6"].map(|id| row(&report["rows"], id)["verdict"].as_str().unwrap().to_owned())
    };
    for (folder, old, new) in [
        ("", "HEAD:t".to_owned(), "t"),
        ("", "HEAD:./t".to_owned(), "./t"),
        ("", "HEAD:t/".to_owned(), "t"),
        ("", "HEAD:gone/../t".to_owned(), "t"),
        ("", "HEAD^{commit}:t".to_owned(), "t"),
        ("", "first:t".to_owned(), "t"),
        ("", format!("{tree}:t"), "t"),
        ("", format!("HEAD:{whole}"), "t"),
        ("t", "HEAD:.".to_owned(), "."),
        ("t", "HEAD:".to_owned(), "."),
        ("t", "HEAD:../t".to_owned(), "../t"),
    ] {
        assert_eq!(verdicts(folder, &old, new), ["higher", "lower"], "{old} in `{folder}`");
    }
    std::fs::rename(repo.join("t"), repo.join("moved")).unwrap();
    assert_eq!(verdicts("", "HEAD:t", "moved"), ["higher", "lower"]);
}

#[test]
#[ignore = "needs git; run by .ci/run"]
fn what_a_revision_does_not_have_is_an_error() {
    let place = repository();
    let repo = place.file("repo");
    purse::write(&place, "repo", &purse::GOLD);
    git(&repo, &["add", "."]);
    // A link, as git stores it.
    std::fs::write(place.file("target"), "t").unwrap();
    let target = git(&repo, &["hash-object", "-w", "../target"]);
    git(&repo, &["update-index", "--add", "--cacheinfo", &format!("120000,{target},link")]);
    git(&repo, &["commit", "-q", "-m", "the top is a pack, too"]);
    let blob = git(&repo, &["rev-parse", "HEAD:t/game.json"]);
    place.write("empty/readme", "no commit");
    git(&place.file("empty"), &["init", "-q"]);
    let (blob, bare) = (format!("{blob}:t"), format!("{blob}:"));
    for (old, new, hint) in [
        ("HEAD:nonexistent", "t", "`nonexistent` does not exist at `HEAD`"),
        ("HEAD:nonexistent", ".", "`nonexistent` does not exist at `HEAD`"),
        ("HEAD:t/nonexistent", "t", "`t/nonexistent` does not exist at `HEAD`"),
        ("HEAD:t/game.json", "t", "`t/game.json` is not a folder at `HEAD`"),
        ("HEAD:t/game.json/x", "t", "does not exist at `HEAD`"),
        ("HEAD:link", "t", "`link` is not a folder at `HEAD`"),
        ("HEAD:../outside", "t", "is not in a git repository"),
        ("HEAD:/", "t", "is not in a git repository"),
        ("HEAD:../empty", "t", "there is no such commit"),
        ("nowhere:t", "t", "git does not know `nowhere`"),
        ("HEAD\n:t", "t", "there is no such commit"),
        (&blob, "t", "it is not a commit"),
        (&bare, "t", "it is not a commit"),
    ] {
        let output = place.program(&["balance", old, new, "--games", "20"]).current_dir(&repo).output().unwrap();
        assert_eq!(code(&output), 2, "{old}: {}", text(&output));
        assert!(errors(&output).contains(hint), "{old}: {}", errors(&output));
        assert_eq!(text(&output), "", "{old}");
    }
    // A revision is no option of git's.
    let output = place.program(&["balance", "--", "--batch-all-objects:t", "t"]).current_dir(&repo).output().unwrap();
    assert!(errors(&output).contains("there is no such commit"), "{}", errors(&output));
}

/// The text of a page as XML, without what only HTML has.
fn parsed(page: &str) -> roxmltree::Document<'_> {
    let page = page.strip_prefix("<!DOCTYPE html>").unwrap();
    roxmltree::Document::parse(page).unwrap_or_else(|error| panic!("{error}:\n{page}"))
}

#[test]
fn pages_are_whole_and_hold_nothing_of_a_hostile_pack() {
    let place = Place::new();
    purse::write(&place, "old/purse", &purse::GOLD);
    let hostile = r"</style><script>alert(1)</script><img src=x onerror='y'>|`[a](http://b)";
    for version in ["old", "new"] {
        purse::write(&place, &format!("{version}/purse"), &purse::GOLD);
        let name = format!("{version}/purse/game.en.json");
        let messages = place.read(&name).replace("\"Ruby\"", &serde_json::to_string(hostile).unwrap());
        let card = format!(", \"card.coin-1.title\": {} }}", serde_json::to_string(hostile).unwrap());
        let messages = messages.trim_end().strip_suffix("}\n}").unwrap().trim_end().to_owned() + &card + "}";
        place.write(&name, &messages);
    }
    for packs in [&["old/purse"][..], &["old/purse", "new/purse"]] {
        let run = |format: &str| {
            let output = place.run(&[&["balance"], packs, &["--games", "200", "--format", format]].concat());
            assert_eq!(code(&output), 0, "{}", errors(&output));
            text(&output)
        };
        let page = run("html");
        let document = parsed(&page);
        let names: Vec<&str> = document.descendants().map(|node| node.tag_name().name()).collect();
        assert!(!names.contains(&"script") && !names.contains(&"img"), "markup of the pack got in");
        assert!(
            names.contains(&"svg")
                && document
                    .descendants()
                    .any(|node| node.text() == Some(hostile)
                        || node.text().is_some_and(|text| text.contains("<script>"))),
            "the name is there, as text"
        );
        let attributes = document.descendants().flat_map(|node| node.attributes().map(|found| found.name()));
        let acting: Vec<&str> =
            attributes.filter(|name| matches!(*name, "src" | "href") || name.starts_with("on")).collect();
        assert!(
            acting.is_empty() && !page.contains("url(") && !page.contains("@import"),
            "a page loads nothing: {acting:?}"
        );
        let markdown = run("md");
        assert!(
            !markdown.contains("<script") && !markdown.contains("](http") && !markdown.contains("<img"),
            "{markdown}"
        );
    }
}

#[test]
fn text_says_what_the_figures_mean() {
    let place = Place::new();
    purse::write(&place, "purse", &purse::GOLD);
    let output = place.run(&["balance", "purse", "--games", "400"]);
    let shown = text(&output);
    for part in ["Purse: 400 games", "Ruby", "by faction", "Drawing is an experiment", "results of choices", "draws"] {
        assert!(shown.contains(part), "`{part}` is not in:\n{shown}");
    }
    assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
}

#[test]
fn wrong_requests_are_refused() {
    let place = Place::new();
    purse::write(&place, "purse", &purse::GOLD);
    let cases: &[(&[&str], &str)] = &[
        (&["purse", "--games", "0"], "1000000"),
        (&["purse", "--precision", "0%"], "50%"),
        (&["purse", "--time", "10"], "90s"),
        (&["purse", "--bots", "human"], "people cannot play"),
        (&["purse", "--bots", "gready"], "greedy"),
        (&["no-such-pack"], "does not exist"),
        (&["purse", "--players", "5"], "needs 2 seats"),
        (&["purse", "--unpaired"], "two versions"),
        (&["purse", "--lessons", "10"], "two versions"),
        (&["--lessons", "10"], "two versions"),
    ];
    for (args, hint) in cases {
        let output = place.run(&[&["balance"], *args].concat());
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(errors(&output).contains(hint), "{args:?}: {}", errors(&output));
        assert!(text(&output).is_empty(), "{args:?}");
    }
}
