// Random games in TAG, one process, one core: java -cp CLASSES Play.java GAME GAMES SEED. Prints one line of JSON.
import core.AbstractForwardModel;
import core.AbstractGameState;
import core.AbstractParameters;
import core.interfaces.IGridGameState;
import games.GameType;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;

public class Play {
    static final int WARM_UP = 4;

    final GameType type;
    final int players;
    final AbstractParameters parameters;
    final AbstractForwardModel model;
    final AbstractGameState state;
    long decisions = 0;

    Play(String name) {
        type = GameType.valueOf(name);
        players = type == GameType.Catan ? 4 : 2;
        parameters = type.createParameters(0);
        model = type.createForwardModel(parameters, players);
        state = type.createGameState(parameters, players);
    }

    /** One game. The state is set up anew, not made anew, as TAG's own games in a row are. */
    String game(Random rng) {
        parameters.setRandomSeed(rng.nextLong());
        model.setup(state);
        // TAG's parameters know square boards only; its rules ask the board how wide and how high it is.
        if (type == GameType.Connect4) ((IGridGameState) state).getGridBoard().setWidthHeight(7, 6);
        long before = decisions;
        while (state.isNotTerminal()) {
            var actions = model.computeAvailableActions(state);
            model.next(state, actions.get(rng.nextInt(actions.size())));
            decisions += 1;
        }
        return Arrays.toString(state.getPlayerResults()) + (decisions - before);
    }

    static long cpu() {
        // Of all threads: the compiler and the collector of garbage are part of the price.
        var machine = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return machine.getProcessCpuTime();
    }

    public static void main(String[] args) throws Exception {
        int games = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        var play = new Play(args[0]);
        var other = new Random(seed + 1);
        for (int at = 0; at < games / WARM_UP; at += 1) play.game(other);
        play.decisions = 0;

        var rng = new Random(seed);
        var digest = MessageDigest.getInstance("SHA-256");
        long begin = cpu();
        for (int at = 0; at < games; at += 1) digest.update(play.game(rng).getBytes(StandardCharsets.UTF_8));
        double seconds = (cpu() - begin) / 1e9;
        System.out.printf(Locale.ROOT, "{\"games\": %d, \"decisions\": %d, \"cpu_seconds\": %.6f, \"hash\": \"%s\"}%n",
            games, play.decisions, seconds, HexFormat.of().formatHex(digest.digest(), 0, 8));
    }
}
