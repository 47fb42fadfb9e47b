// What pages send to the studio and get from it. This file is generated from the types in Rust; `.ci/generate`
// rewrites it.

declare namespace Api {
  /** The seat whose view is wanted, or that acts. */
  interface OfSeat {
    seat?: string | null;
  }

  /** The paths of requests, each with its parameters and its answer. */
  interface Gets {
    "/api/table": { given: Given.ViewRequest & OfSeat; answer: TablePicture };
    "/api/moment": { given: Given.At & OfSeat; answer: MomentPicture };
    "/api/trail": { given: Given.Between & OfSeat; answer: Frame[] };
    "/api/rules": { given: Given.Nothing & OfSeat; answer: Rulebook };
    "/api/curves": { given: Given.Nothing & OfSeat; answer: Curve[] };
    "/api/outlook": { given: Given.OfOption & OfSeat; answer: Outlook | null };
    "/api/ghost": { given: Given.OfOption & OfSeat; answer: Ghost | null };
    "/api/odds": { given: Given.OfOption & OfSeat; answer: Chances | null };
    "/api/why": { given: Given.Nothing & OfSeat; answer: Why[] };
    "/api/wait": { given: Given.Known; answer: TableVersion };
    "/api/words": { given: Given.Nothing; answer: Record<string, string> };
    "/api/rulebook": { given: Given.Nothing; answer: RulebookPage };
    "/api/titles": { given: Given.Nothing; answer: Record<string, string> };
    "/api/cards": { given: Given.InLanguage; answer: CardPicture[] };
    "/api/face": { given: Given.OfFace; answer: FacePicture };
    "/api/lobby": { given: Given.Nothing; answer: Arrival };
    "/api/links": { given: Given.Nothing; answer: Invitations };
    "/api/game": { given: Given.OfGame; answer: GameOffer };
    "/api/length": { given: Given.OfGame; answer: number | null };
    "/api/wall": { given: Given.Since; answer: CardOnWall[] };
    "/api/entity": { given: Given.OfEntity; answer: WrittenEntity };
    "/api/schema": { given: Given.OfSchema; answer: any };
    "/api/map": { given: Given.Nothing; answer: Map };
    "/api/desk": { given: Given.Nothing; answer: DeskState };
    "/api/coming": { given: Given.Direction; answer: Coming };
    "/api/try": { given: Given.Nothing; answer: SearchState | null };
    "/api/lab": { given: Given.Nothing; answer: LabState };
  }

  /** The paths of requests, each with its parameters and its answer. */
  interface Posts {
    "/api/answer": { given: Given.AnswerRequest & OfSeat; answer: TableVersion };
    "/api/undo": { given: Given.Nothing & OfSeat; answer: TableVersion };
    "/api/new": { given: Given.WithSeed; answer: TableVersion };
    "/api/start": { given: Given.NewGame; answer: Opening };
    "/api/resume": { given: Given.SavedGame; answer: Opening };
    "/api/leave": { given: Given.Nothing; answer: Done };
    "/api/plan": { given: Given.Planned; answer: PlanPicture };
    "/api/write": { given: Given.ToWrite; answer: WrittenFile[] };
    "/api/turn": { given: Given.Direction; answer: TurnedEdit };
    "/api/fix": { given: Given.OfFinding; answer: Wish[] };
    "/api/scenario": { given: Given.NewScenario; answer: MadeScenario };
    "/api/try": { given: Given.OfCard; answer: SearchState | null };
    "/api/try/stop": { given: Given.Nothing; answer: SearchState | null };
    "/api/try/open": { given: Given.Nothing; answer: OpenedTrial };
    "/api/back": { given: Given.Nothing; answer: TableVersion };
    "/api/lab": { given: Given.Experiment; answer: LabState };
    "/api/lab/stop": { given: Given.Nothing; answer: LabState };
  }

  /** Who may change an entity. */
  interface Access {
    is_edited: boolean;
    is_series: boolean;
    pack: [string, string];
    patched_by: string | null;
    patchers: [string, string][];
  }

  /** What a page finds when it is opened. */
  interface Arrival {
    hall: Hall | null;
    host: boolean;
    open: boolean;
    waits: string | null;
  }

  /** A number and its parts. */
  interface BattleNumber {
    name: string;
    parts: [string, number][];
    total: number;
  }

  /** A battle that is fought now. */
  interface BattlePicture {
    colors: [string | null, string | null];
    strikes: [Strike, Strike];
    title: string;
  }

  /** A card as printed. */
  interface CardFace {
    count: number;
    id: string;
    text: string | null;
    title: string;
  }

  /** What the wall of cards shows of a card besides its face. */
  interface CardOnWall {
    card_type: [string, string];
    deck: [string, string];
    file: string;
    hooks: [string, string][];
    id: string;
    is_changed: boolean | null;
    is_edited: boolean;
    pack: string;
  }

  /** A card of the gallery. */
  interface CardPicture {
    facts: string[];
    id: string;
    svg: string;
    text: string;
    title: string;
    type: string;
  }

  /** The results of a card. */
  interface CardReport {
    played: number;
    won_when_played: number;
  }

  /** A title and a text in one language. */
  interface CardText {
    language: string;
    text: string | null;
    title: string;
  }

  /** The chances of a seat in a battle. */
  interface Chances {
    of: number;
    space: string;
    won: number;
  }

  /** The files that undoing or redoing would change. */
  interface Coming {
    files: PlannedFile[];
  }

  /** A change of a counter, in words. */
  interface CounterChange {
    by: number;
    counter: string;
    name: string;
    now: string;
    owner?: string | null;
  }

  /** A counter with its value. */
  interface CounterOnBoard {
    id: string;
    is_number: boolean;
    name: string;
    track: Track | null;
    value: string;
  }

  /** A counter of a seat, round by round. */
  interface Course {
    counter: string;
    faction: string;
    name: string;
    points: [number, number][];
  }

  /** A counter of a seat over the course of a game, as one viewer saw it. */
  interface Curve {
    counter: string;
    faction: string;
    is_track: boolean;
    name: string;
    points: [number, number][];
  }

  /** The packs that are edited, and what can be undone and redone. */
  interface DeskState {
    packs: PackOnDesk[];
    redo: TurnOffer | null;
    undo: TurnOffer | null;
  }

  /** A request was carried out, and there is nothing to say about it. */
  interface Done {}

  /** How a game ended. */
  interface Ending {
    cause: string | null;
    end: string;
    winner: number | null;
  }

  /** A part of a file. */
  interface Excerpt {
    file: string;
    line: number;
    name: string;
    text: string;
  }

  /** A card face. */
  interface FacePicture {
    id: string;
    svg: string;
    title: string;
  }

  /** A game that failed. */
  interface Fault {
    decisions: number;
    game: number;
    last_answers: string[];
    message: string;
    seed: number;
    steps: number;
    unfinished: boolean;
  }

  /** The location of a value in a file, for edits. */
  interface FileLocation {
    digest: string;
    file: string;
    is_writable: boolean;
    line: number;
    pack: string;
    path: string;
    pointer: string;
  }

  /** Something wrong at a place of a file. */
  interface FindingPicture {
    code: string;
    column: number;
    file: string;
    fix: string | null;
    help: string | null;
    line: number;
    load: number;
    message: string;
    source: [string, string, string] | null;
  }

  /** A moment in which the board has changed. */
  interface Frame {
    board: string;
    seat: string;
    step: number;
  }

  /** A game, as its manifest describes it. */
  interface GameBrief {
    adds: PackBrief[];
    description: string;
    id: string;
    languages: string[];
    seats: [number, number];
    title: string;
  }

  /** What can be chosen in a game. */
  interface GameOffer {
    board: string | null;
    factions: OfferedFaction[];
    options: OfferedSetting[];
    seats: [number, number];
    strengths: OfferedStrength[];
    trained: boolean;
    variants: OfferedVariant[];
  }

  /** The board after an option. */
  interface Ghost {
    board: string;
    spaces: string[];
  }

  /** Pieces that can march together. */
  interface GroupInWords {
    from: string;
    key: string | null;
    text: string;
  }

  /** The games, the saved games, and the sentences of the page. */
  interface Hall {
    games: GameBrief[];
    language: string;
    saves: SavedBrief[];
    words: Record<string, string>;
  }

  /** Cards in front of the viewer. */
  interface HandZone {
    cards: CardFace[];
    id: string;
    name: string;
  }

  /** The hooks that ran. */
  interface HookReport {
    declared: number;
    reached: number;
    unreached: string[];
  }

  /** A seat that a person plays. */
  interface HumanAtTable {
    asked: boolean;
    id: string;
    name: string;
  }

  /** The links with which others take part. */
  interface Invitations {
    seats: [string, string][];
    spectators: string;
  }

  /** The results of an experiment. */
  interface LabPicture {
    courses: Course[];
    followed: number;
    names: SeatInLab[];
    report: SimulationReport;
    titles: Record<string, string>;
  }

  /** The state of the lab, for pages. */
  interface LabState {
    before: LabPicture | null;
    now: LabPicture | null;
    players: Player[];
    running: boolean;
    trouble: string | null;
    version: number;
    wanted: number;
  }

  /** A param or prop. */
  interface LabeledValue {
    id: string;
    label: string | null;
    of: string;
    value: string;
  }

  /** A line of a difference. */
  interface Line {
    number: number;
    sign: string;
    text: string;
  }

  /** An event, or changes that belong together. */
  interface LogLine {
    by: string | null;
    changes: CounterChange[];
    head: boolean;
    owner: string | null;
    say: string;
    step: number;
    text: string;
  }

  /** What a page does not have of the log yet. */
  interface LogLines {
    dice: string[];
    from: number;
    lines: LogLine[];
    rolled: [number, number][];
  }

  /** What a look says about spaces. */
  interface LookOnMap {
    place: FileLocation;
    spaces: any;
  }

  /** A scenario that was made from a game. */
  interface MadeScenario {
    file: string;
    root: string;
  }

  /** The map as written in files. */
  interface Map {
    factions: Record<string, string>;
    looks: LookOnMap[];
    spaces: SpaceOnMap[];
  }

  /** What the marks of spaces mean. */
  type Marks = "none" | { points: string; track?: undefined; } | { track: { items: [string, string][]; name: string; }; points?: undefined; };

  /** A moment of the game as a viewer sees it. */
  interface MomentPicture {
    battle: BattlePicture | null;
    board: string;
    decisions: OpenDecision[];
    heaps: Record<string, string>;
    over: Ending | null;
    planned: PlannedMove[];
    rounds: Round[];
    seat: string | null;
    table: TableParts;
    title: string;
    tracks: string | null;
  }

  /** An id and a name. */
  interface Name {
    id: string;
    name: string;
  }

  /** A faction that can be led. */
  interface OfferedFaction {
    color: string;
    id: string;
    name: string;
    rival: string | null;
  }

  /** A number that can be set before the game. */
  interface OfferedSetting {
    help: string | null;
    id: string;
    max: number;
    min: number;
    name: string;
    start: number;
  }

  /** A strength of a bot. */
  interface OfferedStrength {
    name: string;
    player: Player;
  }

  /** A variant that can be played. */
  interface OfferedVariant {
    id: string;
    name: string;
    seats: [number, number];
  }

  /** A decision that a seat has to make, in words. */
  interface OpenDecision {
    about: Spot[];
    decision: string;
    help: string | null;
    options: OptionInWords[];
    prompt: string;
    seat: string;
    source: Source | null;
  }

  /** A game that a trial has opened. */
  interface OpenedTrial {
    after: string | null;
    by_itself: boolean;
    has_wanted_setup: boolean;
  }

  /** The result of the request to open a game. */
  interface Opening {
    departs?: [number, number] | null;
  }

  /** A legal answer with everything that a display needs. */
  interface OptionInWords {
    changes: CounterChange[];
    detail: string | null;
    help: string | null;
    key: string;
    note: string | null;
    places: Spot[];
    preview: string | null;
    text: string;
    values: string[];
    verb: string | null;
  }

  /** The consequences of an option, as its seat may imagine them. */
  interface Outlook {
    is_open: boolean;
    lines: string[];
    spaces: string[];
  }

  /** A pack, as its manifest describes it. */
  interface PackBrief {
    description: string;
    id: string;
    languages: string[];
    title: string;
  }

  /** A pack, as the desk shows it. */
  interface PackOnDesk {
    folder: string | null;
    id: string;
    is_edited: boolean;
    languages: string[];
    title: string;
  }

  /** A phase of the game. */
  interface PhaseInWords {
    depth: number;
    help: string | null;
    id: string;
    name: string;
    times: number | null;
  }

  /** A finding of a check of what is planned. */
  interface PlanFinding {
    code: string;
    column: number;
    field: any;
    file: string;
    fix: string | null;
    help: string | null;
    line: number;
    load: number;
    message: string;
    source: [string, string, string] | null;
  }

  /** What wishes would change, and what is wrong with that. */
  interface PlanPicture {
    digest: string;
    faces: [string, string][] | null;
    files: PlannedFile[];
    findings: PlanFinding[];
    more: number;
    pins: WrongPin[];
  }

  /** A file of a plan, for people. */
  interface PlannedFile {
    file: string;
    hunks: Line[][];
    is_new: boolean;
    is_removed: boolean;
    pack: string;
    path: string;
  }

  /** A move that a seat has planned, but not made yet. */
  interface PlannedMove {
    piece: Spot;
    to: string;
  }

  /** The player of a seat. */
  type Player = string;

  /** How often a part of the game is repeated. */
  interface Round {
    at: number;
    id: string;
    name: string;
    of: number | null;
    value: string;
  }

  /** A rule that players read. */
  interface RuleInWords {
    faction: string | null;
    text: string;
    title: string;
  }

  /** Information about a game. */
  interface Rulebook {
    aim: string | null;
    phases: PhaseInWords[];
    rules: RuleInWords[];
  }

  /** The rulebook, as a page shows it. */
  interface RulebookPage {
    sections: SectionPage[];
    title: string;
  }

  /** A saved game. */
  type SavedBrief = ({ seats: number; steps: number; trouble?: undefined; } | { trouble: string; seats?: undefined; steps?: undefined; }) & { file: string; name: string; saved: number; title: string; };

  /** A scenario and whether it passes. */
  interface ScenarioResult {
    file: string;
    id: string;
    line: number;
    passed: boolean | null;
    rules: string[];
    title: string;
  }

  /** The state of a search, for pages. */
  interface SearchState {
    card: string;
    found: boolean;
    most_seconds: number;
    running: boolean;
    seconds: number;
    tried: Tried;
    trouble: string | null;
  }

  /** A seat of an experiment. */
  interface SeatInLab {
    color: string | null;
    id: string;
    name: string;
  }

  /** A seat that has ever been in the game. */
  interface SeatPicture {
    active: boolean;
    color: string;
    counters: CounterOnBoard[];
    faction: Name;
    index: number;
    player: string | null;
    playing: boolean;
    spaces: number;
    zones: ZoneOnBoard[];
  }

  /** The results of a seat. */
  interface SeatReport {
    bot: string;
    ci95: [number, number];
    faction: string;
    win_rate: number;
    wins: number;
  }

  /** A heading and what is below it. */
  interface SectionPage {
    explains: string[];
    html: string;
    id: string;
    level: number;
    title: string;
  }

  /** What `sim` says about many games, as data. */
  interface SimulationReport {
    cards: Record<string, CardReport>;
    decisions: number;
    decisions_per_second: number;
    faults: Fault[];
    faulty: number;
    games: number;
    games_per_second: number;
    hooks: HookReport;
    outcomes: Record<string, number>;
    rounds: Record<string, number>;
    seats: SeatReport[];
    seconds: number;
    state_hash: string;
    steps: StepReport;
    unfinished: number;
  }

  /** The card or rule that asks for a decision. */
  interface Source {
    id: string;
    name: string;
    text: string | null;
  }

  /** A space as its file declares it, for the map editor. */
  interface SpaceOnMap {
    access: Access;
    id: string;
    name: string;
    place: FileLocation | null;
    texts: WrittenText[];
    value: any;
  }

  /** A spot on the table that a display can highlight. All fields are ids. */
  type Spot = { space: string; card?: undefined; counter?: undefined; faction?: undefined; piece?: undefined; zone?: undefined; } | { piece: { kind: string; owner: string | null; space: string; }; card?: undefined; counter?: undefined; faction?: undefined; space?: undefined; zone?: undefined; } | { card: { card: string; owner: string | null; zone: string; }; counter?: undefined; faction?: undefined; piece?: undefined; space?: undefined; zone?: undefined; } | { zone: string; card?: undefined; counter?: undefined; faction?: undefined; piece?: undefined; space?: undefined; } | { faction: string; card?: undefined; counter?: undefined; piece?: undefined; space?: undefined; zone?: undefined; } | { counter: string; card?: undefined; faction?: undefined; piece?: undefined; space?: undefined; zone?: undefined; };

  /** The steps of scripts, and their limits. */
  interface StepReport {
    call_limit: number;
    limit: number;
    mean: number;
    most: number;
    most_in_call: number;
  }

  /** What one side does to the other. */
  interface Strike {
    by: string;
    damage: number | null;
    falls: string[];
    name: string;
    role: string;
    shields: BattleNumber;
    strength: BattleNumber;
  }

  /** What there is on a table besides its board. */
  interface TableParts {
    counters: CounterOnBoard[];
    decks: ZoneOnBoard[];
    hand: HandZone[] | null;
    marks: Marks;
    phase: Name | null;
    seats: SeatPicture[];
    zones: ZoneOnBoard[];
  }

  /** The table as a viewer sees it. */
  interface TablePicture {
    asides: OptionInWords[];
    battle: BattlePicture | null;
    board: string;
    decisions: OpenDecision[];
    epoch: number;
    groups: GroupInWords[];
    heaps: Record<string, string>;
    host: boolean;
    humans: HumanAtTable[];
    languages: string[];
    log: LogLines;
    over: Ending | null;
    planned: PlannedMove[];
    rounds: Round[];
    seat: string | null;
    steps: number;
    table: TableParts;
    title: string;
    tracks: string | null;
    trial: boolean;
    trouble: Trouble[];
    undo: UndoState | null;
    version: number;
  }

  /** The version of the table, which grows with every change. */
  interface TableVersion {
    version: number;
  }

  /** A position on a track. */
  interface Track {
    max: number;
    min: number;
    value: number;
  }

  /** What a search has tried. */
  interface Tried {
    acted: number;
    answers: number;
    games: number;
    held: number;
    named: Record<string, number>;
    zones: string[];
  }

  /** What is wrong with changed files. */
  type Trouble = FindingPicture | { message: string; code?: undefined; column?: undefined; file?: undefined; fix?: undefined; help?: undefined; line?: undefined; load?: undefined; source?: undefined; };

  /** An edit that can be undone or redone. */
  interface TurnOffer {
    blocked_by: string | null;
    files: string[];
    title: string;
  }

  /** An edit that was undone or redone. */
  interface TurnedEdit {
    title: string;
  }

  /** Whether a seat can take back its last answer. */
  interface UndoState {
    can: boolean;
    why: string | null;
  }

  /** Everything that packs say about an entity. */
  interface WholeEntity {
    faces: CardText[];
    json: Excerpt[];
    scenarios: ScenarioResult[];
    scripts: Excerpt[];
    values: LabeledValue[];
  }

  /** The origin of a decision. */
  interface Why {
    decision: string;
    phase: string | null;
    scripts: string[];
    source: string | null;
    text: string | null;
  }

  /** Something that an author wishes to change. */
  type Wish = { do: "set"; family: string; id: string; pack: string | null; pointer: string; value: any; } | { do: "text"; key: string; language: string; pack: string | null; value: any; } | { beside: string | null; do: "add"; family: string; pack: string; value: any; } | { do: "remove"; family: string; id: string; pack: string | null; } | { do: "at"; pack: string; path: string; pointer: string; value: any; } | { bytes: [number, number]; do: "splice"; file: string; old: string | null; text: string; };

  /** An entity with everything that is written about it. */
  interface WrittenEntity {
    access: Access;
    family: string;
    id: string;
    place: FileLocation | null;
    texts: WrittenText[];
    value: any;
    whole: WholeEntity;
  }

  /** A file that was written. */
  interface WrittenFile {
    digest: string;
    pack: string;
    path: string;
  }

  /** A message as written in its file. */
  interface WrittenText {
    key: string;
    language: string;
    place: FileLocation;
    value: any;
  }

  /** A pin that would be wrong, and the wish that makes it right. */
  interface WrongPin {
    file: string;
    id: string;
    is: any;
    line: number;
    sum: string | null;
    was: any;
    wish: Wish;
  }

  /** A zone of cards. */
  interface ZoneOnBoard {
    cards: string[] | null;
    count: number;
    designs: string[];
    id: string;
    is_laid: boolean;
    name: string;
  }

  /** What pages send. */
  namespace Given {
    /** An answer of a seat. */
    interface AnswerRequest {
      aside?: boolean;
      group?: string | null;
      key: string;
    }

    interface At {
      step: number;
    }

    interface Between {
      from: number;
      until: number;
    }

    interface Direction {
      undo: boolean;
    }

    /** The settings of an experiment. */
    interface Experiment {
      games: number;
      player: Player;
      seed: number;
    }

    /** How a card face is drawn. */
    type FaceSize = "full" | "small";

    interface InLanguage {
      lang?: string | null;
    }

    /** The version of the table that a page knows. */
    interface Known {
      version: number;
    }

    /** What was chosen in the lobby. */
    interface NewGame {
      adds: string[];
      game: string;
      language?: string | null;
      options: Record<string, number>;
      seats: [string, Player][];
      seed?: number | null;
      variant?: string | null;
    }

    /** A scenario to make. */
    interface NewScenario {
      id: string;
      last: number;
      title?: string | null;
      until: number;
    }

    /** A request without parameters. */
    interface Nothing {}

    interface OfCard {
      card: string;
    }

    interface OfEntity {
      family: string;
      id: string;
    }

    interface OfFace {
      id: string;
      size?: FaceSize;
    }

    interface OfFinding {
      at: number;
      load: number;
    }

    /** A game in the lobby. */
    interface OfGame {
      adds?: string;
      id: string;
    }

    /** An option of a seat. */
    interface OfOption {
      key: string;
    }

    interface OfSchema {
      name: string;
    }

    /** What a page wants to change, and what it needs to know about it. */
    interface Planned {
      card?: string | null;
      into?: string | null;
      wishes: Wish[];
    }

    /** The player of a seat. */
    type Player = string;

    interface SavedGame {
      file: string;
      when_changed?: WhenChanged;
    }

    interface Since {
      since?: string | null;
    }

    /** A plan to write. */
    interface ToWrite {
      digest: string;
      title: string;
      wishes: Wish[];
    }

    /** A request for the table, with what the page already has. */
    interface ViewRequest {
      epoch?: number;
      log?: number;
    }

    /** What happens to a recorded game that differs with the present packs. */
    type WhenChanged = "stop" | "departure" | "new-rules";

    /** Something that an author wishes to change. */
    type Wish = { do: "set"; family: string; id: string; pack?: string | null; pointer: string; value: any; } | { do: "text"; key: string; language: string; pack?: string | null; value: any; } | { beside?: string | null; do: "add"; family: string; pack: string; value: any; } | { do: "remove"; family: string; id: string; pack?: string | null; } | { do: "at"; pack: string; path: string; pointer: string; value: any; } | { bytes: [number, number]; do: "splice"; file: string; old?: string | null; text: string; };

    interface WithSeed {
      seed: number;
    }
  }
}
