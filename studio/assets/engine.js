// The one way in which the table asks an engine. Today the engine is the studio's server.

import { follow, get, post } from "./net.js";

/**
 * What the table needs from a game, wherever it runs. Every method returns plain data, as the server's routes
 * describe it. A seat is null for spectators.
 */
export const engine = {
  /**
   * The table now, with the lines of the log that the page does not have.
   * @param {Api.Given.ViewRequest & Api.OfSeat} known
   */
  table: (known) => get("/api/table", known),
  /** An earlier moment. @param {string | null} seat @param {number} step */
  moment: (seat, step) => get("/api/moment", { seat, step }),
  /**
   * The moments between two moments in which the board changes.
   * @param {string | null} seat @param {number} from @param {number} until
   */
  trail: (seat, from, until) => get("/api/trail", { seat, from, until }),
  /** Answers a decision. @param {Api.Given.AnswerRequest & Api.OfSeat} answer */
  answer: (answer) => post("/api/answer", answer),
  /** Takes back the last answer of a seat. @param {string | null} seat */
  undo: (seat) => post("/api/undo", { seat }),
  /** The consequences of an option. @param {string | null} seat @param {string} key */
  outlook: (seat, key) => get("/api/outlook", { seat, key }),
  /** The board after an option. @param {string | null} seat @param {string} key */
  ghost: (seat, key) => get("/api/ghost", { seat, key }),
  /** The chances in the battle that follows an option. @param {string | null} seat @param {string} key */
  odds: (seat, key) => get("/api/odds", { seat, key }),
  /** The rules, as a seat reads them. @param {string | null} seat */
  rules: (seat) => get("/api/rules", { seat }),
  /** A card. @param {string} id @param {Api.Given.FaceSize} size */
  face: (id, size) => get("/api/face", { id, size }),
  /** The titles of all cards, by id. */
  titles: () => get("/api/titles"),
  /** The sentences of the page. */
  words: () => get("/api/words"),
  /** Starts a new game with the same players. @param {number} seed */
  begin: (seed) => post("/api/new", { seed }),
  /** Returns to the game that a trial has paused. */
  back: () => post("/api/back", {}),
  /** Whether a game is open; for the host, the games and the saved games. */
  lobby: () => get("/api/lobby"),
  /** What can be chosen in a game. @param {string} id @param {string[]} adds */
  game: (id, adds) => get("/api/game", { id, adds: adds.join(",") }),
  /** The decisions of a seat in a measured game. @param {string} id */
  length: (id) => get("/api/length", { id }),
  /** Opens a game. @param {Api.Given.NewGame} choice */
  start: (choice) => post("/api/start", choice),
  /**
   * Continues a saved game. `when` says what happens if it differs with the present packs.
   * @param {string} file @param {Api.Given.WhenChanged} when
   */
  resume: (file, when) => post("/api/resume", { file, when_changed: when }),
  /** Returns to the lobby. */
  leave: () => post("/api/leave", {}),
  /** Turns a position into a scenario. @param {Api.Given.NewScenario} scenario */
  scenario: (scenario) => post("/api/scenario", scenario),
  /** Calls back after every change. */
  follow,
};
