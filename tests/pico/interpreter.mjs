// A Pico without the Pico: MicroPython as WebAssembly, with its pins, bus, cable and time at the other end of two pipes.
//
//   node interpreter.mjs FOLDER_OF_THE_PACKAGE STAND_INS FLASH IN OUT START KILOBYTES_OF_HEAP
//
// Every request goes to the test's Python and waits for its answer, so the interpreter runs only while the test lets it.
// A request: operation (1), number of pins driven (1), length (4), nanoseconds that the processor has taken (4), pins,
// payload. An answer: the node's clock in microseconds (8), the number of pins that
// have moved (1) with pin (1), level (1) and moment (8) each, the bytes that have come in on the cable (4 + n), payload.

import fs from "node:fs";
import path from "node:path";
import url from "node:url";

const [packageFolder, standIns, flash, input, output, start, heap] = process.argv.slice(2);
const IN = Number(input), OUT = Number(output);
const TRANSFER = 1, WAIT = 2, SEND = 3, DRIVE = 4, WATCHDOG = 5, RESET = 6, PRINT = 7, DIM = 8, RECEIVE = 9;

let memory;
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
    const made = await instantiate(...given);
    memory = Object.values((made.instance ?? made).exports).find((thing) => thing instanceof WebAssembly.Memory);
    return made;
};

let inbox = Buffer.alloc(65536); // the newest answer, its length (4) first
let now = 0;            // the node's clock, in microseconds
let spent = 0;          // what the processor has taken since then, in nanoseconds
let moment = null;      // while an interrupt is served: when its pin moved
let moved = [];         // [pin, level, moment]
let arrived = [];       // bytes from the cable
let changes = [];       // pins that were driven since the last request
const levels = new Map();

function receive(have) {
    try {
        return fs.readSync(IN, inbox, have, inbox.length - have, null);
    } catch {
        return 0;
    }
}

// The answer, which stays where it is until the next one comes.
function readAnswer() {
    let have = 0, whole = 4;
    while (have < whole) {
        const count = receive(have);
        if (count === 0) process.exit(0); // the test has gone
        have += count;
        if (have >= 4) whole = 4 + inbox.readUInt32LE(0);
        if (whole > inbox.length) inbox = Buffer.concat([inbox, Buffer.alloc(whole)]);
    }
    return inbox.subarray(4, whole);
}

function ask(operation, payload = Buffer.alloc(0)) {
    const head = Buffer.alloc(10);
    head[0] = operation;
    head[1] = changes.length / 2;
    head.writeUInt32LE(payload.length, 2);
    head.writeUInt32LE(spent, 6);
    spent = 0;
    fs.writeSync(OUT, Buffer.concat([head, Buffer.from(changes), payload]));
    changes = [];
    const answer = readAnswer();
    now = Number(answer.readBigUInt64LE(0));
    let at = 9;
    for (let left = answer[8]; left > 0; left--, at += 10) {
        moved.push([answer[at], answer[at + 1], Number(answer.readBigUInt64LE(at + 2))]);
    }
    const count = answer.readUInt32LE(at);
    at += 4;
    for (let index = 0; index < count; index++) arrived.push(answer[at + index]);
    return answer.subarray(at + count);
}

const number = (value) => { const payload = Buffer.alloc(4); payload.writeUInt32LE(value); return payload; };
const copyOf = (address, count) => Buffer.from(new Uint8Array(memory.buffer, address, count));

const clock = () => moment ?? now + Math.floor(spent / 1000);

// Numbers in, numbers out: nothing of this makes MicroPython allocate memory.
const board = {
    transfer(out, back, count, hertz) {
        const answer = ask(TRANSFER, Buffer.concat([number(hertz), copyOf(out, count)]));
        new Uint8Array(memory.buffer, back, count).set(answer);
    },
    wait(microseconds) { ask(WAIT, number(Math.max(0, microseconds))); },
    drive(pin, level) { changes.push(pin, level); levels.set(pin, level); },
    pull_up(pin) { if (!levels.has(pin)) levels.set(pin, ask(RECEIVE, Buffer.from([pin]))[0]); },
    level(pin) { return levels.get(pin) ?? 1; },
    dim(pin, duty) { ask(DIM, Buffer.concat([Buffer.from([pin]), number(duty)])); },
    start() { return Number(start); },
    us() { return clock() % 2 ** 30; },
    ms() { return Math.floor(clock() / 1000) % 2 ** 30; },
    spend(nanoseconds) { spent += nanoseconds; },
    next_moved() { // the pin of the next interrupt, -1 if there is none
        moment = null;
        if (moved.length === 0) return -1;
        const [pin, level, at] = moved.shift();
        levels.set(pin, level);
        moment = at;
        return pin;
    },
    available() { return arrived.length; },
    take() { return arrived.shift(); },
    room() { return ask(SEND)[0]; },
    send(address, count) { ask(SEND, copyOf(address, count)); },
    watch(milliseconds) { ask(WATCHDOG, number(milliseconds)); },
    reset(how) { stop(how); },
};

const { loadMicroPython } = await import(url.pathToFileURL(path.join(packageFolder, "micropython.mjs")));
const repl = { on: false, said: [] };
const mp = await loadMicroPython({
    heapsize: Number(heap) * 1024,
    linebuffer: false,
    stdout: (bytes) => repl.on ? repl.said.push(...bytes) : ask(PRINT, Buffer.from(bytes)),
    stderr: (bytes) => ask(PRINT, Buffer.from(bytes)),
});
const FS = mp.FS;

function copyIn(from, to) {
    FS.mkdirTree(to);
    for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
        const [source, target] = [path.join(from, entry.name), `${to}/${entry.name}`];
        if (entry.isDirectory()) copyIn(source, target);
        else FS.writeFile(target, fs.readFileSync(source));
    }
}

function copyOut(from, to) {
    fs.rmSync(to, { recursive: true, force: true });
    fs.mkdirSync(to, { recursive: true });
    for (const name of FS.readdir(from).filter((name) => name !== "." && name !== "..")) {
        const [source, target] = [`${from}/${name}`, path.join(to, name)];
        if (FS.isDir(FS.stat(source).mode)) copyOut(source, target);
        else fs.writeFileSync(target, FS.readFile(source));
    }
}

function say() {
    if (repl.said.length > 0) ask(SEND, Buffer.from(repl.said.splice(0)));
}

function stop(how) {
    say();
    copyOut("/flash", flash);
    ask(RESET, number(how));
    process.exit(0);
}

copyIn(standIns, "/stand_ins");
copyIn(flash, "/flash");
mp.registerJsModule("_board", board);
try {
    mp.runPython(FS.readFile("/stand_ins/begin.py", { encoding: "utf8" }));
} catch (error) {
    ask(PRINT, Buffer.from(String(error.message ?? error)));
}
// main.py has come to its end: what is left is the prompt, as on a Pico
repl.on = true;
mp.replInit();
for (;;) {
    say();
    while (arrived.length === 0) ask(WAIT, number(5000));
    // A prompt that is fed with single bytes cannot do raw-paste; this is how a board says so, and mpremote pastes slower.
    while (arrived.length > 0) {
        const byte = arrived.shift();
        if (byte === 5) {
            while (arrived.length < 2) ask(WAIT, number(100));
            arrived.splice(0, 2);
            repl.said.push(82, 0);
        } else if (mp.replProcessChar(byte)) mp.replInit();
    }
}
