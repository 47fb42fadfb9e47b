//! What the table shows before an option is taken, and the ways to take one.

use principes_app::save::Save;
use principes_app::session::groups;

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Studio, answer_with_the_mouse, is_over, played_until};

/// The base game at a moment, in a browser.
fn at(
    folder: &std::path::Path,
    fits: impl Fn(&principes_app::session::Session, &principes_core::Decision, &principes_core::View) -> bool,
) -> (Studio, Browser, Page) {
    let save = folder.join("game.json");
    played_until(&save, fits);
    let studio = Studio::open(&save, &[]);
    let mut browser = Browser::start();
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    (studio, browser, page)
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn an_option_says_what_it_leads_to_and_what_the_chances_are() {
    let folder = tempfile::tempdir().unwrap();
    let (_studio, mut browser, page) = at(folder.path(), |session, ask, _| {
        let to = session.game().catalog().words.to;
        if !ask.options.iter().any(|option| option.verb == Some(to)) {
            return false;
        }
        let open = session.open_decision(ask);
        open.options.iter().any(|option| {
            let is_march = option.verb.as_deref() == Some("to") && option.note.is_some();
            is_march && session.fight(ask.seat, &option.key, 0).unwrap().is_some()
        })
    });
    let steps = browser.value(&page, "document.querySelector('#time').max");
    let (mut is_counted, mut is_told) = (false, false);
    let notes = browser.value(&page, "document.querySelectorAll('.option .note').length").as_u64().unwrap();
    for at in 0..notes {
        browser.value(
            &page,
            &format!(
                "(() => {{ document.querySelector('[data-pick]')?.removeAttribute('data-pick'); \
                 document.querySelectorAll('.option .note')[{at}].closest('.option').querySelector('.choice').dataset.pick = 1 }})()"
            ),
        );
        browser.point(&page, "[data-pick]");
        browser.wait(&page, "!document.querySelector('#outlook').hidden");
        browser.value(&page, "new Promise((done) => setTimeout(done, 1500))");
        let text = browser.value(&page, "document.querySelector('#outlook').innerText");
        is_counted |= text.as_str().unwrap().contains("of 30 trials");
        let lit = browser.value(&page, "document.querySelectorAll('#map .changes').length").as_u64();
        is_told |= browser.value(&page, "!!document.querySelector('#outlook li')") == true && lit > Some(0);
    }
    assert!(is_counted && is_told, "one of the options leads to a battle, and one to a march");
    assert_eq!(browser.value(&page, "document.querySelector('#time').max"), steps, "nothing has been taken");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn units_march_together_by_one_click_and_by_dragging() {
    let folder = tempfile::tempdir().unwrap();
    let (studio, mut browser, page) = at(folder.path(), |session, ask, view| {
        let groups = groups(session.game().catalog(), ask, view);
        groups.iter().any(|group| group.units.iter().map(|(_, count)| count).sum::<usize>() > 2)
    });
    let before = answers(folder.path());
    assert!(browser.click(&page, ".choice.group"));
    browser.wait(&page, "document.querySelector('#news').innerText.includes('group')");
    let version = browser.value(&page, "document.body.dataset.version");
    assert!(browser.click(&page, "#map .space.lit"));
    browser.wait(&page, &format!("document.body.dataset.version !== {version}"));
    let marched = answers(folder.path());
    assert!(marched >= before + 4, "two units are sent by two answers each: {before}, {marched}");
    drop(studio);
    // The same by dragging: from the lit space of the group to one where the first unit can go.
    let (_studio, mut browser, page) =
        at(folder.path(), |session, ask, view| !groups(session.game().catalog(), ask, view).is_empty());
    let before = answers(folder.path());
    let from = browser.value(&page, "document.querySelector('.choice.group').dataset.group");
    let from = format!("#map .space[data-space={from}]");
    browser.value(&page, "window.mark = document.body.dataset.version");
    browser.drag(&page, &from, "#map .space:not(.lit)");
    browser.wait(&page, "document.body.dataset.version !== window.mark");
    assert!(answers(folder.path()) > before, "the first unit is picked up");
}

fn answers(folder: &std::path::Path) -> usize {
    Save::read(&folder.join("game.json")).unwrap().answers.len()
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_page_teaches() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let studio = Studio::open(&folder.path().join("game.json"), &["--seats", "human,random", "--seed", "3"]);
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    assert_eq!(browser.value(&page, "document.querySelector('#coach').hidden"), false);
    browser.press(&page, "r");
    browser.wait(&page, "document.querySelector('#panel').open");
    let rules = browser.value(&page, "document.querySelector('#panel').innerText").as_str().unwrap().to_owned();
    assert!(rules.contains("crowned") && rules.contains("— now"), "{rules}");
    browser.press(&page, "Escape");
    browser.press(&page, "w");
    browser.wait(&page, "document.querySelector('#panel').open && document.querySelector('.reason')");
    browser.press(&page, "Escape");
    // Any card can be read: one in the hand, and one that is shown at a seat.
    for card in [".held", "#seats .name[data-card]"] {
        browser.wait(&page, &format!("document.querySelector('{card}')"));
        assert!(browser.click(&page, card), "{card}");
        browser.wait(&page, "document.querySelector('#reader').open && document.querySelector('#reader svg')");
        browser.press(&page, "Escape");
        browser.wait(&page, "!document.querySelector('#reader').open");
    }
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn undo_goes_back_to_the_own_decision_or_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let open = |browser: &mut Browser, game: &str| {
        let save = folder.path().join(format!("{game}.json"));
        let studio = Studio::open(&save, &["--game", game, "--seats", "human,random", "--seed", "3"]);
        let page = browser.open(&studio.link);
        browser.wait(&page, ASKED);
        (studio, page)
    };
    let state = "[document.querySelector('#undo').disabled, document.querySelector('.reason').textContent, \
        Number(document.querySelector('#time').max)]";
    let (_studio, page) = open(&mut browser, "connect-four");
    let first = browser.value(&page, state);
    assert_eq!(first[0], true, "nothing to take back");
    assert!(!first[1].as_str().unwrap().is_empty(), "{first}");
    answer_with_the_mouse(&mut browser, &page);
    browser.wait(&page, "document.querySelector('#time').max >= 2 && !document.querySelector('#undo').disabled");
    assert!(browser.click(&page, "#undo"));
    browser.wait(&page, "Number(document.querySelector('#time').max) === 0");
    assert_eq!(browser.value(&page, "document.querySelector('#message').hidden"), true);
    // A die has been rolled since.
    let (_studio, page) = open(&mut browser, "dice-race");
    let is_revealed = |state: &serde_json::Value| state[1].as_str().is_some_and(|why| why.contains("revealed"));
    let revealed = (0..6).any(|_| {
        answer_with_the_mouse(&mut browser, &page);
        browser.wait(&page, ASKED);
        is_revealed(&browser.value(&page, state))
    });
    assert!(revealed, "one of the answers ends the turn");
    assert_eq!(browser.value(&page, state)[0], true);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_moves_of_others_are_shown_one_after_another_and_marked() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let studio = Studio::open(
        &folder.path().join("game.json"),
        &["--game", "connect-four", "--seats", "human,random", "--seed", "3"],
    );
    let page = browser.open(&studio.link);
    browser.prefer(&page, "light", false);
    browser.wait(&page, ASKED);
    browser.value(
        &page,
        "new MutationObserver(() => { if (document.querySelector('.playback')) window.played = true }) \
         .observe(document.body, { subtree: true, childList: true })",
    );
    answer_with_the_mouse(&mut browser, &page);
    browser.wait(&page, "document.querySelectorAll('#map .piece').length === 2");
    browser.wait(&page, "!document.querySelector('.playback') && document.querySelector('#map .space.changed')");
    // Whether both moves arrive together depends on the bot; if they do, they are shown one by one.
    let marked = browser.value(&page, "document.querySelectorAll('#map .space.changed').length");
    assert!(marked.as_u64() >= Some(1), "what has changed is marked");
    browser.wait(&page, "document.querySelector('#map .lit')");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_log_is_grouped_by_turn_and_leads_back_to_each_moment() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let studio = Studio::open(&folder.path().join("game.json"), &["--seats", "human,random", "--seed", "5"]);
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    for _ in 0..8 {
        answer_with_the_mouse(&mut browser, &page);
        browser.wait(&page, ASKED);
    }
    let count = |browser: &mut Browser, selector: &str| {
        browser.value(&page, &format!("document.querySelectorAll('{selector}').length")).as_u64().unwrap()
    };
    assert!(count(&mut browser, "#log .head") > 2, "turns have heads");
    assert!(count(&mut browser, "#log .chip") > 0, "changes are chips");
    // What a phase does when it begins is not told as a deed of the seat that answered before.
    let strangers =
        "[...document.querySelectorAll('#log .head')].filter((head) => !head.querySelector('.swatch')).length";
    assert!(browser.value(&page, strangers).as_u64().unwrap() > 1, "phases have heads without a seat");
    let noise = "[...document.querySelectorAll('#log li')].map((e) => e.textContent).filter((text) => /-?\\d+ → -?\\d+/.test(text.replace(/\\(.*\\)/g, ''))).join('\\n')";
    assert_eq!(browser.value(&page, noise), "", "no line is a counter alone");
    let lines = count(&mut browser, "#log li");
    let steps = browser.value(&page, "Number(document.querySelector('#time').max)").as_u64().unwrap();
    // The second click of a double click was meant for what lay there before.
    let second = "(() => { for (const link of document.querySelectorAll('#log .moves, #log .name')) \
        link.dispatchEvent(new MouseEvent('click', { detail: 2 })); \
        return new Promise((done) => setTimeout(() => done(document.body.dataset.ready + \
        !!document.querySelector('#reader[open]')), 100)); })()";
    assert_eq!(browser.value(&page, second), "askedfalse");
    browser.value(&page, "document.querySelector('#log .moves').click()");
    browser.wait(&page, "document.body.dataset.ready === 'past'");
    let at = browser.value(&page, "Number(document.querySelector('#time').value)").as_u64().unwrap();
    assert!(at < steps, "{at} {steps}");
    assert!(count(&mut browser, "#log li") < lines, "the log ends with the moment that is shown");
    assert!(browser.click(&page, "#now"));
    browser.wait(&page, ASKED);
    browser.wait(&page, &format!("document.querySelectorAll('#log li').length >= {lines}"));
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn an_option_that_names_a_card_enlarges_it_beside_the_options() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let studio = Studio::open(&folder.path().join("game.json"), &["--seats", "human,random", "--seed", "5"]);
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    browser.point(&page, "#ask .option.pictured .choice");
    browser.wait(&page, "document.querySelector('#enlarged svg')");
    let beside = "document.querySelector('#enlarged').getBoundingClientRect().right \
        <= document.querySelector('#ask').getBoundingClientRect().left";
    assert_eq!(browser.value(&page, beside), true);
    // A message goes when it is clicked.
    browser.value(&page, "import('/dom.js').then(({ say }) => say('Not now.'))");
    browser.wait(&page, "!document.querySelector('#message').hidden");
    assert!(browser.click(&page, "#message"));
    browser.wait(&page, "document.querySelector('#message').hidden");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_option_under_the_pointer_is_drawn_as_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    let (_studio, mut browser, page) = at(folder.path(), |session, ask, _| {
        let to = session.game().catalog().words.to;
        ask.options.iter().filter(|option| option.verb == Some(to)).count() > 1
    });
    assert_eq!(browser.value(&page, "!!document.querySelector('.plans')"), false);
    assert_eq!(browser.value(&page, "!!document.querySelector('#map .about')"), true, "the unit that moves is marked");
    browser.point(&page, "#ask .choice[data-key^='to ']");
    browser.wait(&page, "document.querySelector('.plans .plan-head')");
    // The arrow ends in the space of the option.
    let ends_there = "(() => { const key = document.querySelector('#ask .choice.seen').dataset.key.split(' ')[1]; \
        const land = document.querySelector(`#map .space[data-space='${key}'] .hit`).getBoundingClientRect(); \
        const head = document.querySelector('.plan-head').getBoundingClientRect(); \
        return head.right > land.left && head.left < land.right && head.bottom > land.top && head.top < land.bottom })()";
    assert_eq!(browser.value(&page, ends_there), true);
    // It is as large at another zoom, and still ends there.
    let size = "(() => { const { width, height } = document.querySelector('.plan-head').getBoundingClientRect(); return Math.hypot(width, height) })()";
    let before = browser.value(&page, size).as_f64().unwrap();
    for _ in 0..2 {
        browser.press(&page, "+");
    }
    let after = browser.value(&page, size).as_f64().unwrap();
    assert!((after / before - 1.0).abs() < 0.2, "{before} {after}");
    assert_eq!(browser.value(&page, ends_there), true);
    browser.point(&page, "#title");
    browser.wait(&page, "!document.querySelector('.plans')");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn planned_moves_stay_on_the_board_until_they_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let target = std::cell::RefCell::new(String::new());
    let (_studio, mut browser, page) = at(folder.path(), |session, ask, _| {
        let undo = session.game().catalog().words.undo;
        let planned = session.now().planned_moves(ask.seat);
        planned.iter().for_each(|planned| target.borrow_mut().clone_from(&planned.to));
        planned.len() == 1 && ask.options.iter().any(|option| option.verb == Some(undo))
    });
    let target = target.into_inner();
    let ends_there = format!(
        "(() => {{ const land = document.querySelector('#map .space[data-space=\"{target}\"] .hit').getBoundingClientRect(); \
         const head = document.querySelector('.planned .plan-head').getBoundingClientRect(); \
         return head.right > land.left && head.left < land.right && head.bottom > land.top && head.top < land.bottom }})()"
    );
    browser.wait(&page, &ends_there);
    assert_eq!(browser.value(&page, "!!document.querySelector('.plans .hinted')"), false);
    assert!(browser.click(&page, "#ask .choice[data-key=undo]"));
    browser.wait(&page, "!document.querySelector('#ask .choice[data-key=undo]') && !document.querySelector('.plans')");
    assert_eq!(
        browser.value(&page, "document.querySelector('#outlook').hidden"),
        true,
        "it was about the old decision"
    );
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_battle_shows_what_each_side_deals() {
    let folder = tempfile::tempdir().unwrap();
    let fought = std::cell::RefCell::new(None);
    let (_studio, mut browser, page) = at(folder.path(), |session, ask, _| {
        *fought.borrow_mut() = session.now().battle(Some(ask.seat));
        fought.borrow().as_ref().is_some_and(|battle| battle.strikes.iter().any(|strike| !strike.falls.is_empty()))
    });
    let battle = fought.into_inner().unwrap();
    browser.wait(&page, "document.querySelectorAll('.battle .strike').length === 2");
    let told = browser.value(&page, "document.querySelector('.battle').innerText");
    let told = told.as_str().unwrap();
    for strike in &battle.strikes {
        let sum = format!("{} {}", strike.strength.total, strike.strength.name);
        assert!(
            told.contains(&sum) && told.contains(&strike.name) && told.contains(&strike.falls.join(", ")),
            "{told}"
        );
        assert!(strike.strength.parts.iter().all(|(name, _)| told.contains(name.as_str())), "{told}");
    }
    assert_eq!(browser.value(&page, "document.querySelectorAll('#ask .choice').length > 0"), true);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_end_says_who_won_and_plays_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let studio = Studio::open(
        &folder.path().join("game.json"),
        &["--game", "connect-four", "--seats", "human,random", "--seed", "3"],
    );
    let page = browser.open(&studio.link);
    while !is_over(&mut browser, &page) {
        answer_with_the_mouse(&mut browser, &page);
    }
    browser.wait(&page, "document.querySelector('.over thead .winner')");
    let told = browser.value(&page, "document.querySelector('[data-part=result]').innerText");
    let told = told.as_str().unwrap();
    assert!(["You won!", "You lost.", "You did not win"].iter().any(|verdict| told.contains(verdict)), "{told}");
    assert_eq!(browser.value(&page, "document.body.innerText.includes('to move')"), false);
    // Nothing is counted in this game: the winner is marked, and nobody has a rank.
    let marks = "[...document.querySelectorAll('.over thead th')].map((seat) => seat.querySelector('.won, .rank')?.textContent ?? '').join()";
    assert_eq!(browser.value(&page, marks), ",★,");
    assert!(browser.click(&page, "#again"));
    browser.wait(&page, "document.body.dataset.ready === 'asked'");
    assert!(browser.value(&page, "Number(document.querySelector('#time').max)").as_u64() < Some(3));
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn ranks_come_only_from_a_track_that_the_winner_leads() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let save = folder.path().join("game.json");
    let studio = Studio::open(&save, &["--game", "tic-tac-toe", "--seats", "human,random", "--seed", "3"]);
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    // Seats a, b, c, … with these numbers of each counter; `tracks` says which counters are tracks.
    browser.value(
        &page,
        "import('/table/end.js').then((end) => { \
           const ids = 'abcd'; \
           window.of = (counters, tracks, winner, out = []) => { \
             const count = Object.values(counters)[0].length; \
             const seats = Array.from({ length: count }, (_, at) => ({ index: at, playing: !out.includes(at), faction: { id: ids[at], name: ids[at].toUpperCase() }, \
               counters: Object.entries(counters).map(([id, values]) => ({ id, name: id, value: String(values[at]) })) })); \
             const curves = Object.entries(counters).flatMap(([counter, values]) => values.map((value, at) => ({ counter, name: counter, is_track: tracks.includes(counter), faction: ids[at], points: [[0, 0], [1, value]] }))); \
             return [{ table: { seats }, over: { winner } }, curves]; }; \
           window.result = (...given) => { \
             const [picture, curves] = of(...given); const decided = end.deciding(picture, end.rowsOf(picture, curves)); \
             return `${decided?.id ?? 'nothing'}: ${end.ranked(picture, decided).map(({ seat, rank }) => `${rank ?? ''}${seat.faction.id}`).join(' ')}`; }; \
           window.parts = (values, log) => { \
             const [picture, curves] = of({ points: values }, ['points'], 0); const [row] = end.rowsOf(picture, curves); \
             return end.partsOf(row, picture, log)?.map(({ name, of }) => `${name} ${[...of].map((pair) => pair.join('')).join()}`).join('; ') ?? null; }; \
         })",
    );
    let results = [
        ("{ points: [3, 7, 5] }, ['points'], 1", "points: 1b 2c 3a"),
        // Two that are equal share a rank, and the next one has the rank after both.
        ("{ points: [4, 4, 9, 1] }, ['points'], 2", "points: 1c 2a 2b 4d"),
        ("{ points: [-8, -2, -5] }, ['points'], 1", "points: 1b 2c 3a"),
        // Who is out of the game is behind all who are not.
        ("{ points: [3, 7, 5] }, ['points'], 1, [2]", "points: 1b 2a 3c"),
        // The winner is not ahead, alone or at all; nothing is a track; several things are; nobody has won.
        ("{ points: [7, 7, 5] }, ['points'], 1", "nothing: b a c"),
        ("{ strokes: [3, 7, 5] }, ['strokes'], 0", "nothing: a b c"),
        ("{ gold: [3, 7, 5] }, [], 1", "nothing: b a c"),
        ("{ might: [3, 7, 5], faith: [1, 2, 1] }, ['might', 'faith'], 1", "nothing: b a c"),
        ("{ points: [3, 7, 5] }, ['points'], null", "nothing: a b c"),
        // A number before the track does not matter.
        ("{ gold: [9, 7, 5], points: [2, 3, 1] }, ['points'], 1", "points: 1b 2a 3c"),
    ];
    for (given, wanted) in results {
        assert_eq!(browser.value(&page, &format!("result({given})")), wanted, "{given}");
    }
    let line = |head: &str, changes: &str| {
        format!("{{ head: {}, say: '{head}', by: 'a', changes: [{changes}] }}", !head.is_empty())
    };
    let gain = |owner: &str, by: i32| format!("{{ counter: 'points', owner: '{owner}', by: {by} }}");
    let [first, second] = ["First", "Second"].map(|head| line(head, ""));
    let three = line("", &format!("{}, {}", gain("A", 3), gain("B", -1)));
    let two = line("", &gain("A", 2));
    let sums = [
        (format!("[5, -1], [{first}, {three}, {second}, {two}]"), Some("First a3,b-1; Second a2")),
        // The log does not add up: the page has only a part of it.
        (format!("[6, -1], [{first}, {three}, {second}, {two}]"), None),
        // One part is no help, and neither are changes before the first part.
        (format!("[5, -1], [{first}, {three}, {two}]"), None),
        (format!("[5, -1], [{three}, {second}, {two}]"), None),
    ];
    for (given, wanted) in sums {
        assert_eq!(browser.value(&page, &format!("parts({given})")).as_str(), wanted, "{given}");
    }
}
