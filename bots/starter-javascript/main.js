// A bot in JavaScript: takes any legal action.

import { createHash } from "node:crypto";
import { Dealer } from "zeromq";

/** Plays one match after the other. */
class Player {
  /** Take a seat; a match that is played with the same seed again should go the same way. */
  matchStart({ game, seat, seed }) {
    this.game = game;
    this.seat = seat;
    this.seed = seed;
    this.drawn = 0;
  }

  /** Look at a fresh deal. */
  dealStart({ deal, observation }) {}

  /** See what the seats have done, as [seat, action], since the last decision. */
  events(events) {}

  /** Return one of the legal actions. Your own thoughts go here. */
  choose(observation, legal) {
    return legal[this.random(legal.length)];
  }

  /** See the penalties of a deal. */
  dealEnd({ penalties, totals }) {}

  /** See the places of all seats. What is printed goes to the bot's log. */
  matchEnd({ places }) {
    console.log(`${this.game}: place ${places[this.seat]} of ${places.length}`);
  }

  /** Return a whole number below a limit, by chance that depends on the match's seed alone. */
  random(limit) {
    this.drawn += 1;
    const hash = createHash("sha256").update(`${this.seed} ${this.drawn}`);
    return hash.digest().readUInt32BE() % limit;
  }
}

/** Let the player have a message; return the answer if it asks for one. */
function handle(player, message) {
  player.events(message.events ?? []);
  switch (message.type) {
    case "match_start":
      player.matchStart(message);
      break;
    case "deal_start":
      player.dealStart(message);
      break;
    case "act": {
      const action = player.choose(message.observation, message.legal);
      return { type: "action", id: message.id, action };
    }
    case "deal_end":
      player.dealEnd(message);
      break;
    case "match_end":
      player.matchEnd(message);
      break;
    case "ping":
      return { type: "pong", id: message.id };
    default: // welcome, and what a later version may say
  }
  return undefined;
}

const { ARENA_ENDPOINT: endpoint, ARENA_TOKEN: token } = process.env;
if (!endpoint || !token) {
  console.error("ARENA_ENDPOINT and ARENA_TOKEN are not set: the arena sets them for its bots");
  process.exit(2);
}

// The end of the standard input says that the arena is gone.
process.stdin.on("end", () => process.exit()).resume();

const socket = new Dealer({ linger: 0 });
socket.connect(endpoint);
await socket.send(JSON.stringify({ type: "hello", protocol: 1, token, name: "starter-javascript" }));

const player = new Player();
for await (const [frame] of socket) {
  const message = JSON.parse(frame.toString());
  if (message.type === "bye") {
    break;
  }
  const answer = handle(player, message);
  if (answer) {
    await socket.send(JSON.stringify(answer));
  }
}
process.exit();
