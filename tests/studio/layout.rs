//! The page's frame: how much room the board has, what is in sight at every size, how the board is enlarged and moved.

use crate::chromium::{Browser, Page};
use crate::harness::{ASKED, Studio, answer_with_the_mouse, is_over};

fn number(browser: &mut Browser, page: &Page, expression: &str) -> f64 {
    let value = browser.value(page, expression);
    value.as_f64().unwrap_or_else(|| panic!("{expression}: {value}"))
}

fn open(folder: &std::path::Path, browser: &mut Browser, game: &str) -> (Studio, Page) {
    let save = folder.join(format!("{game}.json"));
    let studio = Studio::open(&save, &["--game", game, "--seats", "human,random", "--seed", "3"]);
    let page = browser.open(&studio.link);
    browser.wait(&page, ASKED);
    (studio, page)
}

/// Text of the page, outside drawings, that is smaller than it may be.
const SMALL: &str = "[...document.querySelectorAll('body *:not(svg *)')].filter((e) => e.checkVisibility() \
    && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) < 11) \
    .map((e) => e.outerHTML.slice(0, 120)).join('\\n')";
/// Letters of the board that are shown and too small.
const SMALL_ON_BOARD: &str = "[...document.querySelectorAll('#map text')].filter((e) => \
    e.checkVisibility({ visibilityProperty: true }) && parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a < 10.9).map((e) => e.textContent).join(' ')";
/// What somebody needs to decide, and is not in the window.
const UNSEEN: &str = "(() => { const out = (e) => { const b = e.getBoundingClientRect(); \
    return b.width < 1 || b.top < 0 || b.left < 0 || b.bottom > innerHeight + 1 || b.right > innerWidth + 1; }; \
    const wanted = [document.querySelector('.turn b'), document.querySelector('.question h2'), \
      ...[...document.querySelectorAll('.decision:not(.beside) .choice')].slice(0, 2), document.querySelector('#undo')]; \
    return wanted.map((e, at) => (!e || out(e) ? at + ' ' + e?.outerHTML.slice(0, 80) : '')).filter(Boolean).join('\\n') })()";
const SIDEWAYS: &str = "document.scrollingElement.scrollWidth - innerWidth";

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_board_is_the_page_at_every_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    for game in ["principes", "connect-four", "lanes"] {
        let (_studio, page) = open(folder.path(), &mut browser, game);
        answer_with_the_mouse(&mut browser, &page);
        assert!(!is_over(&mut browser, &page));
        for (width, height) in [(1440, 900), (1366, 768), (1024, 768), (820, 1180), (390, 844), (360, 640)] {
            browser.show_as(&page, width, height, false);
            // The page follows its window soon, not at once.
            browser.wait(&page, &format!("innerWidth === {width} && !({SMALL_ON_BOARD}) && !({UNSEEN})"));
            let place = format!("{game}, {width} × {height}");
            let board = "(() => { const b = document.querySelector('#map svg').getBoundingClientRect(); \
                return b.width * b.height / innerWidth / innerHeight })()";
            let share = number(&mut browser, &page, board);
            let wide = number(&mut browser, &page, "document.querySelector('#map svg').getBoundingClientRect().width");
            if width > 700 {
                assert!(share >= 0.55, "{place}: the board has {share:.2} of the window");
            } else {
                assert_eq!(wide, f64::from(width), "{place}: the board has the whole width");
            }
            assert_eq!(browser.value(&page, SMALL), "", "{place}");
            assert_eq!(browser.value(&page, SMALL_ON_BOARD), "", "{place}");
            assert_eq!(browser.value(&page, UNSEEN), "", "{place}");
            assert_eq!(number(&mut browser, &page, SIDEWAYS), 0.0, "{place}");
        }
    }
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_phone_has_its_panels_on_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let (_studio, page) = open(folder.path(), &mut browser, "principes");
    browser.show_as(&page, 390, 844, false);
    for (tab, panel) in
        [("hand", "#hand .held"), ("seats", "#seats .seat"), ("log", "#log li"), ("decide", "#ask .choice")]
    {
        browser.wait(&page, &format!("document.querySelector('#tab-{tab}')"));
        assert!(browser.click(&page, &format!("#tab-{tab}")));
        browser.wait(&page, &format!("document.querySelector('{panel}')"));
        let others = browser.value(&page, "document.querySelectorAll('.sheet-body > section').length");
        assert!(others.as_u64() >= Some(1), "{tab}");
    }
    let small = "[...document.querySelectorAll('button, summary, select')].filter((e) => e.checkVisibility() \
        && Math.min(e.getBoundingClientRect().width, e.getBoundingClientRect().height) < 43.5).map((e) => e.outerHTML.slice(0, 90)).join('\\n')";
    assert_eq!(browser.value(&page, small), "", "every control is large enough for a finger");
    // While the past is shown nothing is lit, and on a phone a board that is not enlarged has no buttons.
    answer_with_the_mouse(&mut browser, &page);
    assert!(browser.click(&page, "#tab-log"));
    browser.value(
        &page,
        "document.querySelector('#time').value = 0, document.querySelector('#time').dispatchEvent(new Event('input'))",
    );
    browser.wait(&page, "document.body.dataset.ready === 'past' && !document.querySelector('#map .lit')");
    browser.press(&page, "0");
    browser.value(&page, "document.querySelector('[data-skip=map]').click()");
    browser.wait(&page, "document.activeElement.id === 'map'");
    browser.value(&page, "document.activeElement.blur()");
    assert_eq!(browser.value(&page, "document.querySelector('#map').hasAttribute('tabindex')"), false);
    let names = "['.skips', '[role=tablist]'].map((bar) => document.querySelector(bar).ariaLabel).join()";
    assert_eq!(browser.value(&page, names), "Skip links,Panels");
}

/// The part of the drawing that is shown: left, top, width, height.
fn shown(browser: &mut Browser, page: &Page) -> Vec<f64> {
    let view = browser.value(page, "document.querySelector('#map svg').getAttribute('viewBox')");
    view.as_str().unwrap().split(' ').map(|number| number.parse().unwrap()).collect()
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn the_board_is_enlarged_moved_and_fitted() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let (_studio, page) = open(folder.path(), &mut browser, "lanes");
    let whole = shown(&mut browser, &page);
    assert!(browser.click(&page, ".zoom .round"));
    let near = shown(&mut browser, &page);
    assert!(near[2] < whole[2] * 0.7, "{near:?} of {whole:?}");
    // A key, and the wheel at a point, which stays where it is.
    browser.press(&page, "-");
    let back = shown(&mut browser, &page);
    assert!(back[2] > near[2], "{back:?}");
    // Turns of the wheel come faster than frames. They are added up, and the board is shown once.
    let turn = "(() => { const map = document.querySelector('#map'); window.views = 0; \
        new MutationObserver((all) => { window.views += all.length; }).observe(map.querySelector('svg'), { attributes: true, attributeFilter: ['viewBox'] }); \
        for (const deltaY of [-40, -50, -30]) map.dispatchEvent(new WheelEvent('wheel', { deltaY, clientX: 300, clientY: 300, bubbles: true, cancelable: true })); })()";
    browser.value(&page, turn);
    browser.wait(&page, "window.views");
    let wheeled = shown(&mut browser, &page);
    let wanted = back[2] * (-120.0_f64 / 200.0).exp();
    assert!((wheeled[2] - wanted).abs() < 0.01, "{wheeled:?}, not {wanted}");
    assert_eq!(browser.value(&page, "window.views"), 1);
    // A drag moves the board and chooses nothing.
    let version = browser.value(&page, "document.body.dataset.version");
    let press = |kind: &str, x: i32| {
        format!(
            "document.querySelector('#map svg').dispatchEvent(new PointerEvent('{kind}', \
             {{ pointerId: 1, pointerType: 'touch', isPrimary: true, clientX: {x}, clientY: 300, bubbles: true }}))"
        )
    };
    for (kind, x) in [("pointerdown", 400), ("pointermove", 380), ("pointermove", 320), ("pointerup", 320)] {
        browser.value(&page, &press(kind, x));
    }
    let moved = shown(&mut browser, &page);
    assert!(moved[0] > wheeled[0] && (moved[2] - wheeled[2]).abs() < 0.01, "{wheeled:?} {moved:?}");
    assert_eq!(browser.value(&page, "document.body.dataset.version"), version);
    browser.press(&page, "0");
    assert_eq!(shown(&mut browser, &page), whole);
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_step_of_the_zoom_lays_the_page_out_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let (_studio, page) = open(folder.path(), &mut browser, "principes");
    // Small enough that names must find places.
    browser.show_as(&page, 1024, 600, false);
    browser.value(&page, "new Promise((done) => setTimeout(done, 600))");
    let watch = "(() => { window.calls = ''; const watch = (of, name, sign) => { const own = of.prototype[name]; \
        of.prototype[name] = function (...given) { window.calls += sign; return own.apply(this, given); }; }; \
        watch(SVGGeometryElement, 'isPointInFill', 'r'); watch(SVGGraphicsElement, 'getBBox', 'r'); \
        watch(Element, 'getBoundingClientRect', 'r'); watch(Element, 'setAttribute', 'w'); watch(Element, 'removeAttribute', 'w'); })()";
    browser.value(&page, watch);
    let press = "(() => { window.calls = ''; document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true })); return window.calls; })()";
    let names = number(&mut browser, &page, "document.querySelectorAll('#map .label').length");
    for step in 0..6 {
        let calls = browser.value(&page, press);
        let calls = calls.as_str().unwrap();
        assert!(calls.contains('w'), "step {step} changes the board");
        assert!(!calls.contains("wr"), "step {step} reads where something is after it has moved something: {calls}");
        let asked = calls.chars().filter(|&call| call == 'r').count();
        assert!(asked as f64 <= 3.0 * names, "step {step} asks {asked} times for {names} names");
    }
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn letters_that_grow_are_neither_covered_nor_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let (_studio, page) = open(folder.path(), &mut browser, "tic-tac-toe");
    // A land with a figure above its name, and a figure at its edge, at their own size and smaller.
    let at = |scale: f64| {
        format!(
            "(async () => {{ \
               const {{ Labels }} = await import('/table/labels.js'); const {{ drawing }} = await import('/dom.js'); \
               const svg = drawing(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 400 400' style='position: fixed; left: 0; top: 0; width: {size}px; height: {size}px'> \
                 <g class='space' data-space='land'><path class='hit' d='M0 0h400v400h-400z'/></g> \
                 <text x='200' y='200' font-size='12' text-anchor='middle' id='figure'>7</text><text x='7' y='100' font-size='12' text-anchor='middle' id='edge'>88</text> \
                 <g class='label' data-named='land'><text x='200' y='214' font-size='12' text-anchor='middle' id='name'>Land</text></g></svg>`); \
               document.body.append(svg); const labels = new Labels(svg); labels.solve({scale}); labels.show([0, 0, 400, 400], []); \
               const isHidden = (id) => !!svg.querySelector('#' + id).closest('.too-small'); \
               const row = (id) => {{ const text = svg.querySelector('#' + id); const {{ d, f }} = text.getScreenCTM(); const size = d * text.getAttribute('font-size'); \
                 const line = d * text.getAttribute('y') + f; return [line - 0.74 * size, line + 0.26 * size] }}; \
               const [figure, name] = [row('figure'), row('name')]; \
               const told = [isHidden('figure') || isHidden('name'), figure[0] < name[1] - 0.1 && name[0] < figure[1] - 0.1, isHidden('edge')]; \
               svg.remove(); return told }})()",
            size = 400.0 * scale
        )
    };
    assert_eq!(browser.value(&page, &at(1.0)), serde_json::json!([false, false, false]), "hidden, covered, cut");
    assert_eq!(browser.value(&page, &at(0.6)), serde_json::json!([false, false, true]), "hidden, covered, cut");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn own_cards_that_do_not_fit_fade_and_move_with_the_wheel() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let (_studio, page) = open(folder.path(), &mut browser, "principes");
    browser.show_as(&page, 1024, 768, false);
    let fades = |end: &str| format!("document.querySelector('#hand').classList.contains('more-{end}')");
    browser.wait(&page, &format!("{} && !{}", fades("after"), fades("before")));
    let turn =
        "document.querySelector('#hand').dispatchEvent(new WheelEvent('wheel', { deltaY: 9999, cancelable: true }))";
    assert_eq!(browser.value(&page, turn), false, "the page does not scroll, too");
    browser.wait(&page, &format!("{} && !{}", fades("before"), fades("after")));
    browser.show_as(&page, 390, 844, false);
    browser.wait(&page, "document.querySelector('#tab-hand')");
    browser.click(&page, "#tab-hand");
    // There, they are in rows.
    browser.wait(&page, "document.querySelector('#hand .held')");
    assert_eq!(browser.value(&page, "getComputedStyle(document.querySelector('#hand')).maskImage"), "none");
}

#[test]
#[ignore = "needs Chromium; run by .ci/run"]
fn a_long_list_of_asides_covers_nothing_and_can_be_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    let (_studio, page) = open(folder.path(), &mut browser, "principes");
    for (width, height) in [(1440, 900), (1366, 768), (1024, 768), (820, 1180)] {
        browser.show_as(&page, width, height, false);
        browser.wait(&page, &format!("innerWidth === {width}"));
        browser.value(&page, "document.querySelector('.beside').open = true");
        let place = format!("{width} × {height}");
        let box_of = |what: &str| format!("document.querySelector('{what}').getBoundingClientRect()");
        let (list, log) = (box_of(".beside"), box_of("#story"));
        let covers = format!(
            "!({list}.bottom <= {log}.top + 1 || {list}.right <= {log}.left + 1 || {log}.right <= {list}.left + 1)"
        );
        assert_eq!(browser.value(&page, &covers), false, "{place}");
        let foot = format!("{}.bottom <= {list}.top + 1", box_of(".foot"));
        assert_eq!(browser.value(&page, &foot), true, "{place}");
        let last = "[...document.querySelectorAll('.beside .choice')].at(-1)";
        browser.value(&page, &format!("{last}.scrollIntoView() ?? 1"));
        let seen = format!("{last}.getBoundingClientRect().bottom <= {list}.bottom + 1");
        assert_eq!(browser.value(&page, &seen), true, "{place}");
        browser.value(&page, "document.querySelector('.beside').open = false");
    }
}
