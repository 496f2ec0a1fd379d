"""A small engine that knows nothing of this package and plays the first move that comes; its argument names a fault."""

import sys
from collections.abc import Iterator

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
NAMES = {"colour": 8, "height": 4, "shape": 2, "top": 1}
LINES = [[4 * r + c for c in range(4)] for r in range(4)] + [[4 * r + c for r in range(4)] for c in range(4)]
LINES += [[0, 5, 10, 15], [3, 6, 9, 12]]
BLOCKS = [[s, s + 1, s + 4, s + 5] for s in (0, 1, 2, 4, 5, 6, 8, 9, 10)]


class Wrong(Exception):
    """Something that is answered with an error."""


class Engine:
    def __init__(self) -> None:
        self.squares = False
        self.traits = 15
        self.seed = 0
        self.moves = 0
        self.thinks = False
        self.empty()

    def empty(self) -> None:
        self.board: list[int | None] = [None] * 16
        self.hand: int | None = None

    def answers(self, line: str) -> Iterator[str]:  # noqa: C901, PLR0912 - one case for each command
        if len(line) > 10_000:
            if FAULT == "long lines":
                sys.exit(1)
            raise Wrong("too long")
        word, *rest = line.split() or [""]
        if word in ("position", "setoption", "newgame", "go") and self.thinks and FAULT != "obeys":
            raise Wrong("it thinks")
        match word, rest:
            case "", _:
                if FAULT == "blank":
                    raise Wrong("a blank line")
            case "qep", []:
                yield from [] if FAULT == "nameless" else ["id name made up"]
                yield f"option name Seed type spin default 0 min 0 max {'many' if FAULT == 'bounds' else 99}"
                yield "option name Squares type check default false"
                yield "option name Traits type string default colour,height,shape,top"
                yield "qepok"
            case "isready", []:
                yield "readyok"
            case "newgame", []:
                if FAULT != "keeps":
                    self.empty()
            case "stop", []:
                yield from self.stop()
                if FAULT == "twice":
                    yield "bestmove - 0"
            case "position", [ranks, hand]:
                self.set_position(ranks, hand)
            case "setoption", ["name", name, "value", value]:
                self.set_option(name, value)
            case "go", _:
                yield from self.go(rest)
            case _:
                if FAULT != "swallows":
                    raise Wrong(f"what is {word}?")

    def set_position(self, ranks: str, hand: str) -> None:
        rows = ranks.split("/")
        if len(rows) != 4 or any(len(row) != 4 for row in rows):
            raise Wrong("four ranks of four")
        cells = "".join(reversed(rows))
        pieces = [each for each in f"{cells}{hand}".lower() if each not in ".-"]
        if FAULT != "any position" and (len(set(pieces)) < len(pieces) or not set(pieces) <= set("0123456789abcdef")):
            raise Wrong("not these pieces")
        self.board = [None if each == "." else int(each, 16) for each in cells]
        self.hand = None if hand == "-" else int(hand, 16)

    def set_option(self, name: str, value: str) -> None:
        if name == "Seed" and value.isdigit() and (int(value) < 100 or FAULT == "boundless"):
            self.seed = int(value)
        elif name == "Squares" and value in ("true", "false"):
            self.squares = value == "true"
        elif name == "Traits" and set(value.split(",")) <= set(NAMES):
            self.traits = sum(NAMES[each] for each in value.split(","))
        else:
            raise Wrong(f"no {name} {value}")

    def go(self, limits: list[str]) -> Iterator[str]:
        if None not in self.board and FAULT != "full":
            raise Wrong("the board is full")
        if limits == ["infinite"]:
            self.thinks = True
            yield from self.stop() if FAULT == "hasty" else []
            return
        if len(limits) % 2 or not set(limits[::2]) <= {"nodes", "movetime"}:
            raise Wrong("what limits?")
        if not all(each.isdigit() for each in limits[1::2]):
            raise Wrong("no number")
        yield "info depth one" if FAULT == "vague" else "info depth 1 nodes 1 time 0 value unknown pv"
        yield f"bestmove {self.best()}"

    def stop(self) -> Iterator[str]:
        if self.thinks:
            self.thinks = False
            yield f"bestmove {self.best()}"

    def best(self) -> str:
        self.moves += 1
        board, left = list(self.board), [each for each in range(16) if each not in (*self.board, self.hand)]
        place = "-"
        if self.hand is not None:
            empty = [square for square in range(16) if board[square] is None]
            wins = [square for square in empty if self.completes(square)]
            square = (wins or empty)[0]
            place = f"{'abcd'[square % 4]}{square // 4 + 1}"
            if FAULT == "taken" and len(empty) < 16:
                taken = next(square for square in range(16) if board[square] is not None)
                place = f"{'abcd'[taken % 4]}{taken // 4 + 1}"
            if wins or FAULT == "shouts":
                return f"{place} - call"
        if not left:
            return place if FAULT == "short" else f"{place} -"
        number = self.moves if FAULT == "fickle" else 0
        give = self.hand if FAULT == "repeats" and self.hand is not None else left[number % len(left)]
        return f"{place} {give:x}"

    def completes(self, square: int) -> bool:
        board = [self.hand if each == square else piece for each, piece in enumerate(self.board)]
        traits = 15 if FAULT == "all traits" else self.traits
        for line in LINES + (BLOCKS if self.squares or FAULT == "blocks" else []):
            pieces = [piece for piece in (board[each] for each in line) if piece is not None]
            if square in line and len(pieces) == 4:
                ones = pieces[0] & pieces[1] & pieces[2] & pieces[3]
                zeros = ~(pieces[0] | pieces[1] | pieces[2] | pieces[3])
                if (ones | zeros) & traits:
                    return True
        return False


def main() -> int:
    engine = Engine()
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        try:
            for answer in engine.answers(line):
                print(answer, flush=True)
        except Wrong as wrong:
            print(f"error {wrong}", flush=True)
    else:
        if FAULT == "mute":
            return 0
    for answer in engine.stop() if FAULT != "leaves" else ():
        print(answer, flush=True)
    return 3 if FAULT == "fails" else 0


sys.exit(main())
