/* Draws cards, and makes the elements of a page. */
const cardDrawing = (() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";

  /** Return an element with attributes (its text as `text`) and children. */
  function element(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
  }

  function svg(name, attributes = {}, ...children) {
    return filled(document.createElementNS(SVG, name), attributes, children);
  }

  function filled(made, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "text") made.textContent = value;
      else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.filter(Boolean));
    return made;
  }

  const LEAF = "M26 60C11 51 8 35 27 17 45 35 41 51 26 60z";
  const SUITS = {
    C: ["♣", "club", "M12 2a5 5 0 0 1 4.6 7A5 5 0 1 1 13 15.5q.2 3.5 2.5 6.5h-7q2.3-3 2.5-6.5A5 5 0 1 1 7.4 9 5 5 0 0 1 12 2z"],
    D: ["♦", "diamond", "M12 1.5 20 12l-8 10.5L4 12z"],
    H: ["♥", "heart", "M12 22C5 15.5 2 12 2 8a5.3 5.3 0 0 1 10-2.5A5.3 5.3 0 0 1 22 8c0 4-3 7.5-10 14z"],
    S: ["♠", "spade", "M12 2c5 5 9 8 9 12a4.8 4.8 0 0 1-8 3q.2 2.5 2.5 5h-7q2.3-2.5 2.5-5a4.8 4.8 0 0 1-8-3c0-4 4-7 9-12z"],
  };
  const STAR = "M12 1l3.3 7.2 7.7.9-5.7 5.3 1.5 7.7L12 18.3l-6.8 3.8 1.5-7.7L1 9.1l7.7-.9z";

  const drawn = new Map();

  /** Return the drawing of a card, "" for its back. */
  function card(deck, code, isWild) {
    const key = `${deck.kind} ${code} ${isWild}`;
    if (!drawn.has(key)) drawn.set(key, draw(deck, code, isWild));
    return drawn.get(key).cloneNode(true);
  }

  function draw(deck, code, isWild) {
    const face = svg("rect", { class: "rp-face", x: 0.5, y: 0.5, width: 49, height: 69, rx: 6 });
    const made = svg("svg", { class: "rp-card", viewBox: "0 0 50 70", "aria-hidden": "true" }, face);
    if (!code) {
      made.classList.add("rp-back");
      made.append(
        svg("rect", { class: "rp-weave", x: 4.5, y: 4.5, width: 41, height: 61, rx: 3.5 }),
        svg("path", { class: "rp-sign", d: LEAF, transform: "translate(6.5 8) scale(.7)" }),
      );
    } else if (deck.kind === "leaves") {
      made.append(...leaf(Number(code), deck.copies[Number(code) - 1]));
    } else {
      made.append(...suited(code, isWild));
    }
    if (code) made.setAttribute("data-card", code);
    return made;
  }

  /** Return the parts of a leaf with its value, and a pip for each copy that there is of it. */
  function leaf(value, copies) {
    const pips = Array.from({ length: copies }, (_, pip) =>
      svg("circle", { class: `rp-leaf${value}`, cx: 25 + (pip - (copies - 1) / 2) * 5.2, cy: 64, r: 1.9 }),
    );
    return [
      svg("path", { class: `rp-leaf rp-leaf${value}`, d: LEAF }),
      svg("path", { class: "rp-veins", d: "M26.5 22 26 60M26.4 37l8-7M26.4 37l-8-6M26.2 48l9-8M26.2 48l-9-7" }),
      svg("text", { class: value > 9 ? "rp-index rp-wide" : "rp-index", x: 3.5, y: 18, text: value }),
      ...pips,
    ];
  }

  function suited(code, isWild) {
    const [, name, path] = SUITS[code[1]];
    const wide = code[0] === "T" ? " rp-wide" : "";
    const suit = (place) => svg("path", { class: `rp-${name}`, d: path, transform: place });
    return [
      svg("text", { class: `rp-index rp-${name}${wide}`, x: 3.5, y: 18, text: code[0].replace("T", "10") }),
      suit("translate(4 22) scale(.55)"),
      suit("translate(15 27) scale(1.25)"),
      isWild && svg("path", { class: "rp-wild", d: STAR, transform: "translate(3.5 51) scale(.6)" }),
    ].filter(Boolean);
  }

  /** Return the name of a card as it is read. */
  function named(code) {
    return code.replace(/^T/, "10").replace(/[CDHS]$/, (suit) => SUITS[suit][0] + "\uFE0E");
  }

  return { element, card, named };
})();
