//! What a file of a pack holds, by its name alone.

/// The role of a file in its pack. [`FileRole::of`] is the one place that decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole<'p> {
    /// `pack.json`.
    Manifest,
    /// `cards.json`, `court/cards.json`: entities. The keys of the file say of which families.
    Entities,
    /// `court/cards.en.json`, or `locale/en/cards.json`: messages of a language.
    Messages(&'p str),
    /// `court/cards.scenarios.json`, or `scenarios/cards.json`.
    Scenarios,
    /// `court/cards.scenarios.snap`: the snapshots of the scenarios beside it.
    Snapshots,
    /// `look.json`, `court/cards.look.json`: looks, and patches of looks. No rule reads them.
    Look,
    /// `balance.json`: promises about the balance of the game. Nothing that decides what happens.
    Promises,
    /// `bots/player.bot.json`: trained players. Nothing that decides what happens.
    Bots,
    /// `court/cards.lua`, or `scripts/court/cards.lua`: both are the module `court/cards`.
    Script(&'p str),
    /// `rules.en.md`, at the root of the pack: the rules as prose in a language. No game depends on it.
    Rules(&'p str),
    /// Anything below `assets/`.
    Asset,
    /// `README.md`, `LICENSE`, `package.json`: for people and other programs.
    Note,
    /// None of these.
    Unknown,
}

impl<'p> FileRole<'p> {
    /// The role of the file with this path inside its pack.
    pub fn of(path: &'p str) -> Self {
        if path.starts_with("assets/") {
            return FileRole::Asset;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        match path.rsplit_once('.') {
            _ if path == "pack.json" => FileRole::Manifest,
            _ if is_for_tools(name) => FileRole::Note,
            Some((stem, "json")) => Self::of_json(stem),
            Some((module, "lua")) => FileRole::Script(module.strip_prefix("scripts/").unwrap_or(module)),
            Some((_, "snap")) => FileRole::Snapshots,
            // What `cargo insta` keeps until a change is reviewed.
            Some((_, "new")) if path.ends_with(".snap.new") => FileRole::Snapshots,
            Some((stem, "md")) => match stem.strip_prefix("rules.") {
                Some(language) if is_language(language) => FileRole::Rules(language),
                _ => FileRole::Note,
            },
            _ if matches!(name, "LICENSE" | "README" | "CHANGELOG") => FileRole::Note,
            _ => FileRole::Unknown,
        }
    }

    fn of_json(stem: &'p str) -> Self {
        match stem {
            "look" => return FileRole::Look,
            "bot" => return FileRole::Bots,
            "balance" => return FileRole::Promises,
            _ => {}
        }
        if stem == "scenarios" || stem.starts_with("scenarios/") {
            return FileRole::Scenarios;
        }
        if let Some(rest) = stem.strip_prefix("locale/") {
            let language = rest.split_once('/').map_or(rest, |(language, _)| language);
            return if is_language(language) { FileRole::Messages(language) } else { FileRole::Entities };
        }
        let name = stem.rsplit('/').next().unwrap_or(stem);
        match name.rsplit_once('.') {
            Some((_, "scenarios")) => FileRole::Scenarios,
            Some((_, "look")) => FileRole::Look,
            Some((_, "bot")) => FileRole::Bots,
            Some((_, language)) if is_language(language) => FileRole::Messages(language),
            _ => FileRole::Entities,
        }
    }

    /// The name of its script module, if it is one.
    pub fn module(self) -> Option<&'p str> {
        match self {
            FileRole::Script(module) => Some(module),
            _ => None,
        }
    }

    /// Whether the file affects games. Scenarios, messages and notes do not.
    pub fn counts_in_play(self) -> bool {
        matches!(self, FileRole::Manifest | FileRole::Entities | FileRole::Script(_))
    }
}

/// Whether the name of a file is one that other programs give to their settings.
fn is_for_tools(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "package.json",
        "package-lock.json",
        "npm-shrinkwrap.json",
        "tsconfig.json",
        "jsconfig.json",
        "composer.json",
        "deno.json",
        "renovate.json",
        "vercel.json",
        "crowdin.json",
        "biome.json",
        "cspell.json",
    ];
    NAMES.contains(&name)
}

/// Whether a text is a language tag, such as `en` or `pt-BR`.
fn is_language(text: &str) -> bool {
    let (main, region) = text.split_once('-').unwrap_or((text, "XX"));
    (2..=3).contains(&main.len())
        && main.bytes().all(|byte| byte.is_ascii_lowercase())
        && (2..=8).contains(&region.len())
        && region.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_a_file_is() {
        for (path, role) in [
            ("pack.json", FileRole::Manifest),
            ("game.json", FileRole::Entities),
            ("court/cards.json", FileRole::Entities),
            ("court/pack.json", FileRole::Entities),
            ("court/old.cards.json", FileRole::Entities),
            ("court/cards.en.json", FileRole::Messages("en")),
            ("court/cards.pt-BR.json", FileRole::Messages("pt-BR")),
            ("locale/en/cards.json", FileRole::Messages("en")),
            ("locale/pl.json", FileRole::Messages("pl")),
            ("locale/pt-BR/a/b.json", FileRole::Messages("pt-BR")),
            ("court/cards.scenarios.json", FileRole::Scenarios),
            ("scenarios/court/cards.json", FileRole::Scenarios),
            ("scenarios.json", FileRole::Scenarios),
            ("look.json", FileRole::Look),
            ("court/cards.look.json", FileRole::Look),
            ("court/look.json", FileRole::Entities),
            ("balance.json", FileRole::Promises),
            ("court/balance.json", FileRole::Entities),
            ("bots/player.bot.json", FileRole::Bots),
            ("bot.json", FileRole::Bots),
            ("bots/player.json", FileRole::Entities),
            ("court/cards.scenarios.snap", FileRole::Snapshots),
            ("court/cards.scenarios.snap.new", FileRole::Snapshots),
            ("court/cards.lua", FileRole::Script("court/cards")),
            ("scripts/court/cards.lua", FileRole::Script("court/cards")),
            ("assets/court/cards.json", FileRole::Asset),
            ("assets/shield.svg", FileRole::Asset),
            ("court/README.md", FileRole::Note),
            ("rules.en.md", FileRole::Rules("en")),
            ("rules.pt-BR.md", FileRole::Rules("pt-BR")),
            ("rules.md", FileRole::Note),
            ("rules.english.md", FileRole::Note),
            ("court/rules.en.md", FileRole::Note),
            ("LICENSE", FileRole::Note),
            ("package.json", FileRole::Note),
            ("tools/package-lock.json", FileRole::Note),
            ("court/packages.json", FileRole::Entities),
            ("cards.JSON", FileRole::Unknown),
            ("cards.yaml", FileRole::Unknown),
            ("cards.json.new", FileRole::Unknown),
            ("cards", FileRole::Unknown),
        ] {
            assert_eq!(FileRole::of(path), role, "{path}");
        }
    }

    #[test]
    fn names_of_languages_are_those_of_manifests() {
        let no_languages =
            ["locale/cards.json", "locale/english/cards.json", "locale/EN/a.json", "cards.EN.json", "cards.e.json"];
        for path in no_languages {
            assert_eq!(FileRole::of(path), FileRole::Entities, "{path}");
        }
    }
}
