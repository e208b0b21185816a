/* Shows replays step by step. It draws the scenes that it is given and knows no rules; everything
   that comes from a bot is put into the page as text. */
(() => {
  "use strict";

  const root = document.getElementById("replay");
  const replays = JSON.parse(document.getElementById("replay-data").textContent);
  const part = (name) => root.querySelector(`[data-part="${name}"]`);

  const { element, card, named } = cardDrawing;

  /* ---- what a replay holds ---- */

  const known = new Map();

  /** Return all positions of a match: deal, place in it, scene, and the move that led there. */
  function positions(replay) {
    if (!known.has(replay)) {
      const found = [];
      let totals = replay.names.map(() => 0);
      replay.deals.forEach((deal, number) => {
        let scene = deal.start;
        found.push({ deal: number, place: 0, scene, move: null, totals });
        for (const [label, ms, changes] of deal.moves) {
          const move = { seat: scene.act, text: shown(replay.labels[label]), ms };
          scene = changed(scene, changes);
          found.push({ deal: number, place: found.at(-1).place + 1, scene, move, totals });
        }
        if (deal.penalties) {
          totals = totals.map((total, seat) => total + deal.penalties[seat]);
          found.at(-1).totals = totals;
          found.at(-1).penalties = deal.penalties;
        }
      });
      if (!found.length) found.push({ deal: 0, place: 0, scene: { act: null }, move: null, totals });
      known.set(replay, found);
    }
    return known.get(replay);
  }

  function changed(scene, changes) {
    const after = { ...scene };
    for (const [key, value] of Object.entries(changes)) {
      if (Array.isArray(value)) {
        const [start, removed, added] = value;
        after[key] = scene[key].slice(0, start) + added + scene[key].slice(start + removed);
      } else {
        after[key] = value;
      }
    }
    return after;
  }

  /** Return a text with suits that are not drawn as pictures. */
  function shown(text) {
    return text.replace(/[♣♦♥♠]/g, "$&\uFE0E");
  }

  const words = (text) => text.split(" ").filter(Boolean);
  const bot = (seat) => `${seat} ${state.replay.names[seat]}`;
  const sees = (seat) => state.seat === null || state.seat === seat;
  const faultsAt = (step) =>
    state.replay.faults.filter((fault) => sees(fault.seat) && (step === null || fault.step === step));

  /* ---- the table ---- */

  const TURN = "to act";
  const LEFT = [0, 0, 0, 1, 1, 1, 2, 2];

  function drawTable(position) {
    const { replay } = state;
    const players = replay.names.length;
    const bottom = state.seat ?? 0;
    const others = Array.from({ length: players - 1 }, (_, n) => (bottom + n + 1) % players);
    const sides = players === 3 ? 1 : LEFT[players - 1];
    const zone = (name, seats) =>
      element("div", { class: `rp-zone rp-${name}` }, ...seats.map((seat) => seatAt(seat, position)));
    part("table").replaceChildren(
      zone("left", others.slice(0, sides)),
      zone("top", others.slice(sides, players - 1 - sides)),
      zone("right", others.slice(players - 1 - sides)),
      element("div", { class: "rp-middle" }, ...middle(position)),
      zone("bottom", [bottom]),
    );
    part("table").dataset.kind = replay.deck.kind;
  }

  function seatAt(seat, position) {
    const { scene, totals, penalties } = position;
    const name = state.replay.names[seat];
    const isActing = scene.act === seat;
    const signs = [
      isActing && TURN,
      ...(scene[`state${seat}`] ?? "").split(", "),
      hasForfeited(seat) && "forfeited",
    ].filter(Boolean);
    const cards = held(seat, scene);
    const count = cards && `${cards.count} ${cards.count === 1 ? "card" : "cards"}`;
    const more = penalties ? ` (+${penalties[seat]})` : "";
    return element(
      "div",
      { class: `rp-seat${isActing ? " rp-acting" : ""}`, "data-seat": seat },
      element(
        "div",
        { class: "rp-head" },
        element(
          "p",
          { class: "rp-who" },
          element(
            "span",
            { class: "rp-bot" },
            element("span", { class: "rp-number", text: seat }),
            element("bdi", { class: "rp-name", text: name, title: name }),
          ),
          ...signs.map((text) => element("span", { class: text === TURN ? "rp-sign-of rp-turn" : "rp-sign-of", text })),
        ),
        element("p", { class: "rp-facts", text: [count, `total ${totals[seat]}${more}`].filter(Boolean).join(" · ") }),
      ),
      cards && hand(cards, seat, scene),
    );
  }

  /** Return whether it is told at this step that a seat has forfeited: others learn it in the end. */
  function hasForfeited(seat) {
    const last = positions(state.replay).length - 1;
    const own = faultsAt(null).filter((fault) => fault.seat === seat);
    return state.replay.forfeited.includes(seat) && state.step >= (own.at(-1)?.step ?? last);
  }

  /** Return what is seen of a hand: groups of cards, a text of them, and how many there are. */
  function held(seat, scene) {
    const all = scene[`hand${seat}`];
    const open = all !== undefined && sees(seat);
    const seen = open ? all : scene[`seen${seat}`];
    if (seen === undefined) return null;
    const groups = seen.split("|").map(words);
    const count = open || all === undefined ? scene[`count${seat}`] ?? groups.flat().length : words(all.replaceAll("|", " ")).length;
    const melds = groups.slice(0, -1).map((group) => group.map(named).join(" "));
    const rest = groups.at(-1).map(named).join(" ");
    const hidden = count - groups.flat().length;
    const label = [
      ...melds.map((meld) => `meld ${meld}`),
      rest,
      hidden && `${hidden} face down`,
    ].filter(Boolean).join(", ");
    return { groups, hidden, count, label };
  }

  function hand({ groups, hidden, label }, seat, scene) {
    const { deck } = state.replay;
    const marked = marking(scene, String(seat));
    const last = groups.length - 1;
    const drawnGroups = groups.map((codes, number) =>
      element(
        "div",
        { class: number < last ? "rp-group rp-meld" : "rp-group" },
        ...codes.map((code) => marked(code, card(deck, code, code[0] === scene.wild))),
        ...(number === last ? Array.from({ length: hidden }, () => card(deck, "", false)) : []),
      ),
    );
    const name = label ? `Hand of ${bot(seat)}: ${label}` : `${bot(seat)} has no cards`;
    return element("div", { class: "rp-hand", role: "img", "aria-label": name }, ...drawnGroups);
  }

  /** Return what marks the drawing of the card that was moved, the last such one at a place. */
  function marking(scene, place) {
    const [where, code] = (scene.mark ?? "").split(" ");
    return (other, drawing) => {
      if (where === place && code === other) drawing.classList.add("rp-moved");
      return drawing;
    };
  }

  function middle({ scene }) {
    const { deck } = state.replay;
    const made = [];
    if (!deck.kind) {
      made.push(element("pre", { class: "rp-text", text: (state.seat === null ? scene.text : scene[`text${state.seat}`]) ?? "" }));
    }
    if (scene.row !== undefined) made.push(row(scene, deck));
    if (scene.pile !== undefined) made.push(piles(scene, deck));
    if (scene.wild) made.push(element("p", { class: "rp-note", text: `Wild: ${named(scene.wild)} ★` }));
    if (scene.note) made.push(element("p", { class: "rp-note", text: scene.note }));
    if (scene.gone) made.push(element("p", { class: "rp-note rp-gone", text: `${scene.gone} cards have left the deal` }));
    return made;
  }

  function row(scene, deck) {
    const marked = marking(scene, "row");
    const stacks = words(scene.row).map((stack) => stack.split("x"));
    const label = stacks.map(([value, count]) => `${count} of ${value}`).join(", ");
    return element(
      "div",
      { class: "rp-row", role: "img", "aria-label": label ? `Row: ${label}` : "The row is empty" },
      ...stacks.map(([value, count]) =>
        element(
          "div",
          { class: "rp-stack" },
          element("div", { class: "rp-heap" }, ...Array.from({ length: Number(count) }, () => marked(value, card(deck, value, false)))),
          element("span", { class: "rp-count", text: `×${count}` }),
        ),
      ),
      !stacks.length && element("span", { class: "rp-empty", text: "empty row" }),
    );
  }

  const SPREAD = 6;

  function piles(scene, deck) {
    const marked = marking(scene, "pile");
    const pile = words(scene.pile);
    const face = (code) => card(deck, code, code[0] === scene.wild);
    const shownCards = pile.slice(-SPREAD).map(face);
    if (shownCards.length) marked(pile.at(-1), shownCards.at(-1));
    const place = (name, label, text, cards) =>
      element(
        "div",
        { class: `rp-pile rp-${name}`, role: "img", "aria-label": label },
        element("div", { class: "rp-fan" }, ...(cards.length ? cards : [element("span", { class: "rp-hole" })])),
        element("span", { class: "rp-count", text }),
      );
    const top = pile.length ? `, top ${named(pile.at(-1))}` : "";
    return element(
      "div",
      { class: "rp-piles" },
      place("stock", `Stock: ${scene.stock} cards`, `stock ${scene.stock}`, scene.stock ? [card(deck, "", false)] : []),
      place("discards", `Discard pile: ${pile.length} cards${top}`, `discards ${pile.length}`, shownCards),
    );
  }

  /* ---- beside the table ---- */

  function told({ move }) {
    if (!state.replay.deals.length) return "No deal was played.";
    if (!move) return "The cards are dealt.";
    return `${bot(move.seat)}: ${move.text}${took(move)}`;
  }

  /** Return how long a move took, nothing where a seat was not told. */
  function took({ seat, ms }) {
    if (!sees(seat) || (state.replay.seat !== null && state.replay.seat !== seat)) return "";
    return ms === null ? " (house move)" : ` (${ms} ms)`;
  }

  function drawNow(position) {
    const { deals } = state.replay;
    const last = deals[position.deal]?.moves.length;
    part("where").textContent = deals.length
      ? `Deal ${position.deal + 1} of ${deals.length}, step ${position.place} of ${last}` : "";
    const end = position.penalties
      ? ` The deal is over: ${position.penalties.map((penalty, seat) => `${bot(seat)} +${penalty}`).join(", ")}.`
      : "";
    part("now").textContent = told(position) + end;
    const faults = faultsAt(state.step);
    part("fault").hidden = !faults.length;
    part("fault").replaceChildren(...faults.flatMap((fault) => [
      element("p", { class: "rp-alert", text: `Fault of ${bot(fault.seat)}: ${faultText(fault)}` }),
      fault.detail && element("pre", { text: fault.detail }),
      fault.output && element("p", { class: "note", text: "It printed last:" }),
      fault.output && element("pre", { text: fault.output }),
    ].filter(Boolean)));
  }

  function faultText(fault) {
    const after = fault.ms === null ? "" : ` after ${fault.ms} ms`;
    return fault.kind.replace("_", " ") + after;
  }

  function drawMoves(position) {
    const list = part("moves");
    const first = state.step - position.place;
    const key = [replays.indexOf(state.replay), position.deal, state.seat].join();
    if (list.dataset.key !== key) {
      list.dataset.key = key;
      part("heading").textContent = `Moves of deal ${position.deal + 1}`;
      const all = positions(state.replay).slice(first).filter(({ deal }) => deal === position.deal);
      list.replaceChildren(...all.map((other, place) => element("li", {}, moveButton(other, first + place))));
    }
    const hadFocus = list.contains(document.activeElement);
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    list.querySelectorAll("[tabindex='0']").forEach((button) => button.setAttribute("tabindex", "-1"));
    const current = list.children[position.place].firstChild;
    current.setAttribute("aria-current", "step");
    current.setAttribute("tabindex", "0");
    if (hadFocus) current.focus({ preventScroll: true });
    const top = current.offsetTop;
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  function moveButton(position, step) {
    const { move } = position;
    const isFault = faultsAt(step).length > 0;
    return element(
      "button",
      { type: "button", tabindex: "-1", "data-step": step, class: isFault ? "rp-wrong" : null },
      element("span", { class: "rp-of", text: move ? move.seat : "" }),
      element("span", { text: move ? move.text : "start" }),
      isFault && element("span", { class: "rp-flag", text: "fault" }),
      move && element("span", { class: "rp-ms", text: took(move).replace(/ move|[()]/g, "") }),
    );
  }

  function drawFaults() {
    const faults = faultsAt(null);
    part("faults").hidden = !faults.length;
    root.querySelector("[data-go='fault+']").hidden = !faults.length;
    part("faults").querySelector("ul").replaceChildren(...faults.map((fault) => {
      const { deal, place } = positions(state.replay)[fault.step];
      const text = `Deal ${deal + 1}, step ${place}: ${bot(fault.seat)}, ${faultText(fault)}`;
      return element("li", {}, element("button", { type: "button", "data-step": fault.step, text }));
    }));
  }

  function drawTotals(position) {
    const { names, deals, totals, places } = state.replay;
    const all = positions(state.replay);
    const numbers = (values) => values.map((value) => element("td", { text: value }));
    const table = part("totals");
    if (table.dataset.key !== String(replays.indexOf(state.replay))) {
      table.dataset.key = replays.indexOf(state.replay);
      table.replaceChildren(
        element("caption", { text: "Penalties of each deal" }),
        element("thead", {}, element("tr", {}, element("th", { scope: "col", text: "deal" }),
          ...names.map((_, seat) => element("th", { scope: "col" }, element("bdi", { text: bot(seat) }))))),
        element("tbody", {}, ...deals.map((deal, number) => {
          const last = all.findLastIndex((other) => other.deal === number);
          const button = element("button", { type: "button", "data-step": last, text: number + 1, "aria-label": `End of deal ${number + 1}` });
          return element("tr", {}, element("th", { scope: "row" }, button), ...numbers(deal.penalties ?? names.map(() => "–")));
        })),
        element("tfoot", {},
          element("tr", {}, element("th", { scope: "row", text: "total" }), ...numbers(totals)),
          element("tr", {}, element("th", { scope: "row", text: "place" }), ...numbers(places))),
      );
    }
    [...table.tBodies[0].rows].forEach((line, number) => {
      if (number === position.deal) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    });
  }

  /* ---- where we are ---- */

  const state = { replay: replays[0], step: 0, seat: replays[0].seat, timer: 0, address: 0 };

  function show() {
    const all = positions(state.replay);
    const position = all[state.step];
    const slider = part("slider");
    slider.max = all.length - 1;
    slider.value = state.step;
    slider.setAttribute("aria-valuetext", `step ${state.step} of ${all.length - 1}, deal ${position.deal + 1}`);
    drawTable(position);
    drawNow(position);
    drawMoves(position);
    drawFaults();
    drawTotals(position);
    const edges = { "step-": state.step === 0, "deal-": state.step === 0, "step+": state.step === all.length - 1, "deal+": state.step === all.length - 1 };
    for (const [go, isEdge] of Object.entries(edges)) {
      root.querySelector(`[data-go="${go}"]`).setAttribute("aria-disabled", isEdge);
    }
  }

  /** Go to a step, the nearest that there is, and show it in the address. */
  function go(step) {
    state.step = Math.max(0, Math.min(step, positions(state.replay).length - 1));
    show();
    noteAddress();
  }

  function noteAddress() {
    clearTimeout(state.address);
    state.address = setTimeout(() => history.replaceState(null, "", address()), 100);
  }

  function address() {
    const seat = state.seat === null || state.replay.seat !== null ? "" : `&seat=${state.seat}`;
    return `#match=${encodeURIComponent(state.replay.match)}&step=${state.step}${seat}`;
  }

  /** Follow the address; return whether it names a match that is here. */
  function follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const replay = replays.find(({ match }) => match === wanted.get("match"));
    if (!replay) return false;
    stop();
    clearTimeout(state.address);
    choose(replay);
    const seat = wanted.get("seat");
    if (replay.seat === null) state.seat = /^\d+$/.test(seat ?? "") && Number(seat) < replay.names.length ? Number(seat) : null;
    state.step = Math.max(0, Math.min(Math.trunc(Number(wanted.get("step"))) || 0, positions(replay).length - 1));
    checkSeat();
    show();
    return true;
  }

  function choose(replay) {
    state.replay = replay;
    state.step = 0;
    state.seat = replay.seat;
    part("match").value = replays.indexOf(replay);
    const seats = replay.seat === null ? [null, ...replay.names.keys()] : [replay.seat];
    const legend = part("seats").querySelector("legend");
    part("seats").replaceChildren(legend, ...seats.map((seat) =>
      element("label", {},
        element("input", { type: "radio", name: "rp-seat", value: seat ?? "all" }),
        element("bdi", { text: seat === null ? "all" : bot(seat) })),
    ));
    const options = Object.entries(replay.options).filter(([, value]) => value !== null);
    part("options").textContent = `${replay.title}: ${options.map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`).join(", ")}`;
    checkSeat();
  }

  function checkSeat() {
    for (const input of part("seats").querySelectorAll("input")) {
      input.checked = input.value === String(state.seat ?? "all");
    }
  }

  function sit(seat) {
    if (state.replay.seat !== null || seat >= state.replay.names.length) return;
    state.seat = seat;
    checkSeat();
    go(state.step);
  }

  /* ---- playing ---- */

  function play() {
    if (state.step === positions(state.replay).length - 1) go(0);
    state.timer = setInterval(() => {
      go(state.step + 1);
      if (state.step === positions(state.replay).length - 1) stop();
    }, 1000 / Number(part("speed").value));
    showPlaying();
  }

  function stop() {
    clearInterval(state.timer);
    state.timer = 0;
    showPlaying();
  }

  function showPlaying() {
    part("play").querySelector("span").textContent = state.timer ? "Pause" : "Play";
    part("play").querySelector("path").setAttribute("d", state.timer ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4 2.5 13.5 8 4 13.5z");
    root.classList.toggle("rp-playing", Boolean(state.timer));
  }

  /* ---- what people do ---- */

  const moves = {
    "step-": () => go(state.step - 1),
    "step+": () => go(state.step + 1),
    "deal-": () => go(dealStart(-1)),
    "deal+": () => go(dealStart(1)),
    "fault+": () => go((faultsAt(null).find(({ step }) => step > state.step) ?? faultsAt(null)[0])?.step ?? state.step),
    first: () => go(0),
    last: () => go(Infinity),
  };

  /** Return the step at which the next deal begins, or this one, or the one before. */
  function dealStart(by) {
    const all = positions(state.replay);
    const { deal, place } = all[state.step];
    const wanted = by < 0 && place > 0 ? deal : deal + by;
    const found = all.findIndex((position) => position.deal === wanted);
    return found < 0 && by > 0 ? all.length - 1 : Math.max(0, found);
  }

  const KEYS = {
    ArrowLeft: "step-", ArrowRight: "step+", "Shift ArrowLeft": "deal-", "Shift ArrowRight": "deal+",
    Home: "first", End: "last", f: "fault+",
  };

  function pressed(event) {
    const inside = root.contains(event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || !(inside || (event.target === document.body && replays.length === 1))) return;
    if (event.target.matches("select, input[type=radio]") && event.key.startsWith("Arrow")) return;
    if (event.target.matches("select, input[type=range]") && !event.shiftKey && event.key.length > 1) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : `${event.shiftKey ? "Shift " : ""}${event.key}`;
    if (key in KEYS) act(() => moves[KEYS[key]]());
    else if (key === "p") state.timer ? stop() : play();
    else if (key === "a") sit(null);
    else if (/^\d$/.test(key)) sit(Number(key));
    else return;
    event.preventDefault();
  }

  function act(what) {
    stop();
    what();
  }

  /** Bring the replay into view and give it the keys. */
  function enter() {
    root.focus({ preventScroll: true });
    root.scrollIntoView();
  }

  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button === part("play")) state.timer ? stop() : play();
    else if (button.dataset.go) act(moves[button.dataset.go]);
    else if (button.dataset.step) act(() => go(Number(button.dataset.step)));
  });
  root.addEventListener("change", (event) => {
    if (event.target.name === "rp-seat") sit(event.target.value === "all" ? null : Number(event.target.value));
    else if (event.target === part("match")) act(() => { choose(replays[Number(event.target.value)]); go(0); });
    else if (event.target === part("speed") && state.timer) { stop(); play(); }
  });
  part("slider").addEventListener("input", (event) => act(() => go(Number(event.target.value))));
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", () => { if (follow()) enter(); });

  replays.forEach((replay, number) => {
    part("match").append(element("option", { value: number, text: `${replay.match.slice(0, 8)}: ${replay.names.join(", ")}` }));
  });
  part("pick").hidden = replays.length < 2;
  choose(replays[0]);
  if (!follow()) show();
  else if (replays.length > 1) enter();
})();
