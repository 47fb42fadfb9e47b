// The one way in which the table asks an engine. Today the engine is the studio's server.

import { follow, get, post } from "./net.js";

/**
 * What the table needs from a game, wherever it runs. Every method returns plain data, as the server's routes
 * describe it.
 * @typedef {object} Engine
 * @property {(known: {seat: string | null, log: number, epoch: number}) => Promise<object>} table the table
 *   now, with the lines of the log that the page does not have
 * @property {(seat: string | null, step: number) => Promise<object>} moment an earlier moment
 * @property {(seat: string | null, from: number, until: number) => Promise<{step: number, seat: string,
 *   board: string}[]>} trail the moments between two moments in which the board changes
 * @property {(answer: {seat: string, key: string, aside: boolean, group: string | null}) => Promise<object>}
 *   answer answers a decision
 * @property {(seat: string) => Promise<object>} undo takes back the last answer of a seat
 * @property {(seat: string, key: string) => Promise<object | null>} outlook the consequences of an option
 * @property {(seat: string, key: string) => Promise<{board: string, spaces: string[]} | null>} ghost the
 *   board after an option
 * @property {(seat: string, key: string) => Promise<object | null>} odds the chances in the battle that
 *   follows an option
 * @property {(seat: string | null) => Promise<object>} rules the rules, as a seat reads them
 * @property {(id: string, size: "full" | "small") => Promise<{id: string, title: string, svg: string}>} face
 *   a card
 * @property {() => Promise<Record<string, string>>} titles the titles of all cards, by id
 * @property {() => Promise<Record<string, string>>} words the sentences of the page
 * @property {(seed: number) => Promise<object>} begin starts a new game with the same players
 * @property {() => Promise<object>} back returns to the game that a trial has paused
 * @property {() => Promise<{host: boolean, open: boolean, hall: object | null}>} lobby whether a game is
 *   open; for the host, the games and the saved games
 * @property {(id: string, adds: string[]) => Promise<object>} game what can be chosen in a game
 * @property {(id: string) => Promise<number | null>} length the decisions of a seat in a measured game
 * @property {(choice: object) => Promise<object>} start opens a game
 * @property {(file: string, when: string) => Promise<object>} resume continues a saved game; `when` says what
 *   happens if it differs with the present packs
 * @property {() => Promise<object>} leave returns to the lobby
 * @property {(scenario: object) => Promise<{file: string}>} scenario turns a position into a scenario
 * @property {(changed: () => Promise<void>) => Promise<void>} follow calls back after every change
 */

/** @type {Engine} */
export const engine = {
  table: (known) => get("/api/table", known),
  moment: (seat, step) => get("/api/moment", { seat, step }),
  trail: (seat, from, until) => get("/api/trail", { seat, from, until }),
  answer: (answer) => post("/api/answer", answer),
  undo: (seat) => post("/api/undo", { seat }),
  outlook: (seat, key) => get("/api/outlook", { seat, key }),
  ghost: (seat, key) => get("/api/ghost", { seat, key }),
  odds: (seat, key) => get("/api/odds", { seat, key }),
  rules: (seat) => get("/api/rules", { seat }),
  face: (id, size) => get("/api/face", { id, size }),
  titles: () => get("/api/titles"),
  words: () => get("/api/words"),
  begin: (seed) => post("/api/new", { seed }),
  back: () => post("/api/back", {}),
  lobby: () => get("/api/lobby"),
  game: (id, adds) => get("/api/game", { id, adds: adds.join(",") }),
  length: (id) => get("/api/length", { id }),
  start: (choice) => post("/api/start", choice),
  resume: (file, when) => post("/api/resume", { file, when_changed: when }),
  leave: () => post("/api/leave", {}),
  scenario: (scenario) => post("/api/scenario", scenario),
  follow,
};
