import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Random;

/** Plays one match after the other. */
final class Player {
    private String game;
    private int seat;
    private Random random;

    /** Takes a seat; a match that is played with the same seed again should go the same way. */
    void matchStart(JsonObject message) {
        game = message.get("game").getAsString();
        seat = message.get("seat").getAsInt();
        random = new Random(message.get("seed").getAsString().hashCode());
    }

    /** Looks at a fresh deal. */
    void dealStart(JsonObject observation) {}

    /** Sees what the seats have done, as [seat, action], since the last decision. */
    void events(JsonArray events) {}

    /** Returns one of the legal actions. Your own thoughts go here. */
    String choose(JsonObject observation, List<String> legal) {
        return legal.get(random.nextInt(legal.size()));
    }

    /** Sees the penalties of a deal. */
    void dealEnd(JsonArray penalties) {}

    /** Sees the places of all seats. What is printed goes to the bot's log. */
    void matchEnd(JsonArray places) {
        System.out.printf("%s: place %d of %d%n", game, places.get(seat).getAsInt(), places.size());
    }
}
