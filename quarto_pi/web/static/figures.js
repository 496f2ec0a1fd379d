// What has been counted over the finished games, as pictures, each with the table of its numbers. Loaded with the sheet
// of finished games.

import { byId, draw, make } from "./elements.js";
import { COLUMNS, RANKS } from "./notation.js";
import { dress } from "./review.js";
import { read } from "./service.js";
import { say, sayLevel } from "./words.js";
import { middleOf, pathThrough, shareOfMost, shareOfRange } from "./worth.js";

const TRAITS = ["colour", "height", "shape", "top"];

export async function showFigures(tally) {
  dress();
  const counted = await read("statistics");
  const place = byId("figures");
  if (!place) return;
  if (!counted.games) return place.replaceChildren();
  const pictures = picturesOf(counted);
  if (tally.against.length) pictures.push(levels(tally.against));
  place.replaceChildren(make("p", { class: "note" }, say("last_games", { count: counted.games })), make("div", { class: "figures" }, ...pictures));
}

// What is counted over games, whoever has counted it.
export function picturesOf(counted) {
  return [traits(counted), lines(counted), squares(counted), lengths(counted)];
}

function figure(title, picture, note, head, rows) {
  const table = make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...rows.map(([name, ...numbers]) =>
      make("tr", {}, make("th", { scope: "row" }, name), ...numbers.map((number) => make("td", {}, String(number)))))));
  return make("figure", { class: "figure" },
    make("figcaption", {}, title),
    picture,
    note ? make("p", { class: "note" }, note) : null,
    make("details", {}, make("summary", {}, say("as_table")), table));
}

// Bars from left to right, a row for each: parts follow one another, and its number stands behind.
function bars(rows, classes) {
  const most = Math.max(1, ...rows.map(({ parts }) => parts.reduce((sum, each) => sum + each, 0)));
  return make("div", { class: "bars", "aria-hidden": "true" }, ...rows.flatMap(({ name, parts, text }) => {
    const svg = draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none" });
    let x = 0;
    parts.forEach((part, index) => {
      const width = (part / most) * 100;
      svg.append(draw("rect", { class: classes[index], x, y: 0, width, height: 10 }));
      x += width;
    });
    return [make("span", {}, name), svg, make("span", { class: "count" }, text)];
  }));
}

function traits({ traits: counted }) {
  const rows = TRAITS.map((trait) => [say(trait), counted.find((each) => each.trait === trait)]);
  const picture = bars(
    rows.map(([name, { called, missed }]) => ({ name, parts: [missed, called], text: `${missed} / ${missed + called}` })), ["missed", "called"]);
  const note = make("span", {}, make("i", { class: "swatch missed" }), say("missed"), " ", make("i", { class: "swatch called" }), say("called"));
  return figure(say("figure_traits"), picture, note, [say("traits"), say("missed"), say("called")],
    rows.map(([name, { called, missed }]) => [name, missed, called]));
}

function lines({ lines: counted }) {
  const all = counted.map((each) => each.missed);
  // The most overlooked lines lie on top.
  const strokes = [...counted].sort((one, other) => one.missed - other.missed).map((each) => {
    const share = shareOfMost(each.missed, all);
    return draw("path", { class: each.missed ? "line missed" : "line", d: pathThrough(each.squares, 0.3), "stroke-width": (0.05 + 0.17 * share).toFixed(3) });
  });
  const dots = RANKS.flatMap((rank) => COLUMNS.map((column) => {
    const [cx, cy] = middleOf(`${column}${rank}`);
    return draw("circle", { class: "hole", cx, cy, r: 0.3 });
  }));
  const numbers = counted.filter((each) => each.missed).map((each) => {
    const [x, y] = endOf(each.squares);
    return draw("text", { class: "number", x, y: y + 0.1 }, String(each.missed));
  });
  const picture = draw("svg", { class: "wooden", viewBox: "-0.45 -0.45 4.9 4.9", "aria-hidden": "true" }, ...dots, ...strokes, ...numbers);
  const none = counted.every((each) => !each.missed) ? say("none_missed") : null;
  return figure(say("figure_lines"), picture, none, [say("squares_named"), say("missed"), say("called")],
    counted.map((each) => [each.squares.join(" "), each.missed, each.called]));
}

// Where the number of a line stands: beyond its last square, or in the middle of a square of four.
function endOf(squares) {
  const spots = squares.map(middleOf);
  const [first, last] = [spots[0], spots[3]];
  if (Math.abs(last[0] - first[0]) <= 1 && Math.abs(last[1] - first[1]) <= 1) return [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2];
  return [0, 1].map((axis) => last[axis] + 0.62 * Math.sign(last[axis] - first[axis]));
}

function squares({ squares: counted }) {
  const all = Object.values(counted).map((each) => each.placed);
  const cells = RANKS.flatMap((rank) => COLUMNS.map((column) => {
    const square = `${column}${rank}`;
    const [x, y] = middleOf(square);
    const share = shareOfRange(counted[square].placed, all);
    return draw("g", {},
      draw("rect", { class: "heat", x: x - 0.47, y: y - 0.47, width: 0.94, height: 0.94, rx: 0.08, "fill-opacity": (0.08 + 0.87 * share).toFixed(2) }),
      draw("text", { class: share > 0.75 ? "number light" : "number", x, y: y + 0.1 }, String(counted[square].placed)),
      draw("text", { class: share > 0.75 ? "name light" : "name", x: x - 0.4, y: y - 0.26 }, square));
  }));
  const picture = draw("svg", { class: "cells", viewBox: "0 0 4 4", "aria-hidden": "true" }, ...cells);
  return figure(say("figure_squares"), picture, null, [say("squares_named"), say("put_there"), say("won_there")],
    Object.entries(counted).map(([square, { placed, won }]) => [square, placed, won]));
}

function lengths({ lengths: counted }) {
  const all = counted.map((each) => each.games);
  const columns = counted.flatMap(({ moves, games }, index) => {
    const height = 60 * shareOfMost(games, all);
    return [
      draw("rect", { class: "called", x: index * 16 + 2, y: 74 - height, width: 12, height }),
      games ? draw("text", { class: "small", x: index * 16 + 8, y: 70 - height }, String(games)) : null,
      draw("text", { class: "small", x: index * 16 + 8, y: 86 }, String(moves)),
    ];
  });
  const picture = draw("svg", { class: "columns", viewBox: `0 0 ${counted.length * 16} 90`, "aria-hidden": "true" }, ...columns);
  return figure(say("figure_lengths"), picture, null, [say("pieces_placed"), say("games_played")],
    counted.map(({ moves, games }) => [moves, games]));
}

function levels(against) {
  const rows = against.map(({ level, won, lost, drawn }) => ({
    name: sayLevel(level), parts: [won, drawn, lost], text: say("won_of", { won, games: won + lost + drawn }),
  }));
  const note = make("span", {}, make("i", { class: "swatch won" }), say("games_won"), " ", make("i", { class: "swatch drawn" }), say("draws"), " ",
    make("i", { class: "swatch lost" }), say("games_lost"));
  return figure(say("against_computer"), bars(rows, ["won", "drawn", "lost"]), note,
    [say("level"), say("games_won"), say("draws"), say("games_lost")],
    against.map(({ level, won, lost, drawn }) => [sayLevel(level), won, drawn, lost]));
}
