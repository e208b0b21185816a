// A bot in C++: takes any legal action.

#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <zmq.hpp>

using nlohmann::json;

// Plays one match after the other.
class Player {
public:
    // Takes a message; returns the answer if it asks for one.
    std::optional<json> handle(const json& message) {
        const auto type = message.at("type").get<std::string>();
        if (message.contains("events")) events(message["events"]);
        if (type == "match_start") match_start(message);
        else if (type == "deal_start") deal_start(message.at("observation"));
        else if (type == "deal_end") deal_end(message);
        else if (type == "match_end") match_end(message.at("places"));
        else if (type == "ping") return json{{"type", "pong"}, {"id", message.at("id")}};
        else if (type == "act") {
            const auto legal = message.at("legal").get<std::vector<std::string>>();
            const auto action = choose(message.at("observation"), legal);
            return json{{"type", "action"}, {"id", message.at("id")}, {"action", action}};
        }
        return std::nullopt;  // also for welcome, and what a later version may say
    }

private:
    // Takes a seat; a match that is played with the same seed again should go the same way.
    void match_start(const json& message) {
        const auto seed = message.at("seed").get<std::string>();
        std::seed_seq sequence(seed.begin(), seed.end());
        random_.seed(sequence);
        game_ = message.at("game").get<std::string>();
        seat_ = message.at("seat").get<std::size_t>();
    }

    // Looks at a fresh deal.
    void deal_start(const json& /*observation*/) {}

    // Sees what the seats have done, as [seat, action], since the last decision.
    void events(const json& /*events*/) {}

    // Returns one of the legal actions. Your own thoughts go here.
    std::string choose(const json& /*observation*/, const std::vector<std::string>& legal) {
        return legal[random_() % legal.size()];
    }

    // Sees the penalties of a deal.
    void deal_end(const json& /*message*/) {}

    // Sees the places of all seats. What is printed goes to the bot's log.
    void match_end(const json& places) {
        std::cout << game_ << ": place " << places.at(seat_) << " of " << places.size() << std::endl;
    }

    std::string game_;
    std::size_t seat_ = 0;
    std::mt19937 random_;
};

void send(zmq::socket_t& socket, const json& message) {
    socket.send(zmq::buffer(message.dump()), zmq::send_flags::none);
}

// Says hello, then answers until the arena says goodbye.
void play(const std::string& endpoint, const std::string& token) {
    zmq::context_t context;
    zmq::socket_t socket(context, zmq::socket_type::dealer);
    socket.set(zmq::sockopt::linger, 0);
    socket.connect(endpoint);
    send(socket, {{"type", "hello"}, {"protocol", 1}, {"token", token}, {"name", "starter-cpp"}});
    Player player;
    zmq::message_t frame;
    while (socket.recv(frame)) {
        const auto message = json::parse(frame.to_string_view());
        if (message.at("type") == "bye") return;
        if (const auto answer = player.handle(message)) send(socket, *answer);
    }
}

int main() {
    const char* endpoint = std::getenv("ARENA_ENDPOINT");
    const char* token = std::getenv("ARENA_TOKEN");
    if (!endpoint || !token) {
        std::cerr << "ARENA_ENDPOINT and ARENA_TOKEN are not set: the arena sets them for its bots\n";
        return 2;
    }
    std::thread([] {  // the end of the standard input says that the arena is gone
        while (std::cin.get() != std::char_traits<char>::eof()) {}
        std::_Exit(0);
    }).detach();
    try {
        play(endpoint, token);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        std::_Exit(1);
    }
    std::_Exit(0);  // not return: the thread may be reading still
}
