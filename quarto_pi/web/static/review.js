// A finished game looked at again: its positions on a small board, what they were worth, and its moves with the coach's
// marks. Loaded only when somebody opens a game.

import { draw, make, mark, write } from "./elements.js";
import { COLUMNS, RANKS, parsePosition } from "./notation.js";
import { pieceElement } from "./pieces.js";
import { ICONS, step } from "./replay.js";
import { read } from "./service.js";
import { say, sayPiece } from "./words.js";
import { moveOf, pathThrough, positionAt, positionOf, stretches, worthPoints } from "./worth.js";

const COACH_MS = 1000;
const STEP_MS = 900;

const SAID = {
  best: "verdict_best",
  "overlooked win": "verdict_overlooked",
  gift: "verdict_gift",
  "win lost": "verdict_win_lost",
  "draw lost": "verdict_draw_lost",
  lost: "verdict_lost",
};

// Marks differ in their form, not only in their colour.
const MARKS = {
  best: "M5 12.5l4.5 4.5L19 7.5",
  "overlooked win": "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.1-1.5 2.3M12 18.2v.3",
  gift: "M6 6l12 12M18 6L6 18",
  "win lost": "M12 5v14M6 13l6 6 6-6",
  "draw lost": "M6 6l12 12M18 6L6 18",
  lost: "M6 9h12M6 15h12",
  unknown: "M6 12h12",
};

// The sheet of styles comes with the first review.
export function dress() {
  if (document.querySelector("link[data-review]")) return;
  document.head.append(make("link", { rel: "stylesheet", href: "static/review.css", "data-review": true }));
}

export const namesOf = (told) => told.players.map((player) => player.name);

export function outcome(told) {
  if (told.winner !== null) return say("wins", { player: namesOf(told)[told.winner] });
  return say(told.reason === "draw" ? "draw" : "unfinished");
}

// A game as it is told, to be stepped through: `played` has the board with its story, `more` graph and moves; both belong
// into an element of the class "review". `renew` takes what is told later.
export function buildReview(first) {
  dress();
  let told = first;
  let at = told.positions.length - 1;
  let playing = 0;
  const end = at;
  const board = make("div", { class: "small-board", role: "img" });
  const hand = make("div", { class: "small-hand" });
  const words = make("p", { class: "move", "aria-live": "polite" });
  const judgement = make("p", { class: "judgement", "aria-live": "polite" });
  const hindsight = make("p", { class: "hindsight" });
  const worth = make("p", { class: "worth" });
  const slider = make("input", { type: "range", min: 0, max: end, value: end, "aria-label": say("history") });
  const graph = make("div", { class: "graph" });
  const moves = make("ol", { class: "moves", "aria-label": say("history") });
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const stop = () => {
    clearInterval(playing);
    playing = 0;
    dressPlay();
  };
  const go = (position) => {
    at = Math.max(0, Math.min(end, position));
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", at ? stepText(told, at) : say("no_moves"));
    const { board: pieces, hand: given } = parsePosition(told.positions[at]);
    drawBoard(board, pieces, at === end ? told.alignments : [], told.missed);
    hand.replaceChildren(...(given ? [pieceElement(given)] : []));
    hand.title = given ? `${say("piece_given")}: ${sayPiece(given)}` : "";
    write(words, at ? stepText(told, at) : say("no_moves"));
    write(judgement, coachText(told, moveOf(told, at)));
    write(worth, worthText(told, at));
    [firstStep.disabled, back.disabled, next.disabled, last.disabled] = [at === 0, at === 0, at === end, at === end];
    for (const row of moves.querySelectorAll("button")) mark(row, "aria-current", row.dataset.move === String(moveOf(told, at)) ? "step" : null);
    point(graph, at, end);
  };
  const choose = (position) => {
    stop();
    go(position);
  };
  const firstStep = step("step_first", () => choose(0));
  const back = step("step_back", () => choose(at - 1));
  const next = step("step_forward", () => choose(at + 1));
  const last = step("step_last", () => choose(end));
  const play = step("play", () => (playing ? stop() : start()), say("play_back"));
  const dressPlay = () => {
    play.querySelector("path").setAttribute("d", playing ? ICONS.pause : ICONS.play);
    mark(play, "aria-label", say(playing ? "stop_play" : "play_back"));
    mark(play, "title", say(playing ? "stop_play" : "play_back"));
  };
  const start = () => {
    stop();
    if (at === end) go(0);
    playing = setInterval(() => {
      if (!board.isConnected) return stop();
      go(at + 1);
      if (at === end) stop();
    }, STEP_MS);
    dressPlay();
  };
  slider.addEventListener("input", () => choose(Number(slider.value)));

  const renew = (newest) => {
    told = newest;
    write(hindsight, told.hindsight ?? "");
    moves.replaceChildren(...told.moves.map((_, index) => moveRow(told, index, () => choose(positionOf(told, index)))));
    drawGraph(graph, told, choose);
    go(at);
  };
  new ResizeObserver(() => {
    drawGraph(graph, told, choose);
    point(graph, at, end);
  }).observe(graph);
  const played = make("div", { class: "played" },
    hindsight,
    make("div", { class: "stage" }, board, hand, worth),
    make("div", { class: "story" }, words, judgement, make("div", { class: "steps" }, firstStep, back, play, next, last), slider));
  const more = make("div", { class: "more" },
    make("figure", { class: "worths" }, make("figcaption", {}, say("worth_graph")), graph),
    make("div", { class: "told" }, make("p", { class: "caption", "aria-hidden": "true" }, say("history")), moves));
  renew(first);
  return { played, more, renew, go: choose, start: () => (calm.matches ? null : start()) };
}

// Asks until the coach is done, as long as somebody looks.
export async function whenJudged(told, looks, onTold, path = `games/${told.number}`) {
  let newest = told;
  while (!newest.judged) {
    await new Promise((resolve) => setTimeout(resolve, COACH_MS));
    if (!looks()) return;
    newest = await read(path);
  }
  if (newest !== told) onTold(newest);
}

// --- the board ---

// What was missed is crossed by a broken line for as long as it stands.
export function drawBoard(board, pieces, alignments, missed) {
  const stood = missed.filter((each) => each.squares.every((square) => pieces[square]));
  const won = new Set(alignments.flatMap((each) => each.squares));
  const wells = RANKS.flatMap((rank) => COLUMNS.map((column) => {
    const square = `${column}${rank}`;
    const piece = pieces[square];
    return make("span", { class: "well", "data-won": won.has(square) }, piece ? pieceElement(piece) : null);
  }));
  const lines = [
    ...stood.map((each) => draw("path", { class: "lapsed", d: pathThrough(each.squares), pathLength: 1 })),
    ...alignments.map((each) => draw("path", { d: pathThrough(each.squares), pathLength: 1 })),
  ];
  const drawn = draw("svg", { class: "lines", viewBox: "0 0 4 4", "aria-hidden": "true" }, ...lines);
  board.replaceChildren(...wells, ...(lines.length ? [drawn] : []));
  const stands = Object.entries(pieces).map(([square, piece]) => say("square_with", { square, piece: sayPiece(piece) }));
  const marked = won.size ? [`${say("mark_won")}: ${[...won].join(", ")}`] : [];
  const lapsed = stood.map((each) => `${say("missed")}: ${each.squares.join(", ")}`);
  board.setAttribute("aria-label", [say("board"), ...stands, ...lapsed, ...marked].join("; "));
}

// --- what was done, and what it was worth ---

export function stepText(told, at) {
  const move = told.moves[Math.floor(at / 2)];
  const names = namesOf(told);
  const player = names[move.player];
  if (at % 2) return say("gives", { player, piece: sayPiece(move.give) });
  const placed = say("places", { player, piece: sayPiece(told.moves[at / 2 - 1].give), square: move.square });
  const called = at === told.positions.length - 1 && told.winner !== null && told.reason === "call";
  return called ? `${placed}. ${say("calls", { player: names[told.winner] })}` : placed;
}

export function coachText(told, index) {
  if (index === null) return "";
  if (!told.judged) return say("coach_thinks");
  const { judgement } = told.moves[index];
  const text = judgement ? `${say("coach_says")}: ${judgement}` : "";
  return index === told.turning ? `${say("turning_point")}. ${text}` : text;
}

export function worthText(told, at) {
  const over = at === told.positions.length - 1 && told.reason !== "unfinished";
  if (!told.judged || over) return "";
  const worth = told.worth?.[at];
  if (!worth) return say("worth_unknown");
  const winner = worth.value === "win" ? worth.player : 1 - worth.player;
  const text = worth.value === "draw" ? say("worth_draw") : say("worth_win", { player: namesOf(told)[winner] });
  return worth.answers ? `${text} ${say("safe_of", { safe: worth.safe, answers: worth.answers })}` : text;
}

// --- the list of moves ---

function moveRow(told, index, onClick) {
  const move = told.moves[index];
  const placed = index && move.square ? told.moves[index - 1].give : null;
  const verdict = !told.judged ? null : (move.verdict ?? "unknown");
  const did = [
    placed ? pieceElement(placed) : null,
    placed ? make("b", {}, move.square) : null,
    move.give ? make("i", {}, placed ? "→" : "") : null,
    move.give ? pieceElement(move.give) : null,
  ];
  const coach = verdict
    ? make("span", { class: "mark", "data-verdict": verdict },
      draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: MARKS[verdict] })),
      make("span", {}, verdictText(verdict)))
    : null;
  const end = told.positions.length - 1;
  const steps = [placed ? 2 * index : null, move.give ? 2 * index + 1 : null].filter((at) => at !== null && at <= end);
  const whole = [...steps.map((at) => stepText(told, at)), verdict ? verdictText(verdict) : null].filter(Boolean);
  const turning = index === told.turning;
  const row = make("button", {
    type: "button", "data-move": index, "data-turning": turning,
    "aria-label": [turning ? say("turning_point") : null, ...whole].filter(Boolean).join(". "),
  },
  make("span", { class: "number" }, String(index + 1)),
  make("span", { class: "who" }, namesOf(told)[move.player]),
  make("span", { class: "did" }, ...did),
  coach,
  turning ? make("span", { class: "turning" }, say("turning_point")) : null);
  row.addEventListener("click", onClick);
  return make("li", {}, row);
}

function verdictText(verdict) {
  return SAID[verdict] ? say(SAID[verdict]) : say("not_known");
}

// --- the graph: three heights for who can win, and below them how many answers were safe ---

const HIGH = { top: 26, middle: 64, bottom: 102, foot: 122, bars: 34, all: 160 };
const EDGE = 10;

function drawGraph(place, told, onChoose) {
  const width = Math.max(240, place.clientWidth);
  const points = worthPoints(told);
  const end = points.length - 1;
  const x = (at) => EDGE + (at / Math.max(1, end)) * (width - 2 * EDGE);
  const y = (level) => (level > 0 ? HIGH.top : level < 0 ? HIGH.bottom : HIGH.middle);
  const names = namesOf(told);
  const bands = [
    [1, 6, 40, say("worth_win", { player: names[0] })],
    [0, 46, 36, say("worth_draw")],
    [-1, 82, 36, say("worth_win", { player: names[1] })],
  ].flatMap(([level, top, height, text]) => [
    draw("rect", { class: "band", "data-level": level, x: 0, y: top, width, height }),
    draw("text", { class: "of", x: 6, y: top + 11 }, text),
  ]);
  const unknown = told.judged
    ? points.filter((each) => each.level === null && each.at < end).map((each) => draw("text", { class: "unknown", x: x(each.at), y: HIGH.middle + 4 }, "?"))
    : [];
  const lines = stretches(points).map((stretch) =>
    draw("polyline", { class: "line", points: stretch.map((each) => `${x(each.at)},${y(each.level)}`).join(" ") }));
  const dots = points.filter((each) => each.level !== null)
    .map((each) => draw("circle", { class: "dot", "data-level": each.level, cx: x(each.at), cy: y(each.level), r: 3 }));
  const wide = Math.max(2, ((width - 2 * EDGE) / Math.max(1, end)) * 0.6);
  const bars = points.filter((each) => each.share !== null).flatMap((each) => [
    draw("rect", { class: "all", x: x(each.at) - wide / 2, y: HIGH.foot, width: wide, height: HIGH.bars }),
    draw("rect", {
      class: "safe", x: x(each.at) - wide / 2, width: wide,
      y: HIGH.foot + HIGH.bars * (1 - each.share), height: HIGH.bars * each.share,
    }),
  ]);
  const turn = told.turning === null ? null : positionOf(told, told.turning);
  const flag = turn === null ? [] : [
    draw("path", { class: "flag", d: `M${x(turn)} 4V${HIGH.foot + HIGH.bars}M${x(turn)} 4h12l-3 4 3 4h-12` }),
  ];
  const now = draw("line", { class: "now", y1: 4, y2: HIGH.foot + HIGH.bars });
  const chart = draw("svg", { width, height: HIGH.all, viewBox: `0 0 ${width} ${HIGH.all}`, role: "img", "aria-label": say("worth_graph") },
    ...bands, ...bars, ...flag, ...lines, ...dots, ...unknown, now);
  chart.dataset.width = String(width);
  const seek = (event) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = chart.getBoundingClientRect();
    onChoose(positionAt(event.clientX - box.left - EDGE, box.width - 2 * EDGE, points.length));
  };
  chart.addEventListener("pointerdown", seek);
  chart.addEventListener("pointermove", seek);
  const key = make("p", { class: "key" }, make("span", { class: "swatch" }), say("safe_answers"));
  place.replaceChildren(chart, key);
}

function point(place, at, end) {
  const chart = place.querySelector("svg");
  if (!chart) return;
  const x = String(EDGE + (at / Math.max(1, end)) * (Number(chart.dataset.width) - 2 * EDGE));
  const now = chart.querySelector(".now");
  now.setAttribute("x1", x);
  now.setAttribute("x2", x);
}
