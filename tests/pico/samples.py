"""Messages to try the protocol with, made from plain numbers; runs on CPython and on MicroPython."""

from quarto_pi.firmware import protocol
from quarto_pi.firmware.protocol import Reader, Writer
from quarto_pi.firmware.said_by_host import Configuration, Expectation, Hello, Lights, Restart, self_test
from quarto_pi.firmware.said_by_node import Figures, Health, Look, Presses, State, Welcome


def look_of(fields):  # noqa: ANN001, ANN201 - MicroPython runs this too
    """A look: looks, outcome, fault, moment, UIDs in hex."""
    look = Look()
    look.looks, look.outcome, look.fault, look.at, uids = fields
    look.count = len(uids)
    for uid in uids:
        look.add(bytes.fromhex(uid))
    return look


def presses_of(fields):  # noqa: ANN001, ANN201
    """A button: how often it moved before, and the moments since, the newest last."""
    before, moments = fields
    presses = Presses()
    presses.count = before
    presses.down = bool(before % 2)
    for at in moments:
        presses.note(not presses.down, at)
    return presses


def figures_of(fields):  # noqa: ANN001, ANN201
    """A reader's figures, in the order of `Figures.NAMES`."""
    figures = Figures()
    for name, value in zip(Figures.NAMES, fields):  # noqa: B905 - MicroPython has no strict
        setattr(figures, name, value)
    return figures


def message_of(name, fields):  # noqa: ANN001, ANN201
    """The message of this name with these fields; a function for those that have none."""
    if name == "state":
        looks = [look_of(look) for look in fields["looks"]]
        looks += [Look() for _ in range(protocol.CELLS - len(looks))]
        state = State(looks, [presses_of(button) for button in fields["buttons"]])
        for key in ("boot", "at", "sweeps", "configured", "expected", "damaged", "free"):
            setattr(state, key, fields[key])
        state.lights[:] = bytes(fields["lights"])
        return state
    if name == "health":
        rows = [figures_of(row) for row in fields["figures"]]
        health = Health(rows + [Figures() for _ in range(protocol.CELLS - len(rows))])
        health.boot, health.at, health.tests = fields["boot"], fields["at"], fields["tests"]
        return health
    if name == "configuration":
        configuration = Configuration()
        for key in fields:
            setattr(configuration, key, fields[key])
        return configuration
    if name == "welcome":
        welcome = Welcome(fields["boot"], fields["build"], fields["board"], fields["serial"], fields["broke"])
        welcome.session = fields["session"]
        return welcome
    if name == "expectation":
        return Expectation(fields["number"], [(cell, bytes.fromhex(uid)) for cell, uid in fields["uids"]])
    if name == "lights":
        return Lights(bytes(fields["levels"]))
    if name == "self-test":
        return self_test
    return {"hello": Hello, "restart": Restart}[name](*fields.values())


READERS = {
    protocol.STATE: State,
    protocol.HEALTH: Health,
    protocol.WELCOME: Welcome,
    protocol.CONFIGURE: Configuration,
    protocol.EXPECT: Expectation,
    protocol.HELLO: Hello,
    protocol.LIGHTS: Lights,
    protocol.RESTART: Restart,
}


def written(message, writer):  # noqa: ANN001, ANN201
    """The bytes of a message's frame."""
    return bytes(message(writer) if callable(message) else message.write(writer))


def frame_in(data):  # noqa: ANN001, ANN201
    """The frame that these bytes are, whoever said it; None if they are none."""
    for hears_host in (False, True):
        reader = Reader(hears_host=hears_host)
        reader.feed(data)
        frame = reader.next()
        if frame is not None and not reader.damaged:
            return frame
    return None


def complaints(vectors):  # noqa: ANN001, ANN201
    """What is wrong with these vectors: each message has to become these bytes, and they have to become it again."""
    found = []
    for vector in vectors:
        name, frame = vector["message"], bytes.fromhex(vector["frame"])
        if written(message_of(name, vector["fields"]), Writer()) != frame:
            found.append(name + " is written otherwise")
        read = frame_in(frame)
        if read is None:
            found.append(name + " is not read")
        elif read.kind in READERS and written(READERS[read.kind].read(read.payload), Writer()) != frame:
            found.append(name + " is read otherwise")
    return found
