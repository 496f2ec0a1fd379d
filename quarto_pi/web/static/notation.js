// Pieces, squares and positions as the board writes them.

export const COLUMNS = ["a", "b", "c", "d"];
export const RANKS = [4, 3, 2, 1];
export const SQUARES = RANKS.flatMap((rank) => COLUMNS.map((column) => `${column}${rank}`));

export const PIECES = Array.from({ length: 16 }, (_, number) => pieceOf(number));

export function pieceOf(number) {
  return (number & 8 ? "D" : "L") + (number & 4 ? "S" : "T") + (number & 2 ? "Q" : "R") + (number & 1 ? "H" : "F");
}

const TRAITS = { L: "light", D: "dark", T: "tall", S: "short", R: "round", Q: "square", F: "solid", H: "hollow" };

export function pieceInEnglish(piece) {
  return [...piece].map((letter) => TRAITS[letter]).join(", ");
}

// "..../.7../..../.... c" -> { board: { b3: "LSQH" }, hand: "DSRF" }
export function parsePosition(text) {
  const [ranks, hand] = text.split(" ");
  const board = {};
  ranks.split("/").forEach((line, row) => {
    [...line].forEach((digit, column) => {
      if (digit !== ".") board[`${COLUMNS[column]}${RANKS[row]}`] = pieceOf(parseInt(digit, 16));
    });
  });
  return { board, hand: hand === "-" || !hand ? null : pieceOf(parseInt(hand, 16)) };
}
