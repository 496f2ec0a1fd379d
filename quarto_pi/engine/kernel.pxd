# The machine's types for kernel.py. The compiler reads this file, the interpreter does not.
cimport cython

ctypedef unsigned long long word

cdef int NOT_LOST, WON, NOT_WON, LOST, KEPT, SOON, MOST, DEEP, BREADTH, RECALLED, WORDS
cdef word LANES, BYTES, LOW_BITS, KEY_BITS, FIRST_FACTOR, SECOND_FACTOR


@cython.final
cdef class Search:
    cdef unsigned short[::1] safe, twins, low, high, shape, answers, lines
    cdef unsigned char[::1] bits, index, features, count, by
    cdef int[::1] unused, first, weights, logarithms, eager, queue, gain
    cdef long long[::1] moves
    cdef unsigned int[::1] square, always, alike
    cdef word[::1] spread, step, table, through, shared, lack
    cdef int unused_count, line_count
    cdef bint squares
    cdef word slot_mask, lanes
    cdef public long long nodes
    cdef long long next_look, budget
    cdef object poll
    cdef public bint contrary

    cpdef object share(self, Search other)

    @cython.locals(here=cython.int, below=cython.int, through=cython.int, features=word, lines=word)
    cdef inline void place(self, unsigned int square, int hand, int empties) noexcept nogil

    @cython.locals(here=cython.int, one=word, two=word, one_more=word, two_more=word, one_last=word, two_last=word,
                   reply=cython.int, left=cython.uint, through=cython.int, always=word, alike=word, lines=word)
    cdef void threaten(self, unsigned int occupied, int empties) noexcept nogil

    cdef inline word lanes_after(self, word same, unsigned int taken, unsigned int square, int hand,
                                 int piece) noexcept nogil

    @cython.locals(number=cython.int)
    cdef inline unsigned int distinct(self, unsigned int pieces) noexcept nogil

    @cython.locals(best=word, start=cython.int, shape=word, taken=cython.int, number=cython.int, by=cython.int,
                   lanes=word, power=cython.int, moving=word, a=word, b=word, c=word, d=word, packed=word)
    cdef word key(self, word same, unsigned int occupied, int empties) noexcept nogil

    @cython.locals(slot=word, name=word, entry=word)
    cdef inline int known(self, word key, int empties) noexcept nogil

    @cython.locals(slot=word, name=word, entry=word, second=word)
    cdef void keep(self, word key, int empties, int facts) noexcept nogil

    @cython.locals(key=word, facts=cython.int, found=cython.int, result=cython.int, here=cython.int, moves=cython.int,
                   number=cython.int, best=cython.int, later=cython.int, move=cython.longlong, piece=cython.int,
                   square=cython.uint, taken=cython.uint)
    cdef int reaches(self, word same, unsigned int occupied, unsigned int rest, int hand, int empties, int goal,
                     int given) except -1 nogil

    @cython.locals(here=cython.int, below=cython.int, replies=cython.int, number=cython.int, left=cython.uint,
                   weight=cython.int, moves=cython.int, found=cython.int, pieces=cython.uint,
                   square=cython.uint, base=cython.int, line=cython.int, bit=cython.uint, piece=cython.int,
                   features=cython.uint, remaining=cython.uint, total=cython.int, squares=cython.int,
                   somewhere=cython.uint, keep=cython.int, reply=cython.int, good=cython.uint, promise=cython.int)
    cdef int order(self, unsigned int occupied, unsigned int rest, int hand, int empties, int goal,
                   int given) noexcept nogil

    @cython.locals(here=cython.int, moves=cython.int, number=cython.int, move=cython.longlong, piece=cython.int,
                   square=cython.uint, taken=cython.uint, key=word)
    cdef int remembers(self, word same, unsigned int occupied, int hand, int empties, int goal,
                       int found) noexcept nogil

    @cython.locals(here=cython.int, moves=cython.int, number=cython.int, best=cython.int, later=cython.int,
                   move=cython.longlong, piece=cython.int, square=cython.uint, answers=cython.int, replies=cython.int,
                   effort=cython.longlong, reply=cython.int, total=cython.int, squares=cython.int, follow=cython.int)
    cdef void survey(self, unsigned int occupied, unsigned int rest, int hand, int empties, int found) noexcept nogil

    @cython.locals(weight=cython.int, line=cython.int, togo=cython.int, shared=cython.uint, gain=cython.int)
    cdef void weigh_lines(self, int hand, unsigned int occupied, int empties) noexcept nogil

    @cython.locals(here=cython.int, below=cython.int, moves=cython.int, number=cython.int, listed=cython.int,
                   slot=cython.int, left=cython.uint, square=cython.uint, taken=cython.uint, pending=cython.int,
                   pieces=cython.uint, bit=cython.uint, piece=cython.int, features=cython.uint, remaining=cython.uint,
                   keep=cython.int, reply=cython.int, total=cython.int, good=cython.uint, best=cython.int,
                   later=cython.int, move=cython.longlong, eager=cython.int)
    cdef int reaches_late(self, unsigned int occupied, unsigned int rest, int hand, int empties, int goal,
                          int given) except -1 nogil

    @cython.locals(below=cython.int, keep=cython.int, left=cython.uint, square=cython.uint, pieces=cython.uint,
                   bit=cython.uint, piece=cython.int, features=cython.uint, remaining=cython.uint, somewhere=cython.uint,
                   reply=cython.int, good=cython.uint)
    cdef int survives(self, unsigned int occupied, unsigned int rest, int hand, int given) noexcept nogil

    @cython.locals(below=cython.int, left=cython.uint, square=cython.uint, pieces=cython.uint, bit=cython.uint,
                   features=cython.uint, remaining=cython.uint, reply=cython.int)
    cdef int strands(self, unsigned int occupied, unsigned int rest, int hand, int empties, int given) noexcept nogil

    @cython.locals(somewhere=cython.uint, features=cython.uint, here=cython.int, given=cython.int, good=cython.uint)
    cdef unsigned int answer(self, unsigned int rest, int hand, int empties) noexcept nogil

    cdef int look(self) except -1 with gil

    @cython.locals(same=word, occupied=cython.uint, square=cython.int, piece=cython.int)
    cpdef tuple lay(self, board, int hand)

    @cython.locals(occupied=cython.uint, empties=cython.int, square=cython.int, ends=cython.uint, here=cython.int,
                   number=cython.int, squares=cython.uint, shared=word, lack=word, part=cython.int,
                   piece=cython.int, togo=cython.int)
    cpdef unsigned int draw_lines(self, board, int hand)

    @cython.locals(same=word, occupied=cython.uint, rest=cython.uint, square=cython.int, piece=cython.int,
                   empties=cython.int, result=cython.int)
    cpdef bint attains(self, board, int hand, int goal) except -1
