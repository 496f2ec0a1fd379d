# The machine's types for kernel.py. The compiler reads this file, the interpreter does not.
cimport cython

ctypedef unsigned long long word

cdef int NOT_LOST, WON, NOT_WON, LOST, KEPT, SOON, MOST, DEEP, BREADTH
cdef word LANES, LOW_BITS, GATHER, KEY_BITS, FIRST_FACTOR, SECOND_FACTOR


@cython.final
cdef class Search:
    cdef unsigned short[::1] completes, safe, twins, low, high, shape, answers
    cdef unsigned char[::1] bits, index, count, by
    cdef int[::1] unused, first, weights, logarithms, eager, queue, gain
    cdef long long[::1] moves
    cdef unsigned int[::1] through, pairs, straight, change
    cdef word[::1] spread, step, lines, square, mine, singles, table
    cdef int unused_count, line_count
    cdef word slot_mask, lanes
    cdef public long long nodes
    cdef long long next_look, budget
    cdef object poll
    cdef public bint contrary

    cpdef object share(self, Search other)

    @cython.locals(a=word, b=word, c=word, d=word)
    cdef inline word ends(self, word lanes) noexcept nogil

    @cython.locals(same=word, other=word)
    cdef inline unsigned int danger(self, word same_ends, word other_ends) noexcept nogil

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
                   place=cython.int, square=word, flip=word, placed=word, turn=word, theirs=word)
    cdef int reaches(self, word same, word other, word other_ends, unsigned int occupied,
                     unsigned int rest, int hand, int empties, int goal, int given) except -1 nogil

    @cython.locals(here=cython.int, safe=cython.uint, number=cython.int, left=cython.uint, square=word,
                   weight=cython.int, moves=cython.int, found=cython.int, pieces=cython.uint, placed=word, full=word,
                   mine=word, replies=cython.int, follow=cython.int, gone=word, free=word, straight=cython.uint,
                   base=cython.int, lines=cython.uint, line=cython.int, bit=cython.uint, piece=cython.int,
                   flip=cython.uint, remaining=cython.uint, total=cython.int, squares=cython.int,
                   somewhere=cython.uint, keep=cython.int, reply=cython.int, good=cython.uint, promise=cython.int)
    cdef int order(self, word same, word other, word other_ends, unsigned int occupied,
                     unsigned int rest, int hand, int empties, int goal, int given) noexcept nogil

    @cython.locals(here=cython.int, moves=cython.int, number=cython.int, best=cython.int, later=cython.int,
                   move=cython.longlong, piece=cython.int, place=cython.int, square=word, flip=word, placed=word,
                   turn=word, theirs=word, replies=cython.int, effort=cython.longlong, reply=cython.int, total=cython.int, squares=cython.int,
                   follow=cython.int)
    cdef void survey(self, word same, word other, word other_ends, unsigned int occupied,
                     unsigned int rest, int hand, int empties, int found) noexcept nogil

    @cython.locals(line=cython.int, lanes=word, togo=cython.int, blocked=word, mine=cython.int, theirs=cython.int,
                   gain=cython.int)
    cdef void weigh_lines(self, word same, word other, unsigned int occupied, int weight) noexcept nogil

    @cython.locals(here=cython.int, moves=cython.int, number=cython.int, listed=cython.int,
                   place=cython.int, left=cython.uint, square=word, pending=cython.int, pieces=cython.uint,
                   placed=word, full=word, mine=word, theirs=word, bit=cython.uint, piece=cython.int, flip=word,
                   turn=word, next_same=word, next_theirs=word, remaining=cython.uint, safe=cython.uint,
                   keep=cython.int, reply=cython.int, total=cython.int, gone=word,
                   danger=cython.uint, good=cython.uint, best=cython.int, later=cython.int, move=cython.longlong,
                   shared=cython.bint, eager=cython.int, twist=cython.uint, free=word)
    cdef int reaches_late(self, word same, word other, word other_ends, unsigned int occupied,
                     unsigned int rest, int hand, int empties, int goal, int given) except -1 nogil

    @cython.locals(left=cython.uint, square=word, pieces=cython.uint, placed=word, full=word, mine=word, theirs=word,
                   bit=cython.uint, piece=cython.int, flip=word, next_same=word, next_theirs=word,
                   remaining=cython.uint, free=cython.uint, gone=word, danger=cython.uint)
    cdef int strands(self, word same, word other, word other_ends, unsigned int occupied, unsigned int rest, int hand,
                     int given) noexcept nogil

    @cython.locals(somewhere=cython.uint, given=cython.int, left=cython.uint, gone=word, free=word, danger=cython.uint)
    cdef unsigned int answer(self, word same, word other_ends, unsigned int occupied, unsigned int rest,
                             int hand) noexcept nogil

    cdef int look(self) except -1 with gil

    @cython.locals(same=word, other=word, occupied=cython.uint, square=cython.int, piece=cython.int, flip=word)
    cpdef tuple lay(self, board, int hand)

    @cython.locals(same=word, other=word, occupied=cython.uint, free=word, rest=cython.uint, square=cython.int,
                   piece=cython.int, other_ends=word, given=cython.int, result=cython.int)
    cpdef bint attains(self, board, int hand, int goal) except -1
