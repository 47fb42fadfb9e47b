//! More packs that are small to send and costly to check: what one part names many times, each time at the cost of
//! another part.

use super::*;

/// The name of a hook point for cards in these shapes.
const POINT: &str = "\"id\":\"p\",\"kind\":\"effect\"";

fn cards(n: usize, more: &str) -> (String, String) {
    let card = |at| format!("{{\"id\":\"c{at}\",\"type\":\"luck\",\"zone\":\"deck\"{more}}}");
    family("cards", &list(n, card))
}

fn zone() -> (String, String) {
    family("zones", "{\"id\":\"deck\",\"scope\":\"game\"}")
}

fn look(fields: &str) -> (String, String) {
    ("look.json".to_owned(), format!("{{\"looks\":[{{\"id\":\"look\",{fields}}}]}}"))
}

fn promises(items: &str) -> (String, String) {
    ("balance.json".to_owned(), format!("{{\"promises\":[{items}]}}"))
}

/// A look with a picture for each of many cards.
fn pictures(n: usize, file: impl Fn(usize) -> String) -> Files {
    let picture = |at| format!("\"c{at}\":{{\"picture\":\"assets/{}\"}}", file(at));
    vec![cards(n, ""), zone(), look(&format!("\"cards\":{{{}}}", list(n, picture)))]
}

/// The longest picture of these elements, again and again.
fn svg(element: &str, most: usize) -> String {
    let many = most.min(1_900_000 / element.len());
    format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>{}</svg>", element.repeat(many))
}

fn asset(name: &str, content: impl Into<String>) -> (String, String) {
    (format!("assets/{name}"), content.into())
}

/// A path of arcs, which are written as several curves each.
fn arcs(length: usize) -> String {
    format!("M0 0{}", "a1 9 0 1 0 1 1".repeat(length / 14))
}

/// A font whose names all share their text. Each character stands for a byte.
fn font(names: usize) -> String {
    let mut tables: Vec<(&str, Vec<u8>)> = Vec::new();
    let mut head = vec![0; 54];
    head[18..20].copy_from_slice(&1000_u16.to_be_bytes());
    tables.push(("head", head));
    tables.push(("hhea", vec![0; 36]));
    tables.push(("maxp", vec![0, 0, 0x50, 0, 0, 1]));
    let mut name = [0_u16, names as u16, 6].map(u16::to_be_bytes).concat();
    for at in 0..names {
        let record = [3, 1, 0x409, 1, 60_000 + (at % 1000) as u16 * 2, (at / 1000) as u16 * 2];
        name.extend(record.map(u16::to_be_bytes).concat());
    }
    name.resize(name.len().max(70_000), b'x');
    tables.push(("name", name));
    let mut file = vec![0, 1, 0, 0, 0, tables.len() as u8, 0, 0, 0, 0, 0, 0];
    let mut offset = file.len() + 16 * tables.len();
    for (tag, table) in &tables {
        file.extend(tag.bytes());
        file.extend([0; 4]);
        file.extend([offset as u32, table.len() as u32].map(u32::to_be_bytes).concat());
        offset += table.len();
    }
    file.extend(tables.into_iter().flat_map(|(_, table)| table));
    file.into_iter().map(char::from).collect()
}

fn letters(at: usize) -> String {
    [at / 676, at / 26, at].iter().map(|at| char::from(b'a' + (at % 26) as u8)).collect()
}

/// A pack in many languages, of which some have a message.
fn spoken(name: &str, promised: usize, spoken: usize) -> Files {
    let names = list(promised, |at| format!("\"{}\"", letters(at)));
    let mut files = vec![manifest(name, &format!(",\"languages\":[{names}]"))];
    files.extend((0..spoken).map(|at| {
        let text = "{\"messages\":{\"word.side\":\"x\"}}".to_owned();
        (format!("locale/{}/a.json", letters(at)), text)
    }));
    files
}

fn counters(n: usize) -> (String, String) {
    family("counters", &list(n, |at| format!("{{\"id\":\"n{at}\",\"scope\":\"game\",\"max\":1}}")))
}

fn with(mut files: Files, more: impl IntoIterator<Item = (String, String)>) -> Files {
    files.extend(more);
    files
}

/// What looks and promises cost.
pub const LOOKS: &[Shape] = &[
    ("looks-many", 9_000, |n| {
        let looks = list(n, |at| format!("{{\"id\":\"look{at}\",\"types\":{{\"x\":{{}}}}}}"));
        vec![cards(n, ""), zone(), ("look.json".to_owned(), format!("{{\"looks\":[{looks}]}}"))]
    }),
    ("looks-picture", 9_000, |n| {
        with(pictures(n, |_| "a.svg".to_owned()), [asset("a.svg", svg("<rect width='1'/>", n.min(2_900)))])
    }),
    ("looks-arcs", 1_400, |n| {
        let path = format!("<path d='{}'/>", arcs(4_600));
        let files = (0..n).map(|at| asset(&format!("{at}.svg"), svg(&path, 1)));
        with(pictures(n, |at| format!("{at}.svg")), files.collect::<Vec<_>>())
    }),
    ("looks-curves", 700, |n| {
        let path = format!("<path d='{}'/>", arcs(13_000));
        let (pictures_of, many) = (n / 100 + 1, n / 5 + 1);
        let files = (0..pictures_of).map(|at| asset(&format!("{at}.svg"), svg(&path, many)));
        with(pictures(pictures_of, |at| format!("{at}.svg")), files.collect::<Vec<_>>())
    }),
    ("looks-pixels", 9_000, |n| {
        let pixels = format!("\u{ff}\u{d8}\u{ff}{}", "x".repeat(2_000_000.min(n * 1000)));
        with(pictures(n, |_| "a.jpg".to_owned()), [asset("a.jpg", pixels)])
    }),
    ("looks-missing", 9_000, |n| {
        let files = (0..n).map(|at| asset(&format!("{at}.svg"), ""));
        with(pictures(n, |at| format!("{at}-x.svg")), files.collect::<Vec<_>>())
    }),
    ("looks-attributes", 200_000, |n| {
        let text = format!("<rect{}/>", list(n, |at| format!(" a{at}=''")).replace(',', ""));
        with(pictures(1, |_| "a.svg".to_owned()), [asset("a.svg", svg(&text, 1))])
    }),
    ("looks-namespaces", 40_000, |n| {
        let names = list(n, |at| format!(" xmlns:a{at}='b{at}'")).replace(',', "");
        let text = format!("<g{names}>{}</g>", "<a0:b/>".repeat(n.min(90_000)));
        with(pictures(1, |_| "a.svg".to_owned()), [asset("a.svg", svg(&text, 1))])
    }),
    ("looks-formats", 100_000, |n| {
        let text = list(n, |at| format!("<g xmlns:a{at}='b'>")).replace(',', "");
        with(pictures(1, |_| "a.svg".to_owned()), [asset("a.svg", svg(&text, 1))])
    }),
    ("looks-nested", 400_000, |n| {
        let text = format!("{}{}", "<g>".repeat(n.min(250_000)), "</g>".repeat(n.min(250_000)));
        with(pictures(1, |_| "a.svg".to_owned()), [asset("a.svg", svg(&text, 1))])
    }),
    ("looks-outlines", 700, |n| {
        let space = |at| format!("{{\"id\":\"s{at}\",\"kind\":\"land\",\"at\":[{at},0]}}");
        let outline = |at| format!("\"s{at}\":{{\"outline\":\"{}\"}}", arcs(19_000.min(n * 100)));
        vec![family("spaces", &list(n, space)), look(&format!("\"spaces\":{{{}}}", list(n, outline)))]
    }),
    ("looks-flat", 700, |n| {
        let curve = "C9e4 0-9e4 0 1 0C-9e4 0 9e4 0 0 0";
        let path = format!("M0 0{}", curve.repeat((19_000 / curve.len()).min(n)));
        vec![look(&format!("\"symbols\":{{{}}}", list(n, |at| format!("\"s{at}\":\"{path}\""))))]
    }),
    ("looks-fonts", 2_000, |n| {
        let files = list(8, |_| "\"assets/a.ttf\"".to_owned());
        let font_look = format!("{{\"family\":\"A\",\"files\":[{files}]}}");
        let look = |at| format!("{{\"id\":\"look{at}\",\"fonts\":{{\"text\":{font_look},\"title\":{font_look}}}}}");
        let looks = format!("{{\"looks\":[{}]}}", list(n, look));
        vec![("look.json".to_owned(), looks), asset("a.ttf", font(65_000.min(n * 40)))]
    }),
    ("looks-symbols", 20_000, |n| {
        let long = "x".repeat(50);
        let kind = |at| format!("\"t{at}\":{{\"symbol\":\"{long}{at}y\"}}");
        let symbols = list(n, |at| format!("\"{long}{at}\":\"M0 0h1v1z\""));
        vec![look(&format!("\"symbols\":{{{symbols}}},\"types\":{{{}}}", list(n, kind)))]
    }),
    ("promises-endings", 4_000, |n| {
        let endings = list(n / 10, |at| format!("\"x{at}\":{{\"least\":1}}"));
        let all = list(n / 50 + 1, |at| format!("{{\"id\":\"p{at}\",\"endings\":{{{endings}}}}}"));
        vec![promises(&all), messages(&list(n * 10, |at| format!("\"outcome.points{at}\":\"x\"")))]
    }),
    ("promises-names", 9_000, |n| {
        let promise =
            |at| format!("{{\"id\":\"p{at}\",\"variant\":\"w{at}\",\"endings\":{{\"points\":{{\"least\":1}}}}}}");
        let variants = list(n, |at| format!("{{\"id\":\"v{at}\"}}"));
        vec![promises(&list(n, promise)), family("variants", &variants)]
    }),
];

/// What one part names many times.
pub const PRODUCTS: &[Shape] = &[
    ("missing-twice", 9_000, |n| {
        let zones = list(n, |at| format!("{{\"id\":\"zone-{}{at}\",\"scope\":\"game\"}}", letters(at)));
        let notes = format!("{{\"id\":\"n\",\"scope\":\"game\",\"max\":1,\"notes\":\"{}\"}}", "x".repeat(n * 500));
        let card = |at: usize| format!("{{\"id\":\"c{at}\",\"type\":\"luck\",\"zone\":\"{}q\"}}", letters(at / 2));
        vec![family("zones", &zones), family("counters", &notes), family("cards", &list(n / 10 + 2, card))]
    }),
    ("lost-many", 9_000, |n| {
        let counter = |at| format!("{{\"id\":\"n{at}\",\"scope\":\"game\",\"max\":\"x\"}}");
        let rule = |at| format!("{{\"id\":\"r{at}\",\"may\":[\"counter:m{at}\"]}}");
        vec![family("counters", &list(n, counter)), family("rules", &list(n, rule))]
    }),
    ("points-args", 15_000, |n| {
        let arg = |at| list(4, move |nth| format!("\"arg{nth}x{at}\""));
        let point = |at| format!("{{\"id\":\"p{at}\",\"kind\":\"effect\",\"doc\":\"d\",\"args\":[{}]}}", arg(at));
        vec![family("points", &list(n, point))]
    }),
    ("points-required", 50_000, |n| {
        let words = list(n, |_| "\"luck\"".to_owned());
        let point = format!("{{{POINT},\"args\":[],\"doc\":\"d\",\"required_in\":[{words}]}}");
        vec![family("points", &point), cards(n.min(9_000), ""), zone()]
    }),
    ("points-doc", 9_000, |n| {
        let doc = "x".repeat(n * 1000);
        let point = format!("{{{POINT},\"args\":[],\"doc\":\"{doc}\",\"required_in\":[\"luck\"]}}");
        vec![family("points", &point), cards(n, ""), zone()]
    }),
    ("derived-negative", 8_000, |n| {
        let counter =
            |at| format!("{{\"id\":\"n{at}\",\"scope\":\"faction\",\"max\":1,\"derived\":{{\"space\":\"worth\"}}}}");
        let space = |at| format!("{{\"id\":\"s{at}\",\"kind\":\"land\",\"at\":[{at},0],\"props\":{{\"worth\":-1}}}}");
        let prop = "{\"id\":\"worth\",\"of\":\"spaces\",\"type\":\"number\",\"doc\":\"d\"}";
        vec![family("counters", &list(n, counter)), family("spaces", &list(n, space)), family("props", prop)]
    }),
    ("kinds-scripts", 15_000, |n| {
        let kind = |at| format!("{{\"id\":\"kind-{at}\",\"class\":\"c\",\"occupies\":true}}");
        let files = act(&list(n * 3, |at| format!("  log('word{at}')\n")).replace(",  log", "  log"));
        with(files, [family("kinds", &list(n, kind))])
    }),
    ("patches-add", 150_000, |n| {
        let items = list(n, |at| format!("\"o{at}\""));
        vec![family(
            "patches",
            &format!("{{\"of\":\"decisions\",\"id\":\"arena.turn\",\"add\":{{\"options\":[{items}]}}}}"),
        )]
    }),
    ("patches-take", 60_000, |n| {
        let patch = |way: &str, letter: char| {
            let items = list(n, |at| format!("\"{letter}{at}\""));
            format!("{{\"of\":\"decisions\",\"id\":\"arena.turn\",\"{way}\":{{\"options\":[{items}]}}}}")
        };
        vec![family("patches", &format!("{},{}", patch("add", 'o'), patch("take", 'p')))]
    }),
    ("patches-lists", 4_900, |n| {
        let items = |from: usize| list(12, move |at| format!("\"o{}\"", from * 12 + at));
        let patch =
            |at| format!("{{\"of\":\"decisions\",\"id\":\"arena.turn\",\"add\":{{\"options\":[{}]}}}}", items(at));
        vec![family("patches", &list(n, patch))]
    }),
    ("numbers-typed", 50_000, |n| {
        let params = list(n, |at| format!("\"p{at}\":{}", at + 10));
        let rule = format!("{{\"id\":\"r\",\"params\":{{{params}}},\"hooks\":{{}}}}");
        vec![family("rules", &rule), messages(&format!("\"rule.r.text\":\"{}\"", "1 ".repeat(n * 100)))]
    }),
    ("numbers-same", 3_000_000, |n| {
        let rule = "{\"id\":\"r\",\"params\":{\"seven\":7},\"hooks\":{}}";
        vec![family("rules", rule), messages(&format!("\"rule.r.text\":\"{}\"", "7 ".repeat(n)))]
    }),
    ("params-modules", 40_000, |n| {
        let params = list(n, |at| format!("\"p{at}\":7"));
        let rule = format!("{{\"id\":\"r\",\"params\":{{{params}}},\"hooks\":{{\"arena.dare\":\"m0.act\"}}}}");
        let module = |at| {
            let text = format!("local N = import(\"m{}\")\nlocal M = {{}}\nfunction M.act() end\nreturn M\n", at + 1);
            (format!("m{at}.lua"), text)
        };
        with(vec![family("rules", &rule)], (0..n / 10).map(module).collect::<Vec<_>>())
    }),
    ("params-holes", 40_000, |n| {
        let params = list(n, |at| format!("\"p{at}\":7"));
        let rule = format!("{{\"id\":\"r\",\"params\":{{{params}}},\"hooks\":{{\"arena.dare\":{{\"add\":1}}}}}}");
        let holes = list(n, |at| format!("{{q{at}}}"));
        vec![family("rules", &rule), messages(&format!("\"rule.r.text\":\"{holes}\",\"rule.r.title\":\"{holes}\""))]
    }),
    ("languages-counters", 17_000, |n| with(spoken("languages-counters", n, n.min(10)), [counters(n)])),
    ("languages-spoken", 1_500, |n| with(spoken("languages-spoken", n, n), [counters(n * 10)])),
    ("languages-keys", 17_000, |n| {
        let keys = list(n * 2, |at| format!("\"word.w{at}\":\"x\""));
        let all = ("locale/aaa/b.json".to_owned(), format!("{{\"messages\":{{{keys}}}}}"));
        with(spoken("languages-keys", n, n.min(3)), [all])
    }),
    ("bots-many", 3_000, |n| {
        let bot = |at| format!("{{\"id\":\"b{at}\",\"usualEnd\":9,\"value\":{{\"x\":[1,2]}}}}");
        let bots = ("bots/player.bot.json".to_owned(), format!("{{\"bots\":[{}]}}", list(n, bot)));
        vec![bots, counters(n * 3)]
    }),
    ("bots-weights", 30_000, |n| {
        let weight = |at| format!("\"card c{at}\":1");
        let policy = format!("{{\"arena.turn\":{{\"take card\":{{{}}}}}}}", list(n, weight));
        let bot = format!("{{\"id\":\"b\",\"usualEnd\":9,\"policy\":{policy}}}");
        let bots = ("bots/player.bot.json".to_owned(), format!("{{\"bots\":[{bot}]}}"));
        vec![bots, cards(n.min(9_000), ""), zone()]
    }),
    ("series-products", 1_600, |n| {
        let part = |name: char| format!("{{\"name\":\"{name}\",\"values\":[{}]}}", list(10, |at| at.to_string()));
        let each = ['a', 'b', 'c'].map(part).join(",");
        let series = |at| {
            format!("{{\"id\":\"s{at}-{{a}}-{{b}}-{{c}}\",\"each\":[{each}],\"type\":\"luck\",\"zone\":\"deck\"}}")
        };
        let text = |at| format!("\"card.s{at}-{{a}}-{{b}}-{{c}}.title\":\"{{a}}{{b}}{{c}}{}\"", "x".repeat(500));
        let many = n / 100 + 1;
        let files = (0..many).map(|at| (format!("{at}.json"), format!("{{\"cards\":[{}]}}", series(at))));
        with(vec![zone(), messages(&list(many, text))], files.collect::<Vec<_>>())
    }),
    ("series-long", 1_000, |n| {
        let values = list(n, |at| format!("\"{}{at}\"", "x".repeat(50)));
        let props = list(40, |at| format!("\"p{at}\":\"{{a}}{{a}}{{a}}\""));
        let each = format!("{{\"name\":\"a\",\"values\":[{values}]}}");
        let card =
            format!("{{\"id\":\"{{a}}\",\"each\":[{each}],\"type\":\"luck\",\"zone\":\"deck\",\"props\":{{{props}}}}}");
        vec![zone(), family("cards", &card)]
    }),
    ("tiles-meets", 60_000, |n| {
        let meets = list(n, |_| "\"a\"".to_owned());
        let edge = |id: char| format!("{{\"id\":\"{id}\",\"sign\":\"{id}\",\"meets\":[{meets}]}}");
        let edges = ['a', 'b'].map(edge).join(",");
        let tiles = format!(
            "{{\"id\":\"tiles\",\"grid\":{{\"shape\":\"squares\",\"kind\":\"cell\",\"columns\":100,\"rows\":60}},\
             \"zones\":[\"deck\"],\"edges\":[{edges}]}}"
        );
        let tile = ",\"tile\":{\"edges\":\"bbbb\"}";
        vec![family("procedures", &tiles), cards(n.min(9_000), tile), zone()]
    }),
    ("tiles-links", 30_000, |n| {
        let links = list(n, |at| format!("[{},{}]", at % 4, at % 3));
        let tiles = "{\"id\":\"tiles\",\"grid\":{\"shape\":\"squares\",\"kind\":\"cell\",\"columns\":9,\"rows\":9},\
                     \"zones\":[\"deck\"],\"edges\":[{\"id\":\"a\",\"sign\":\"a\",\"network\":\"n\",\"meets\":[\"a\"]}]}";
        let tile = format!(",\"tile\":{{\"edges\":\"aaaa\",\"links\":[{links}]}}");
        vec![family("procedures", tiles), cards(2, &tile), zone()]
    }),
    ("pins-where", 4_000, |n| {
        let filter = |at| format!("\"type\":\"luck\",\"zone\":\"deck\",\"id\":\"c{at}\"");
        let pin = |at| format!("{{\"id\":\"p{at}\",\"of\":\"cards\",\"where\":{{{}}},\"count\":{at}}}", filter(at));
        vec![family("pins", &list(n, pin)), cards(n * 3, ""), zone()]
    }),
    ("pins-names", 4_000, |n| {
        let filter = |pin: usize| list(10, move |at| format!("\"k{pin}x{at}\":0"));
        let pin = |at| format!("{{\"id\":\"p{at}\",\"of\":\"cards\",\"where\":{{{}}},\"count\":{at}}}", filter(at));
        vec![family("pins", &list(n, pin)), cards(n * 3, ""), zone()]
    }),
    ("scenarios-expect", 20_000, |n| {
        let then = list(n, |_| "{\"counter\":\"score\",\"of\":\"faction:red\",\"is\":7}".to_owned());
        vec![scenarios(&format!("{{\"id\":\"s\",\"title\":\"t\",\"then\":[{then}]}}"))]
    }),
    ("hooks-members", 85_000, |n| {
        let hooks = list(n, |at| format!("\"card.play{at}\":\"code.f\""));
        vec![cards(1, &format!(",\"hooks\":{{{hooks}}}")), zone()]
    }),
    ("expect-members", 90_000, |n| {
        let then = list(n, |at| format!("\"counter{at}\":1"));
        vec![scenarios(&format!("{{\"id\":\"s\",\"title\":\"t\",\"then\":[{{{then}}}]}}"))]
    }),
    ("scenarios-none", 190_000, |n| {
        let then = list(n, |_| "0".to_owned());
        vec![scenarios(&format!("{{\"id\":\"s\",\"title\":\"t\",\"then\":[{then}]}}"))]
    }),
    ("scenarios-some", 60_000, |n| {
        let then = list(n, |_| "{\"is\":7}".to_owned());
        vec![scenarios(&format!("{{\"id\":\"s\",\"title\":\"t\",\"then\":[{then}]}}"))]
    }),
    ("scenarios-misnamed", 38_000, |n| {
        let then = list(n, |_| "{\"counter\":\"score\",\"iz\":3}".to_owned());
        vec![scenarios(&format!("{{\"id\":\"s\",\"title\":\"t\",\"then\":[{then}]}}"))]
    }),
    ("scenarios-place", 20_000, |n| {
        let given = list(n, |_| "{\"place\":\"tree\",\"at\":\"wood\",\"count\":1000}".to_owned());
        let supply = list(60, |_| "{\"count\":1000}".to_owned());
        let kind = format!("{{\"id\":\"tree\",\"class\":\"c\",\"supply\":[{supply}]}}");
        let scenario = format!("{{\"id\":\"s\",\"title\":\"t\",\"given\":[{given}]}}");
        let space = "{\"id\":\"wood\",\"kind\":\"land\",\"at\":[0,0]}";
        vec![scenarios(&scenario), family("kinds", &kind), family("spaces", space)]
    }),
    ("scenarios-remove", 10_000, |n| {
        let edits = list(n, |at| match at % 4 {
            3 => "{\"remove\":\"tree\",\"from\":\"map\"}".to_owned(),
            _ => "{\"place\":\"tree\",\"at\":\"wood\",\"count\":1000}".to_owned(),
        });
        let supply = list(60, |_| "{\"count\":1000}".to_owned());
        let kind = format!("{{\"id\":\"tree\",\"class\":\"c\",\"supply\":[{supply}]}}");
        let scenario = format!("{{\"id\":\"s\",\"title\":\"t\",\"given\":[{edits}]}}");
        let space = "{\"id\":\"wood\",\"kind\":\"land\",\"at\":[0,0]}";
        vec![scenarios(&scenario), family("kinds", &kind), family("spaces", space)]
    }),
    ("scenarios-sees", 20_000, |n| {
        let then = list(n, |_| "{\"hides\":{\"zone\":\"deck\"}}".to_owned());
        let scenario = format!("{{\"id\":\"s\",\"title\":\"t\",\"then\":[{then}]}}");
        vec![scenarios(&scenario), cards(60, ",\"copies\":1000"), zone()]
    }),
    ("scenarios-many", 15_000, |n| {
        let scenario = |at| format!("{{\"id\":\"s{at}\",\"title\":\"t\",\"seed\":{at}}}");
        vec![scenarios(&list(n, scenario)), cards(60, ",\"copies\":1000"), zone()]
    }),
    ("scenarios-calls", 20_000, |n| {
        let when = list(n, |_| "{\"call\":\"code.f\"}".to_owned());
        let scenario = format!("{{\"id\":\"s\",\"title\":\"t\",\"run\":{{\"hook\":\"code.f\"}},\"when\":[{when}]}}");
        let code = ("code.lua".to_owned(), "local M = {}\nfunction M.f() end\nreturn M\n".to_owned());
        vec![scenarios(&scenario), cards(60, ",\"copies\":1000"), zone(), code]
    }),
    ("scenarios-clear", 30_000, |n| {
        let clear = |at| match at % 2 {
            0 => "{\"clear\":\"deck\",\"to\":\"other\"}".to_owned(),
            _ => "{\"clear\":\"other\",\"to\":\"deck\"}".to_owned(),
        };
        let scenario = format!("{{\"id\":\"s\",\"title\":\"t\",\"given\":[{}]}}", list(n, clear));
        let zones = "{\"id\":\"deck\",\"scope\":\"game\"},{\"id\":\"other\",\"scope\":\"game\"}";
        vec![scenarios(&scenario), cards(60, ",\"copies\":1000"), family("zones", zones)]
    }),
    ("variants-options", 4_000, |n| {
        let variant = |at| format!("{{\"id\":\"v{at}\",\"options\":{{{}}}}}", list(15, |nth| format!("\"n{nth}\":9")));
        vec![family("variants", &list(n, variant)), counters(n * 3)]
    }),
];
