"""Random games in Python peers, one process, one core: play.py CONTESTANT GAMES SEED. Prints one line of JSON."""

import hashlib
import json
import random
import sys
import time


def open_spiel(game_id):
    """OpenSpiel, its C++ states driven from Python."""
    import pyspiel

    game = pyspiel.load_game(game_id)

    def play(rng):
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes())
                state.apply_action(rng.choices(actions, odds)[0])
                continue
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        return decisions, state.returns()

    return play


def open_spiel_cpp(game_id):
    """OpenSpiel wholly in C++: its own uniform random bots, one call a game."""
    import pyspiel

    game = pyspiel.load_game(game_id)
    bots = [pyspiel.make_uniform_random_bot(seat, 1 + seat) for seat in range(game.num_players())]

    def play(rng):
        state = game.new_initial_state()
        result = pyspiel.evaluate_bots(state, bots, rng.randrange(1 << 30))
        return sum(move.player >= 0 for move in state.full_history()), result

    return play


def pettingzoo(name):
    """PettingZoo, by its agent iterator."""
    import importlib

    env = importlib.import_module(f"pettingzoo.classic.{name}").env()

    def play(rng):
        env.reset(seed=rng.randrange(1 << 30))
        decisions, totals = 0, {agent: 0 for agent in env.possible_agents}
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            totals[agent] += reward
            if termination or truncation:
                env.step(None)
                continue
            mask = observation["action_mask"]
            env.step(rng.choice([at for at, open_ in enumerate(mask) if open_]))
            decisions += 1
        return decisions, sorted(totals.items())

    return play


def catanatron(_):
    """Catanatron, four of its random players."""
    from catanatron import Color, Game, RandomPlayer

    def play(rng):
        random.seed(rng.randrange(1 << 30))
        game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)])
        winner = game.play()
        records = getattr(game.state, "action_records", None) or game.state.actions
        return len(records), str(winner)

    return play


CONTESTANTS = {
    "open_spiel": open_spiel,
    "open_spiel_cpp": open_spiel_cpp,
    "pettingzoo": pettingzoo,
    "catanatron": catanatron,
}


def main():
    kind, _, name = sys.argv[1].partition(":")
    games, rng = int(sys.argv[2]), random.Random(int(sys.argv[3]))
    play = CONTESTANTS[kind](name)
    digest, decisions = hashlib.sha256(), 0
    begin = time.process_time()
    for _ in range(games):
        answers, result = play(rng)
        decisions += answers
        digest.update(repr(result).encode())
    seconds = time.process_time() - begin
    print(json.dumps({"games": games, "decisions": decisions, "cpu_seconds": seconds, "hash": digest.hexdigest()[:16]}))


main()
