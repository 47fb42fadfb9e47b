// Random battles of Pokemon Showdown, one process, one core: node play.cjs FORMAT GAMES SEED
const { createHash } = require("node:crypto");
const path = require("node:path");
const { createRequire } = require("node:module");

const { BattleStream, getPlayerStreams, Teams } =
  createRequire(path.join(process.env.PEERS_NODE || process.cwd(), "package.json"))("pokemon-showdown");
const { RandomPlayerAI } =
  createRequire(path.join(process.env.PEERS_NODE || process.cwd(), "package.json"))("pokemon-showdown/dist/sim/tools/random-player-ai");
const [format, games, seed] = process.argv.slice(2);

let decisions = 0;
class Counting extends RandomPlayerAI {
  choose(choice) {
    decisions += 1;
    super.choose(choice);
  }
}

const hash = createHash("sha256");
const one = async (number) => {
  const at = (n) => [number, Number(seed), n, 1];
  const streams = getPlayerStreams(new BattleStream());
  const players = ["p1", "p2"].map((side, n) => new Counting(streams[side], { seed: at(2 + n) }));
  players.forEach((player) => player.start());
  const team = (n) => Teams.pack(Teams.generate(format, { seed: at(4 + n) }));
  await streams.omniscient.write(
    `>start ${JSON.stringify({ formatid: format, seed: at(1) })}\n` +
    `>player p1 ${JSON.stringify({ name: "A", team: team(0) })}\n` +
    `>player p2 ${JSON.stringify({ name: "B", team: team(1) })}`);
  for await (const chunk of streams.omniscient) {
    const end = /^\|(win\|.*|tie)$/m.exec(chunk);
    if (end) {
      hash.update(end[0]);
      break;
    }
  }
};

(async () => {
  const cpu = process.cpuUsage();
  for (let number = 0; number < Number(games); number += 1) await one(number);
  const used = process.cpuUsage(cpu);
  console.log(JSON.stringify({
    games: Number(games),
    decisions,
    cpu_seconds: (used.user + used.system) / 1e6,
    hash: hash.digest("hex").slice(0, 16),
  }));
  process.exit(0);
})();
