// The sixteen pieces as SVG: turned or sawn from light or dark wood, tall or short, with or without a hole in the top.

import { draw } from "./elements.js";
import { PIECES } from "./notation.js";

const GROUND = 112;
const HEIGHT = { T: 78, S: 38 };
const ROUND = { rx: 29, ry: 11.5 };
const BLOCK = { rx: 36, ry: 14 };
const HOLE = { rx: 15, ry: 6 };

const WOODS = {
  L: {
    turned: [[0, "#b98348"], [0.28, "#f7e0b2"], [0.6, "#e3b97d"], [1, "#a06c36"]],
    left: [[0, "#f4d9a6"], [1, "#e2b87b"]],
    right: [[0, "#c48f54"], [1, "#aa763d"]],
    top: [[0, "#fff0cf"], [1, "#f0d19b"]],
    hole: [[0, "#3d220f"], [1, "#a1713f"]],
    edge: "#6f4519",
    rim: "#fff6e0",
    grain: "#a8723a",
  },
  D: {
    turned: [[0, "#22120a"], [0.28, "#774c2f"], [0.6, "#4b2c19"], [1, "#190c06"]],
    left: [[0, "#67402a"], [1, "#4a2b18"]],
    right: [[0, "#331c10"], [1, "#221108"]],
    top: [[0, "#8f6344"], [1, "#6d452b"]],
    hole: [[0, "#070302"], [1, "#2f190d"]],
    edge: "#170b05",
    rim: "#b0825c",
    grain: "#1f0f07",
  },
};

function gradient(id, stops, turned) {
  const ends = turned ? { x1: 0, y1: 0, x2: 1, y2: 0 } : { x1: 0, y1: 0, x2: 0, y2: 1 };
  const colours = stops.map(([offset, colour]) => draw("stop", { offset, "stop-color": colour }));
  return draw("linearGradient", { id, ...ends }, ...colours);
}

function gradients(letter) {
  const wood = WOODS[letter];
  return ["turned", "left", "right", "top", "hole"].map((part) =>
    gradient(`wood-${letter}-${part}`, wood[part], part === "turned"),
  );
}

const paint = (letter, part) => `url(#wood-${letter}-${part})`;

function hole(letter, y) {
  return [
    draw("ellipse", { cx: 50, cy: y, ...HOLE, fill: paint(letter, "hole"), stroke: WOODS[letter].edge, "stroke-width": 1.4 }),
    draw("path", {
      d: `M${50 - HOLE.rx} ${y} A${HOLE.rx} ${HOLE.ry} 0 0 0 ${50 + HOLE.rx} ${y}`,
      fill: "none", stroke: WOODS[letter].rim, "stroke-width": 1.6, opacity: 0.8,
    }),
  ];
}

function cylinder(letter, height) {
  const { rx, ry } = ROUND;
  const wood = WOODS[letter];
  const top = GROUND - height;
  const line = { stroke: wood.edge, "stroke-width": 1.6, "stroke-linejoin": "round" };
  const grain = [-17, -6, 9, 19].map((x) => {
    const drop = ry * Math.sqrt(1 - (x / rx) ** 2);
    return draw("path", {
      d: `M${50 + x} ${top + drop} q${x / 9} ${height / 2} 0 ${height}`,
      fill: "none", stroke: wood.grain, "stroke-width": 1, opacity: 0.35,
    });
  });
  return [
    draw("path", {
      d: `M${50 - rx} ${top} V${GROUND} A${rx} ${ry} 0 0 0 ${50 + rx} ${GROUND} V${top} Z`,
      fill: paint(letter, "turned"), ...line,
    }),
    ...grain,
    draw("ellipse", { cx: 50, cy: top, rx, ry, fill: paint(letter, "top"), ...line }),
    draw("path", {
      d: `M${50 - rx + 2} ${top + 1} A${rx - 2} ${ry - 1} 0 0 0 ${50 + rx - 2} ${top + 1}`,
      fill: "none", stroke: wood.rim, "stroke-width": 1.2, opacity: 0.55,
    }),
  ];
}

function block(letter, height) {
  const { rx, ry } = BLOCK;
  const wood = WOODS[letter];
  const top = GROUND - height;
  const [west, east, south] = [50 - rx, 50 + rx, top + ry];
  const line = { stroke: wood.edge, "stroke-width": 1.6, "stroke-linejoin": "round" };
  const grain = [0.22, 0.5, 0.78].flatMap((part) =>
    [[west, 1], [50, -1]].map(([from, slope]) => {
      const x = from + rx * part;
      const y = slope === 1 ? top + ry * part : south - ry * part;
      return draw("path", {
        d: `M${x} ${y} q${2 * slope} ${height / 2} 0 ${height}`,
        fill: "none", stroke: wood.grain, "stroke-width": 1, opacity: 0.3,
      });
    }),
  );
  return [
    draw("path", { d: `M${west} ${top} L50 ${south} V${GROUND + ry} L${west} ${GROUND} Z`, fill: paint(letter, "left"), ...line }),
    draw("path", { d: `M50 ${south} L${east} ${top} V${GROUND} L50 ${GROUND + ry} Z`, fill: paint(letter, "right"), ...line }),
    ...grain,
    draw("path", { d: `M50 ${top - ry} L${east} ${top} L50 ${south} L${west} ${top} Z`, fill: paint(letter, "top"), ...line }),
    draw("path", {
      d: `M${west + 3} ${top + 0.6} L50 ${south - 1} L${east - 3} ${top + 0.6}`,
      fill: "none", stroke: wood.rim, "stroke-width": 1.2, opacity: 0.6,
    }),
  ];
}

function symbol(piece) {
  const [colour, height, shape, top] = piece;
  const tall = HEIGHT[height];
  const body = shape === "R" ? cylinder(colour, tall) : block(colour, tall);
  const lid = top === "H" ? hole(colour, GROUND - tall) : [];
  return draw("symbol", { id: `piece-${piece}`, viewBox: "0 0 100 130" }, ...body, ...lid);
}

// Puts the drawings into the page; whatever shows a piece refers to them.
export function carvePieces() {
  const drawings = draw("svg", { class: "carved", "aria-hidden": "true", focusable: "false", width: 0, height: 0 });
  drawings.append(draw("defs", {}, ...gradients("L"), ...gradients("D")), ...PIECES.map(symbol));
  document.body.prepend(drawings);
}

export function pieceElement(piece) {
  const shadow = draw("ellipse", { class: "shadow", cx: 54, cy: 114, rx: 38, ry: 13 });
  return draw(
    "svg",
    { class: "piece", viewBox: "0 0 100 130", "data-piece": piece, "aria-hidden": "true", focusable: "false" },
    shadow,
    draw("use", { href: `#piece-${piece}`, class: "body", width: 100, height: 130 }),
  );
}
