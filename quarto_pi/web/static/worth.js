// What there is to draw of a finished game, in numbers: the worth of its positions, its moves, and lines on a board.
// Nothing here touches the page.

const SIDES = { win: 1, draw: 0, loss: -1 };

// Positions are told in turn before a give and with the given piece in hand: a move shows the position that it leaves.
export function positionOf(told, move) {
  return Math.min(2 * move + 1, told.positions.length - 1);
}

export function moveOf(told, at) {
  return at ? Math.min(Math.floor(at / 2), told.moves.length - 1) : null;
}

// For each position: 1 where player 1 can win, -1 where player 2 can, 0 where neither, null where it is not known; and
// the share of answers that are safe.
export function worthPoints(told) {
  return told.positions.map((_, at) => {
    const worth = told.worth?.[at] ?? null;
    if (!worth) return { at, player: null, level: null, share: null };
    const side = SIDES[worth.value];
    const level = worth.player && side ? -side : side;
    return { at, player: worth.player, level, share: worth.answers ? worth.safe / worth.answers : null };
  });
}

// The points in stretches without a gap.
export function stretches(points) {
  const found = [];
  let open = null;
  for (const point of points) {
    if (point.level === null) open = null;
    else if (open) open.push(point);
    else found.push((open = [point]));
  }
  return found;
}

// Which of so many positions is meant by a finger at `x` of `width`.
export function positionAt(x, width, count) {
  if (width <= 0) return 0;
  return Math.max(0, Math.min(count - 1, Math.round((x / width) * (count - 1))));
}

// The middle of a square, on a board whose squares are 1 wide, from the upper left corner.
export function middleOf(square) {
  return [square.charCodeAt(0) - 97 + 0.5, 4.5 - Number(square[1])];
}

// The path of an SVG through the four squares of an alignment: a line that goes a little beyond, or around a square.
export function pathThrough(squares, beyond = 0.28) {
  const spots = squares.map(middleOf);
  const [columns, ranks] = [0, 1].map((axis) => spots.map((spot) => spot[axis]));
  const [left, right, upper, lower] = [Math.min(...columns), Math.max(...columns), Math.min(...ranks), Math.max(...ranks)];
  if (right - left === 1 && lower - upper === 1) {
    const box = [left - beyond, upper - beyond, right + beyond, lower + beyond].map(short);
    return `M${box[0]} ${box[1]}H${box[2]}V${box[3]}H${box[0]}Z`;
  }
  const [first, last] = [spots[0], spots[3]];
  const ends = [0, 1].map((axis) => beyond * Math.sign(last[axis] - first[axis]));
  const from = first.map((place, axis) => short(place - ends[axis]));
  const to = last.map((place, axis) => short(place + ends[axis]));
  return `M${from.join(" ")}L${to.join(" ")}`;
}

function short(number) {
  return Math.round(number * 100) / 100;
}

// How long a bar is among others: 0 for none, 1 for the most there is.
export function shareOfMost(number, all) {
  const most = Math.max(0, ...all);
  return most ? number / most : 0;
}

// How dark a number is among others: from 0 for the least to 1 for the most; all alike where they differ by nothing.
export function shareOfRange(number, all) {
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (most === least) return most ? 0.5 : 0;
  return (number - least) / (most - least);
}
