// Tic-tac-toe as a module of boardgame.io.
const ROWS = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

module.exports = {
  COURTS: 2,
  options: (G) => G.cells.flatMap((cell, at) => (cell === null ? [at] : [])),
  game: {
    name: "tic-tac-toe",
    setup: () => ({ cells: Array(9).fill(null) }),
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
      go: ({ G, ctx }, cell) => {
        if (G.cells[cell] !== null) return "INVALID_MOVE";
        G.cells[cell] = Number(ctx.currentPlayer);
      },
    },
    endIf: ({ G }) => {
      for (const [a, b, c] of ROWS) {
        if (G.cells[a] !== null && G.cells[a] === G.cells[b] && G.cells[a] === G.cells[c]) return { winner: G.cells[a] };
      }
      return G.cells.every((cell) => cell !== null) ? { draw: true } : undefined;
    },
  },
};
