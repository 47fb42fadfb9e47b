// toy44 as a module of boardgame.io: the same rules as the pack beside it, hooks as functions in lists.
const LANDS = 44, COURTS = 4, DECISIONS = 1000;
const NEIGHBORS = Array.from({ length: LANDS }, (_, land) =>
  [1, -1, 7, -7].map((step) => (land + step + LANDS) % LANDS).sort((a, b) => a - b));

const HOOKS = {
  tax: [(G, value, seat, land) => (G.holder[land] === seat ? value + 1 : value)],
  entered: [(G, seat, land) => {
    const holder = G.holder[land];
    if (holder !== null && holder !== seat && G.gold[seat] > 0) {
      G.gold[seat] -= 1;
      G.gold[holder] += 1;
    }
  }],
  taken: [(G, seat, land) => { G.holder[land] = seat; }],
  upkeep: [(G, value, seat) => (G.gold[seat] > 20 ? value + 1 : value)],
};
const query = (point, G, value, ...args) => HOOKS[point].reduce((sum, hook) => hook(G, sum, ...args), value);
const trigger = (point, G, ...args) => HOOKS[point].forEach((hook) => hook(G, ...args));

const options = (G, seat) => NEIGHBORS[G.place[seat]];

module.exports = {
  COURTS,
  options,
  game: {
    name: "toy44",
    setup: () => ({
      gold: Array(COURTS).fill(0),
      place: [0, 11, 22, 33],
      holder: Array(LANDS).fill(null),
      decisions: 0,
    }),
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
      go: ({ G, ctx }, land) => {
        const seat = Number(ctx.currentPlayer);
        if (!options(G, seat).includes(land)) return "INVALID_MOVE";
        G.place[seat] = land;
        const tax = query("tax", G, 1, seat, land);
        trigger("entered", G, seat, land);
        G.gold[seat] += tax;
        trigger("taken", G, seat, land);
        G.gold[seat] = Math.max(0, G.gold[seat] - query("upkeep", G, 0, seat));
        G.decisions += 1;
      },
    },
    endIf: ({ G }) => {
      if (G.decisions < DECISIONS) return undefined;
      let best = 0;
      for (let seat = 1; seat < COURTS; seat += 1) if (G.gold[seat] > G.gold[best]) best = seat;
      return { winner: best };
    },
  },
};
