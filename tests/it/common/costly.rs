//! Packs that are small to send and costly to check: one function for each shape, growing with a number.
//!
//! They extend the tiny game `arena` of `tests/hostile`.

mod products;

use std::fmt::Write as _;

/// The files of a pack, by path. In a font or JPEG, each character stands for a byte.
pub type Files = Vec<(String, String)>;

/// A shape of packs: its name, the size at which it is tried, and a function that builds it.
pub type Shape = (&'static str, usize, fn(usize) -> Files);

/// The manifest of a pack with this id; `more` are further fields.
pub fn manifest(id: &str, more: &str) -> (String, String) {
    let text = format!(
        "{{ \"format\": 1, \"id\": \"{id}\", \"version\": \"1.0.0\", \"api\": 1, \"title\": \"Costly\", \"kind\": \"extension\", \
         \"requires\": {{ \"arena\": \"*\" }}{more} }}\n"
    );
    ("pack.json".to_owned(), text)
}

/// Items made from numbers, with commas between them, on one line.
fn list(n: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0..n {
        let _ = write!(text, "{}{}", if at == 0 { "" } else { "," }, item(at));
    }
    text
}

fn family(key: &str, items: &str) -> (String, String) {
    (format!("{key}.json"), format!("{{\"{key}\":[{items}]}}"))
}

fn deck(cards: usize) -> Files {
    let card = |at| format!("{{\"id\":\"c{at}\",\"type\":\"luck\",\"copies\":1000,\"zone\":\"deck\"}}");
    vec![family("cards", &list(cards, card)), family("zones", "{\"id\":\"deck\",\"scope\":\"game\"}")]
}

fn scenarios(items: &str) -> (String, String) {
    ("scenarios.json".to_owned(), format!("{{\"scenarios\":[{items}]}}"))
}

fn messages(items: &str) -> (String, String) {
    ("locale/en.json".to_owned(), format!("{{\"messages\":{{{items}}}}}"))
}

/// A module with one function `act`, and a rule that makes a hook of it.
fn act(lines: &str) -> Files {
    let script = format!("local M = {{}}\n\nfunction M.act(self, owner, seat)\n{lines}\nend\n\nreturn M\n");
    let rule = "{\"id\":\"stranger\",\"hooks\":{\"arena.dare\":\"stranger.act\"}}";
    vec![("stranger.lua".to_owned(), script), family("rules", rule)]
}

/// All shapes, at sizes that once took minutes or gigabytes.
pub fn shapes() -> impl Iterator<Item = &'static Shape> {
    SHAPES.iter().chain(products::LOOKS).chain(products::PRODUCTS)
}

/// The content of a file as bytes.
pub fn bytes(path: &str, content: String) -> Vec<u8> {
    match path.ends_with(".ttf") || path.ends_with(".jpg") {
        true => content.chars().filter_map(|letter| u8::try_from(u32::from(letter)).ok()).collect(),
        false => content.into_bytes(),
    }
}

const SHAPES: &[Shape] = &[
    ("scenarios-line", 10_000, |n| vec![scenarios(&list(n, |at| format!("{{\"id\":\"s{at}\",\"title\":\"t\"}}")))]),
    ("findings-line", 10_000, |n| {
        vec![family("counters", &list(n, |at| format!("{{\"id\":\"c{at}\",\"scope\":\"game\",\"max\":-1}}")))]
    }),
    ("findings-files", 18_000, |n| {
        let file = |at| (format!("a/{at}.json"), "{\"counters\":[{\"id\":1},{},{},{},{},{},{}]}".to_owned());
        (0..n).map(file).collect()
    }),
    ("findings-twice", 300_000, |n| vec![family("counters", &format!("{{{}}}", list(n, |_| "\"a\":1".to_owned())))]),
    ("findings-hidden", 300_000, |n| vec![family("counters", &list(n, |_| "\"\u{202e}\"".to_owned()))]),
    ("requires", 2_500, |n| {
        let mut files = vec![manifest("requires", "")];
        let more = list(n, |at| format!("\"pack-{at}\":\"*\""));
        files[0].1 = files[0].1.replace("\"arena\": \"*\"", &format!("\"arena\":\"*\",{more}"));
        files
    }),
    ("optional", 20_000, |n| {
        vec![manifest("optional", &format!(",\"optional\":{{{}}}", list(n, |at| format!("\"pack-{at}\":\"x\""))))]
    }),
    ("patches-field", 40_000, |n| {
        let patch = |at| format!("{{\"of\":\"counters\",\"id\":\"score\",\"set\":{{\"max\":{at}}}}}");
        vec![family("patches", &list(n, patch))]
    }),
    ("patches-fields", 40_000, |n| {
        let patch = |at| format!("{{\"of\":\"factions\",\"id\":\"red\",\"set\":{{\"props\":{{\"p{at}\":1}}}}}}");
        vec![family("patches", &list(n, patch))]
    }),
    ("patches-unknown", 20_000, |n| {
        let patch = |at| format!("{{\"of\":\"counters\",\"id\":\"scores{at}\",\"set\":{{\"max\":1}}}}");
        let counter = |at| format!("{{\"id\":\"score-{at}\",\"scope\":\"game\",\"max\":1}}");
        vec![family("patches", &list(n, patch)), family("counters", &list(n, counter))]
    }),
    ("near-names", 2_500, |n| {
        let long = "x".repeat(60);
        let counter = |at| format!("{{\"id\":\"{long}{at}\",\"scope\":\"game\",\"max\":1}}");
        let rule = |at| format!("{{\"id\":\"r{at}\",\"may\":[\"counter:{long}{at}y\"],\"hooks\":{{}}}}");
        vec![family("counters", &list(n, counter)), family("rules", &list(n, rule))]
    }),
    ("near-messages", 20_000, |n| {
        let long = "x".repeat(50);
        let counter = |at| format!("{{\"id\":\"{long}{at}\",\"scope\":\"game\",\"max\":1}}");
        vec![family("counters", &list(n, counter)), messages(&list(n, |at| format!("\"counter.{long}{at}y\":\"x\"")))]
    }),
    ("near-references", 20_000, |n| {
        let long = "x".repeat(50);
        let zone = |at| format!("{{\"id\":\"{long}{at}\",\"scope\":\"game\"}}");
        let card = |at| format!("{{\"id\":\"c{at}\",\"type\":\"luck\",\"zone\":\"{long}{at}y\"}}");
        vec![family("zones", &list(n, zone)), family("cards", &list(n, card))]
    }),
    ("near-scripts", 8_000, |n| {
        let long = "x".repeat(50);
        let counter = |at| format!("{{\"id\":\"{long}{at}\",\"scope\":\"game\",\"max\":1}}");
        let mut files = act(&list(n, |at| format!("  add(counter.{long}{at}y, 1)\n")).replace(",  add", "  add"));
        files.push(family("counters", &list(n, counter)));
        files
    }),
    ("near-names-long", 200, |n| {
        let long = "x".repeat(20_000);
        let card = |at| {
            format!("{{\"id\":\"c{at}\",\"type\":\"{long}{at}\",\"zone\":\"deck\",\"props\":{{\"{long}{at}\":1}}}}")
        };
        vec![family("cards", &list(n, card)), family("zones", "{\"id\":\"deck\",\"scope\":\"game\"}")]
    }),
    ("messages", 200_000, |n| vec![messages(&list(n, |at| format!("\"word.w{at}\":\"x\"")))]),
    ("messages-files", 18_000, |n| {
        (0..n).map(|at| (format!("a{at}.en.json"), format!("{{\"messages\":{{\"word.w{at}\":\"x\"}}}}"))).collect()
    }),
    ("messages-twice", 100_000, |n| {
        let file = |at| {
            (format!("a{at}.en.json"), format!("{{\"messages\":{{{}}}}}", list(n / 10, |k| format!("\"w.{k}\":\"x\""))))
        };
        (0..10).map(file).collect()
    }),
    ("placeholders", 200_000, |n| vec![messages(&format!("\"word.a\":\"{}\"", "{x}".repeat(n)))]),
    ("placeholders-names", 200_000, |n| {
        vec![messages(&format!("\"word.a\":\"{}\"", list(n, |at| format!("{{x{at}}}"))))]
    }),
    ("placeholders-messages", 50_000, |n| {
        vec![messages(&list(n, |at| format!("\"log.w{at}\":\"{{a}}{{b}}{{c{at}}}\"")))]
    }),
    ("languages", 20_000, |n| {
        let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
        let name = move |at: usize| format!("\"{}{}{}\"", letter(at / 676), letter(at / 26), letter(at));
        let mut files = vec![manifest("languages", &format!(",\"languages\":[{}]", list(n.min(17_576), name)))];
        files.extend((0..2_000).map(|at| (format!("a/{at}.json"), "{\"counters\":[]}".to_owned())));
        files
    }),
    ("snapshots-sections", 900_000, |n| {
        let mut sections = "---\nsource: scenarios.json\n---\n".to_owned();
        (0..n).for_each(|at| sections.push_str(&format!("=== s{at}\nx\n")));
        vec![scenarios("{\"id\":\"s0\",\"title\":\"t\"}"), ("scenarios.snap".to_owned(), sections)]
    }),
    ("numbers", 1_000_000, |n| vec![family("counters", &list(n, |at| at.to_string()))]),
    ("numbers-8m", 8_000_000, |n| vec![family("counters", &list(n, |_| "1".to_owned()))]),
    ("objects", 5_000_000, |n| vec![family("counters", &list(n, |_| "{}".to_owned()))]),
    ("strings", 4_000_000, |n| vec![family("counters", &list(n, |_| "\"\"".to_owned()))]),
    ("keys", 1_500_000, |n| vec![family("counters", &format!("{{{}}}", list(n, |at| format!("\"{at}\":1"))))]),
    ("deep", 60_000, |n| vec![family("counters", &list(n, |_| format!("{}{}", "[".repeat(100), "]".repeat(100))))]),
    ("text-long", 15_000_000, |n| vec![messages(&format!("\"word.a\":\"{}\"", "x".repeat(n)))]),
    ("slips", 99, |n| {
        let filler = "1,".repeat(4_000_000);
        vec![family("counters", &format!("{filler}{}", list(n, |_| "1 2".to_owned())))]
    }),
    ("counters-cards", 8_000, |n| {
        let mut files = deck(24);
        let counter = |at| format!("{{\"id\":\"n{at}\",\"scope\":\"card\",\"max\":1}}");
        files.push(family("counters", &list(n, counter)));
        files
    }),
    ("counters-spaces", 8_000, |n| {
        let space = |at| format!("{{\"id\":\"s{at}\",\"kind\":\"land\",\"at\":[{at},0]}}");
        let counter = |at| format!("{{\"id\":\"n{at}\",\"scope\":\"space\",\"max\":1}}");
        vec![family("spaces", &list(n, space)), family("counters", &list(n, counter))]
    }),
    ("cards", 60_000, |n| {
        let card = |at| format!("{{\"id\":\"c{at}\",\"type\":\"luck\",\"zone\":\"deck\"}}");
        vec![family("cards", &list(n, card)), family("zones", "{\"id\":\"deck\",\"scope\":\"game\"}")]
    }),
    ("cards-hooks", 30_000, |n| {
        let card = |at| {
            format!("{{\"id\":\"c{at}\",\"type\":\"luck\",\"zone\":\"deck\",\"hooks\":{{\"p{at}\":{{\"add\":1}}}}}}")
        };
        let point = |at| format!("{{\"id\":\"p{at}\",\"kind\":\"query\",\"args\":[],\"doc\":\"d\"}}");
        vec![
            family("cards", &list(n, card)),
            family("points", &list(n, point)),
            family("zones", "{\"id\":\"deck\",\"scope\":\"game\"}"),
        ]
    }),
    ("rules-hooks", 40_000, |n| {
        let mut files = act("");
        files[1] = family(
            "rules",
            &list(n, |at| format!("{{\"id\":\"r{at}\",\"hooks\":{{\"arena.dare\":\"stranger.act\"}}}}")),
        );
        files
    }),
    ("borders", 60_000, |n| {
        let away = |name: char| list(n, move |at| format!("\"{name}{at}\""));
        let to = |id: &str| list(n, |_| format!("\"{id}\""));
        let space = |id: &str, at: usize, adjacent: &str| {
            format!("{{\"id\":\"{id}\",\"kind\":\"land\",\"at\":[{at},0],\"adjacent\":[{adjacent}]}}")
        };
        let spaces = list(n, |at| format!("{{\"id\":\"x{at}\",\"kind\":\"land\",\"at\":[{at},1]}}"));
        vec![family("spaces", &format!("{},{},{spaces}", space("a", 0, &to("b")), space("b", 1, &away('x'))))]
    }),
    ("spaces", 60_000, |n| {
        let space =
            |at| format!("{{\"id\":\"s{at}\",\"kind\":\"land\",\"at\":[0,0],\"adjacent\":[\"s{}\"]}}", (at + 1) % n);
        vec![family("spaces", &list(n, space))]
    }),
    ("props", 40_000, |n| {
        let prop = |at| {
            format!(
                "{{\"id\":\"p{at}\",\"of\":\"cards\",\"key\":\"k\",\"type\":\"number\",\"in\":[\"t{at}\"],\"doc\":\"d\"}}"
            )
        };
        vec![family("props", &list(n, prop))]
    }),
    ("props-words", 40_000, |n| {
        let prop = format!(
            "{{\"id\":\"k\",\"of\":\"cards\",\"type\":\"keyword\",\"doc\":\"d\",\"words\":{{{}}}}}",
            list(n, |at| format!("\"word{at}\":\"d\""))
        );
        let card =
            |at| format!("{{\"id\":\"c{at}\",\"type\":\"luck\",\"zone\":\"deck\",\"props\":{{\"k\":\"words{at}\"}}}}");
        vec![
            family("props", &prop),
            family("cards", &list(n, card)),
            family("zones", "{\"id\":\"deck\",\"scope\":\"game\"}"),
        ]
    }),
    ("faces", 60_000, |n| {
        let face = |at| format!("{{\"id\":\"f{at}\",\"opposite\":\"g{at}\",\"swords\":1}}");
        let battle = format!(
            "{{\"id\":\"battle\",\"strength\":\"s\",\"toughness\":\"t\",\"rank\":\"r\",\"fortify\":\"f\",\
             \"tie\":\"defender\",\"faces\":[{}],\"steps\":[{{\"id\":\"x\",\"do\":\"roll\"}}]}}",
            list(n, face)
        );
        vec![family("procedures", &battle)]
    }),
    ("phases", 30_000, |n| {
        let phase = |at| {
            format!(
                "{{\"id\":\"p{at}\",\"each\":\"arena.turn\",\"choose\":{{\"decision\":\"arena.turn\",\"options\":\"arena.turn\"}}}}"
            )
        };
        vec![
            ("phases.json".to_owned(), format!("{{\"phases\":[{}]}}", list(n, phase))),
            messages(&list(n, |at| format!("\"word.w{at}\":\"x\""))),
        ]
    }),
    ("pins", 20_000, |n| {
        let pin = |at| format!("{{\"id\":\"p{at}\",\"of\":\"cards\",\"where\":{{\"type\":\"luck\"}},\"count\":{at}}}");
        let mut files = vec![family("pins", &list(n, pin))];
        let card = |at| format!("{{\"id\":\"c{at}\",\"type\":\"luck\",\"zone\":\"deck\"}}");
        files.push(family("cards", &list(n, card)));
        files.push(family("zones", "{\"id\":\"deck\",\"scope\":\"game\"}"));
        files
    }),
    ("scenarios-steps", 3_000, |n| {
        let mut files = act("  local x = 0\n  for at = 1, 90000 do x = x + at end");
        let scenario = |at| format!("{{\"id\":\"s{at}\",\"title\":\"t\",\"run\":{{\"hook\":\"stranger.act\"}}}}");
        files.push(scenarios(&list(n, scenario)));
        files
    }),
    ("scenarios-setups", 3_000, |n| {
        let mut files = deck(50);
        let scenario = |at| format!("{{\"id\":\"s{at}\",\"title\":\"t\",\"seed\":{at}}}");
        files.push(scenarios(&list(n, scenario)));
        files
    }),
    ("scenarios-when", 400_000, |n| {
        vec![scenarios(&format!(
            "{{\"id\":\"s\",\"title\":\"t\",\"when\":[{}]}}",
            list(n, |_| "{\"seat\":\"red\",\"choose\":\"wait\"}".to_owned())
        ))]
    }),
    ("scripts-statements", 80_000, |n| act(&"  log('a')\n".repeat(n))),
    ("scripts-unknown", 80_000, |n| act(&"  foo()\n".repeat(n))),
    ("scripts-line", 100_000, |n| act(&"foo()".repeat(n).replace(")f", ");f"))),
    ("scripts-functions", 20_000, |n| {
        let mut files = act("");
        let functions = (0..n).map(|at| format!("function M.f{at}(a) return M.f{}(a) end\n", (at + 1) % n));
        files[0].1 = format!("local M = {{}}\nfunction M.act() end\n{}return M\n", functions.collect::<String>());
        files
    }),
    ("scripts-modules", 10_000, |n| {
        let module =
            |at| (format!("m{at}.lua"), format!("local N = import(\"m{}\")\nlocal M = {{}}\nreturn M\n", (at + 1) % n));
        (0..n).map(module).collect()
    }),
    ("files-unknown", 19_000, |n| (0..n).map(|at| (format!("a/{at}.txt"), String::new())).collect()),
    ("words", 400_000, |n| {
        vec![family("cards", &format!("{{\"id\":\"c\",\"notes\":[{}]}}", list(n, |at| format!("\"w{at}\""))))]
    }),
    ("scripts-fields", 40_000, |n| act(&list(n, |at| format!("  math.f{at}()\n")).replace(",  math", "  math"))),
    ("scripts-elseif", 30_000, |n| {
        act(&format!(
            "  local x = 1\n  if x == 0 then\n{}  end",
            list(n, |at| format!("  elseif x == {at} then\n")).replace(",  else", "  else")
        ))
    }),
    ("scripts-chain", 16_000, |n| {
        let mut files = act("");
        let functions = (1..n).map(|at| format!("function M.f{at}(a) M.f{}(a) return M.f{}(a) end\n", at - 1, at - 1));
        files[0].1 = format!(
            "local M = {{}}\nfunction M.act() end\nfunction M.f0(a) return a end\n{}return M\n",
            functions.collect::<String>()
        );
        files
    }),
    ("scripts-union", 2_000, |n| {
        let kinds = ["1", "'a'", "true", "{}", "space.square"];
        let branches =
            (0..n).map(|at| format!("  if seat == {at} then x = {} end\n  local y{at} = x\n", kinds[at % 5]));
        act(&branches.collect::<String>().replace("local y", "M.z = nil -- y"))
    }),
    ("scripts-table", 60_000, |n| {
        let mut files = act("");
        files[0].1 = format!(
            "local T = {{{}}}\nlocal M = {{}}\nfunction M.act() end\nreturn M\n",
            list(n, |at| format!("k{at} = {at}"))
        );
        files
    }),
    ("scripts-locals", 15_000, |n| {
        let mut files = act("");
        let functions = (0..n).map(|at| format!("function M.f{at}() local a{at} = M.act() return a{at} .. 1 end\n"));
        files[0].1 = format!("local M = {{}}\nfunction M.act() end\n{}return M\n", functions.collect::<String>());
        files
    }),
    ("scripts-nested", 180, |n| act(&format!("{}{}", "  do local f = function() ".repeat(n), " end end".repeat(n)))),
    ("scripts-errors", 80_000, |n| act(&"  local = 1\n".repeat(n))),
    ("scripts-texts", 50_000, |n| act(&list(n, |at| format!("  log('word{at}')\n")).replace(",  log", "  log"))),
    ("unicode", 3_000_000, |n| vec![messages(&format!("\"word.a\":\"{}\"", "\u{e9}\u{301}".repeat(n / 2)))]),
    ("messages-keys-long", 200, |n| {
        vec![messages(&list(n, |at| format!("\"word.{}{at}\":\"x\"", "x".repeat(50_000))))]
    }),
    ("keys-unknown", 100_000, |n| {
        vec![family(
            "counters",
            &format!("{{\"id\":\"a\",\"scope\":\"game\",\"max\":1,{}}}", list(n, |at| format!("\"max{at}\":1"))),
        )]
    }),
    ("patches-props", 4_900, |n| {
        let patch = |at| format!("{{\"of\":\"factions\",\"id\":\"red{at}\",\"set\":{{\"props\":{{\"p{at}\":{{}}}}}}}}");
        vec![family("patches", &list(n, patch))]
    }),
    ("props-near", 2_000, |n| {
        let long = "x".repeat(55);
        let prop = |at| {
            format!("{{\"id\":\"p{at}\",\"of\":\"cards\",\"key\":\"{long}{at}\",\"type\":\"number\",\"doc\":\"d\"}}")
        };
        let card =
            |at| format!("{{\"id\":\"c{at}\",\"type\":\"luck\",\"zone\":\"deck\",\"props\":{{\"{long}{at}y\":1}}}}");
        let mut files = vec![family("props", &list(n, prop)), family("cards", &list(n, card))];
        files.push(family("zones", "{\"id\":\"deck\",\"scope\":\"game\"}"));
        files
    }),
    ("scenarios-given", 100_000, |n| {
        let given = list(n, |at| format!("{{\"place\":\"x{at}\",\"at\":\"y\"}}"));
        vec![scenarios(&format!("{{\"id\":\"s\",\"title\":\"t\",\"given\":[{given}]}}"))]
    }),
    ("scenarios-unknown", 5_000, |n| {
        let scenario = |at| format!("{{\"id\":\"s{at}\",\"title\":\"t\",\"run\":{{\"hook\":\"stranger.act{at}\"}}}}");
        let mut files = act("");
        files.push(scenarios(&list(n, scenario)));
        files
    }),
    ("requires-near", 99, |n| {
        let mut files = vec![manifest("requires-near", "")];
        let more = list(n, |at| format!("\"arenas{at}\":\"{}\"", ">=1.0.0, ".repeat(2_000)));
        files[0].1 = files[0].1.replace("\"arena\": \"*\"", &format!("\"arena\":\"*\",{more}"));
        files
    }),
    ("hooks-unknown", 15_000, |n| {
        let rule = |at| format!("{{\"id\":\"r{at}\",\"hooks\":{{\"arena.dare\":\"stranger.acts{at}\"}}}}");
        let mut files = act("");
        files[1] = family("rules", &list(n, rule));
        files
    }),
    ("tiles-cards", 3_000, |n| {
        let card = |at| {
            format!(
                "{{\"id\":\"c{at}\",\"type\":\"luck\",\"copies\":8,\"zone\":\"deck\",\"tile\":{{\"edges\":[\"a\",\"b{at}\",\"c\",\"d\"]}}}}"
            )
        };
        vec![family("cards", &list(n, card)), family("zones", "{\"id\":\"deck\",\"scope\":\"game\"}")]
    }),
    ("numbers-long", 1, |n| {
        vec![family("counters", &format!("{{\"id\":\"a\",\"scope\":\"game\",\"max\":{}}}", "9".repeat(n * 15_000_000)))]
    }),
    ("escapes", 2_000_000, |n| vec![messages(&format!("\"word.a\":\"{}\"", "\\u0041".repeat(n)))]),
];

/// The files of a shape of this size, with a manifest.
pub fn files(shape: &Shape, size: usize) -> Files {
    let mut files = (shape.2)(size);
    if !files.iter().any(|(path, _)| path == "pack.json") {
        files.push(manifest(shape.0, ""));
    }
    files
}
