// A bot in Go: takes any legal action.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"math/rand/v2"
	"os"

	"github.com/go-zeromq/zmq4"
)

// message is what the arena says; which keys are there depends on the type.
type message struct {
	Type        string          `json:"type"`
	ID          int             `json:"id"`
	Game        string          `json:"game"`
	Seat        int             `json:"seat"`
	Seed        string          `json:"seed"`
	Observation json.RawMessage `json:"observation"`
	Legal       []string        `json:"legal"`
	Events      []event         `json:"events"`
	Penalties   []int           `json:"penalties"`
	Places      []int           `json:"places"`
}

// event is [seat, action].
type event [2]any

// answer is what the bot says.
type answer struct {
	Type     string `json:"type"`
	ID       int    `json:"id,omitempty"`
	Action   string `json:"action,omitempty"`
	Protocol int    `json:"protocol,omitempty"`
	Token    string `json:"token,omitempty"`
	Name     string `json:"name,omitempty"`
}

// player plays one match after the other.
type player struct {
	game string
	seat int
	rng  *rand.Rand
}

// matchStart takes a seat; a match with the same seed should go the same way again.
func (p *player) matchStart(game string, seat int, seed string) {
	hash := fnv.New64a()
	hash.Write([]byte(seed))
	p.game, p.seat, p.rng = game, seat, rand.New(rand.NewPCG(hash.Sum64(), 0))
}

// dealStart looks at a fresh deal.
func (p *player) dealStart(observation json.RawMessage) {}

// events sees what the seats have done since the last decision.
func (p *player) events(events []event) {}

// choose returns one of the legal actions. Your own thoughts go here.
func (p *player) choose(observation json.RawMessage, legal []string) string {
	return legal[p.rng.IntN(len(legal))]
}

// dealEnd sees the penalties of a deal.
func (p *player) dealEnd(penalties []int) {}

// matchEnd sees the places of all seats. What is printed goes to the bot's log.
func (p *player) matchEnd(places []int) {
	fmt.Printf("%s: place %d of %d\n", p.game, places[p.seat], len(places))
}

// handle takes a message; it returns the answer if the message asks for one.
func (p *player) handle(m message) *answer {
	p.events(m.Events)
	switch m.Type {
	case "match_start":
		p.matchStart(m.Game, m.Seat, m.Seed)
	case "deal_start":
		p.dealStart(m.Observation)
	case "act":
		return &answer{Type: "action", ID: m.ID, Action: p.choose(m.Observation, m.Legal)}
	case "deal_end":
		p.dealEnd(m.Penalties)
	case "match_end":
		p.matchEnd(m.Places)
	case "ping":
		return &answer{Type: "pong", ID: m.ID}
	}
	return nil // welcome, and what a later version may say
}

// play says hello, then answers until the arena says goodbye.
func play(endpoint, token string) error {
	socket := zmq4.NewDealer(context.Background())
	defer socket.Close()
	if err := socket.Dial(endpoint); err != nil {
		return err
	}
	say := func(a answer) error {
		frame, err := json.Marshal(a)
		if err != nil {
			return err
		}
		return socket.Send(zmq4.NewMsg(frame))
	}
	if err := say(answer{Type: "hello", Protocol: 1, Token: token, Name: "starter-go"}); err != nil {
		return err
	}
	var p player
	for {
		received, err := socket.Recv()
		if err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal(received.Bytes(), &m); err != nil {
			return err
		}
		if m.Type == "bye" {
			return nil
		}
		if a := p.handle(m); a != nil {
			if err := say(*a); err != nil {
				return err
			}
		}
	}
}

func main() {
	endpoint, token := os.Getenv("ARENA_ENDPOINT"), os.Getenv("ARENA_TOKEN")
	if endpoint == "" || token == "" {
		log.Fatal("ARENA_ENDPOINT and ARENA_TOKEN are not set: the arena sets them for its bots")
	}
	go func() { // the end of the standard input says that the arena is gone
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	if err := play(endpoint, token); err != nil {
		log.Fatal(err)
	}
}
