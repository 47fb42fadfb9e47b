// Random games in boardgame.io, one process, one core: node play.cjs MODULE GAMES SEED
// or, to see whether the rules are the same: node play.cjs MODULE --replay SAVE (a game saved by `principes play --save`).
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");

// The packages are installed outside of the repository.
const { Client } = createRequire(path.join(process.env.PEERS_NODE || process.cwd(), "package.json"))("boardgame.io/client");
const [module_path, games, seed] = process.argv.slice(2);
const { game, options, COURTS } = require(path.resolve(__dirname, module_path));

const begin = () => {
  const client = Client({ game, numPlayers: COURTS, debug: false });
  client.start();
  return client;
};

if (games === "--replay") {
  const client = begin();
  for (const { choose } of JSON.parse(readFileSync(seed, "utf8")).answers) {
    const { G, ctx } = client.getState();
    const choice = Number(choose.slice(1));
    if (!options(G, Number(ctx.currentPlayer)).includes(choice)) throw new Error(`${choose} is not on offer`);
    client.moves.go(choice);
  }
  const { G, ctx } = client.getState();
  console.log(JSON.stringify({ gameover: ctx.gameover, G }));
  process.exit(0);
}

let state = BigInt.asUintN(32, BigInt(seed)) | 1n;
let number = Number(state);
const below = (n) => {
  // Xorshift, 32 bits.
  number ^= number << 13; number ^= number >>> 17; number ^= number << 5;
  return (number >>> 0) % n;
};
const hash = createHash("sha256");
let decisions = 0;
const cpu = process.cpuUsage();
for (let at = 0; at < Number(games); at += 1) {
  const client = begin();
  let { G, ctx } = client.getState();
  while (!ctx.gameover) {
    const list = options(G, Number(ctx.currentPlayer));
    client.moves.go(list[below(list.length)]);
    decisions += 1;
    ({ G, ctx } = client.getState());
  }
  hash.update(JSON.stringify([ctx.gameover, G]));
  client.stop();
}
const used = process.cpuUsage(cpu);
console.log(JSON.stringify({
  games: Number(games),
  decisions,
  cpu_seconds: (used.user + used.system) / 1e6,
  hash: hash.digest("hex").slice(0, 16),
}));
