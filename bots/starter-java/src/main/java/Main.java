import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A bot in Java: takes any legal action. This class speaks the protocol, Player plays. */
public final class Main {
    /** JeroMQ's handshake with libzmq hangs in a start of a hundred; it is then tried again. */
    private static final int HANDSHAKE_MS = 500;

    public static void main(String[] arguments) {
        String endpoint = System.getenv("ARENA_ENDPOINT");
        String token = System.getenv("ARENA_TOKEN");
        if (endpoint == null || token == null) {
            System.err.println(
                    "ARENA_ENDPOINT and ARENA_TOKEN are not set: the arena sets them for its bots");
            System.exit(2);
        }
        exitWithTheArena();
        try (ZContext context = new ZContext()) {
            ZMQ.Socket socket = context.createSocket(SocketType.DEALER);
            socket.setLinger(0);
            socket.setHandshakeIvl(HANDSHAKE_MS);
            socket.connect(endpoint);
            JsonObject hello = message("hello");
            hello.addProperty("protocol", 1);
            hello.addProperty("token", token);
            hello.addProperty("name", "starter-java");
            send(socket, hello);
            Player player = new Player();
            while (true) {
                JsonObject message = parse(socket.recv());
                if (type(message).equals("bye")) {
                    break;
                }
                JsonObject answer = handle(player, message);
                if (answer != null) {
                    send(socket, answer);
                }
            }
        }
        System.exit(0);
    }

    /** Ends the process at the end of its standard input, which says that the arena is gone. */
    private static void exitWithTheArena() {
        Thread thread = new Thread(() -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException error) {
                System.err.println(error);
            }
            Runtime.getRuntime().halt(0);
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Lets the player have a message; returns the answer, null if none is asked for. */
    private static JsonObject handle(Player player, JsonObject message) {
        if (message.has("events")) {
            player.events(message.getAsJsonArray("events"));
        }
        switch (type(message)) {
            case "match_start" -> player.matchStart(message);
            case "deal_start" -> player.dealStart(message.getAsJsonObject("observation"));
            case "deal_end" -> player.dealEnd(message.getAsJsonArray("penalties"));
            case "match_end" -> player.matchEnd(message.getAsJsonArray("places"));
            case "act" -> {
                List<String> legal = message.getAsJsonArray("legal").asList().stream()
                        .map(JsonElement::getAsString).toList();
                JsonObject answer = message("action");
                answer.add("id", message.get("id"));
                answer.addProperty(
                        "action", player.choose(message.getAsJsonObject("observation"), legal));
                return answer;
            }
            case "ping" -> {
                JsonObject answer = message("pong");
                answer.add("id", message.get("id"));
                return answer;
            }
            default -> { } // what a later version may say
        }
        return null;
    }

    private static JsonObject message(String type) {
        JsonObject message = new JsonObject();
        message.addProperty("type", type);
        return message;
    }

    private static String type(JsonObject message) {
        return message.get("type").getAsString();
    }

    private static JsonObject parse(byte[] frame) {
        return JsonParser.parseString(new String(frame, StandardCharsets.UTF_8)).getAsJsonObject();
    }

    private static void send(ZMQ.Socket socket, JsonObject message) {
        socket.send(message.toString().getBytes(StandardCharsets.UTF_8));
    }
}
