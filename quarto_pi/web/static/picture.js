// A finished game as a picture to be shared: drawn as SVG, and turned into a PNG by the browser itself.

import { draw, make } from "./elements.js";
import { COLUMNS, RANKS, parsePosition } from "./notation.js";
import { say } from "./words.js";
import { middleOf, pathThrough } from "./worth.js";

const WIDTH = 1080;
const HEIGHT = 1350;
const SIDE = 230;
const LEFT = (WIDTH - 4 * SIDE) / 2;
const TOP = 250;
const FONT = "Palatino, Georgia, serif";

export function drawPicture(told, headline) {
  return asPng(pictureOf(told, headline));
}

export function pictureOf(told, headline) {
  const { board } = parsePosition(told.positions[told.positions.length - 1]);
  const won = new Set(told.alignments.flatMap((each) => each.squares));
  const wells = RANKS.flatMap((rank) => COLUMNS.map((column) => {
    const [x, y] = place(`${column}${rank}`);
    return draw("circle", { cx: x, cy: y, r: SIDE * 0.44, fill: won.has(`${column}${rank}`) ? "#f0cf86" : "#b98350", stroke: "#55321a", "stroke-width": 4 });
  }));
  // From the far row to the near one, so that tall pieces cover those behind.
  const pieces = RANKS.flatMap((rank) => COLUMNS.map((column) => `${column}${rank}`)).filter((square) => board[square]).map((square) => {
    const [x, y] = place(square);
    return draw("use", { href: `#piece-${board[square]}`, x: x - 80, y: y - 145, width: 160, height: 208 });
  });
  const lines = told.alignments.map((each) => draw("path", { d: pathThrough(each.squares), transform: `translate(${LEFT} ${TOP}) scale(${SIDE})` }));
  const names = told.players.map((player) => player.name).join(" – ");
  const placed = say("pieces_placed_of", { count: Object.keys(board).length });
  return draw("svg", { xmlns: "http://www.w3.org/2000/svg", width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
    ...carved(),
    draw("rect", { width: WIDTH, height: HEIGHT, fill: "#f3eadd" }),
    text(120, 84, "#7a3f16", told.alignments.length ? "QUARTO!" : "Quarto", 700),
    text(200, 56, "#2a1c11", headline, 600),
    draw("rect", { x: LEFT - 30, y: TOP - 20, width: 4 * SIDE + 60, height: 4 * SIDE + 40, rx: 36, fill: "#8d5931", stroke: "#5d3719", "stroke-width": 8 }),
    ...wells, ...pieces,
    draw("g", { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" },
      draw("g", { stroke: "#5b3b00", "stroke-width": 0.1 }, ...lines.map((line) => line.cloneNode())),
      draw("g", { stroke: "#ffd54a", "stroke-width": 0.06 }, ...lines)),
    text(1268, 44, "#2a1c11", names, 400),
    text(1322, 34, "#62503f", placed, 400));
}

function text(y, size, fill, words, weight) {
  // A long name in a long language is drawn smaller rather than cut off.
  const fits = Math.min(size, (WIDTH - 80) / Math.max(1, widthOf(words)));
  return draw("text", { x: WIDTH / 2, y, fill, "font-size": Math.floor(fits), "font-weight": weight, "font-family": FONT, "text-anchor": "middle" }, words);
}

function widthOf(words) {
  return [...words].reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e7f ? 1 : 0.56), 0);
}

function place(square) {
  const [x, y] = middleOf(square);
  return [LEFT + x * SIDE, TOP + y * SIDE];
}

// The drawings of the pieces, which the page keeps once for all.
function carved() {
  return [...document.querySelector(".carved").cloneNode(true).childNodes];
}

async function asPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = make("canvas", { width: WIDTH, height: HEIGHT });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// Sharing needs a browser that may; otherwise the picture is saved. Nothing goes anywhere by itself.
export async function sharePicture(file, title, shares) {
  if (shares) return navigator.share({ files: [file], title }).catch(() => {});
  const address = URL.createObjectURL(file);
  const link = make("a", { href: address, download: file.name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
