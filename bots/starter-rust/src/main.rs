//! A bot in Rust: takes any legal action.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::hash::{Hash, Hasher};
use std::{env, io, process, thread};

use serde::Deserialize;
use serde_json::{json, Value};

/// What the arena says; keys that the bot has no use for are left out.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Message {
    Welcome,
    MatchStart {
        game: String,
        seat: usize,
        seed: String,
    },
    DealStart {
        observation: Value,
    },
    Act {
        id: u64,
        observation: Value,
        legal: Vec<String>,
        events: Vec<(usize, String)>,
    },
    DealEnd {
        penalties: Vec<i64>,
        events: Vec<(usize, String)>,
    },
    MatchEnd {
        places: Vec<usize>,
    },
    Ping {
        id: u64,
    },
    Bye,
    /// What a later version of the arena may say.
    #[serde(other)]
    Unknown,
}

/// Plays one match after the other.
#[derive(Default)]
struct Player {
    game: String,
    seat: usize,
    rng: fastrand::Rng,
}

impl Player {
    /// Takes a seat; a match that is played with the same seed again should go the same way.
    fn match_start(&mut self, game: String, seat: usize, seed: &str) {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        self.rng = fastrand::Rng::with_seed(hasher.finish());
        self.game = game;
        self.seat = seat;
    }

    /// Looks at a fresh deal.
    fn deal_start(&mut self, _observation: &Value) {}

    /// Sees what the seats have done since the last decision.
    fn events(&mut self, _events: &[(usize, String)]) {}

    /// Returns one of the legal actions. Your own thoughts go here.
    fn choose<'a>(&mut self, _observation: &Value, legal: &'a [String]) -> &'a str {
        &legal[self.rng.usize(..legal.len())]
    }

    /// Sees the penalties of a deal.
    fn deal_end(&mut self, _penalties: &[i64]) {}

    /// Sees the places of all seats. What is printed goes to the bot's log.
    fn match_end(&mut self, places: &[usize]) {
        println!("{}: place {} of {}", self.game, places[self.seat], places.len());
    }

    /// Takes a message; returns the answer if it asks for one.
    fn handle(&mut self, message: Message) -> Option<Value> {
        match message {
            Message::MatchStart { game, seat, seed } => self.match_start(game, seat, &seed),
            Message::DealStart { observation } => self.deal_start(&observation),
            Message::Act { id, observation, legal, events } => {
                self.events(&events);
                let action = self.choose(&observation, &legal);
                return Some(json!({"type": "action", "id": id, "action": action}));
            }
            Message::DealEnd { penalties, events } => {
                self.events(&events);
                self.deal_end(&penalties);
            }
            Message::MatchEnd { places } => self.match_end(&places),
            Message::Ping { id } => return Some(json!({"type": "pong", "id": id})),
            Message::Welcome | Message::Bye | Message::Unknown => {}
        }
        None
    }
}

/// Ends the process at the end of its standard input, which says that the arena is gone.
fn exit_with_the_arena() {
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        process::exit(0);
    });
}

fn main() -> Result<(), Box<dyn Error>> {
    let variable = |name| env::var(name).map_err(|error| format!("{name}: {error}"));
    let (endpoint, token) = (variable("ARENA_ENDPOINT")?, variable("ARENA_TOKEN")?);
    exit_with_the_arena();
    let socket = zmq::Context::new().socket(zmq::DEALER)?;
    socket.set_linger(0)?;
    socket.connect(&endpoint)?;
    let hello = json!({"type": "hello", "protocol": 1, "token": token, "name": "starter-rust"});
    socket.send(&hello.to_string(), 0)?;
    let mut player = Player::default();
    loop {
        match serde_json::from_slice(&socket.recv_bytes(0)?)? {
            Message::Bye => return Ok(()),
            message => {
                if let Some(answer) = player.handle(message) {
                    socket.send(&answer.to_string(), 0)?;
                }
            }
        }
    }
}
