// The board's service: reading, asking for something, and the stream of what happens.

const ROOT = "api/v1/";
const PIN = "quarto-pin";

// What the board refuses: the status, and as a word the reason, where it gives one.
export class Refused extends Error {
  constructor(status, { error, reason } = {}) {
    super(error ?? String(status));
    this.status = status;
    this.reason = reason;
  }
}

export async function read(path) {
  const answer = await fetch(ROOT + path, { cache: "no-store" });
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => ({})));
  return answer.json();
}

export function address(path) {
  return ROOT + path;
}

export function knowPin(pin) {
  sessionStorage.setItem(PIN, pin);
}

async function ask(path, type, body) {
  const headers = { "Content-Type": type };
  const pin = sessionStorage.getItem(PIN);
  if (pin) headers["X-Pin"] = pin;
  const answer = await fetch(ROOT + path, { method: "POST", headers, body });
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => ({})));
  return answer;
}

// A board without a clock is told the time by the first who has shown the PIN.
let owesTime = false;

export function oweTime(owes) {
  owesTime = owes;
}

function payTime() {
  if (!owesTime || !sessionStorage.getItem(PIN)) return;
  owesTime = false;
  ask("time", "application/json", JSON.stringify({ now: Date.now() / 1000 })).catch(() => {});
}

async function send(path, body) {
  const answer = await ask(path, "application/json", JSON.stringify(body));
  payTime();
  return answer.json().catch(() => ({}));
}

// A file that the board hands out, and one that it is to take.
export async function fetchFile(path, body) {
  return (await ask(path, "application/json", JSON.stringify(body))).blob();
}

export async function upload(file) {
  return (await ask("saved/file", "application/vnd.sqlite3", file)).json();
}

export async function sendFile(path, file) {
  return (await ask(path, "application/octet-stream", file)).json();
}

export function uploadUpdate(file) {
  return sendFile("update/file", file);
}

// What hands do happens in the order in which they did it: each request waits for the one before.
let last = Promise.resolve();

export function post(path, body) {
  const mine = last.then(() => send(path, body));
  last = mine.catch(() => {});
  return mine;
}

// Calls `onState` with every snapshot and `onLink` with whether the board is heard; comes back by itself.
export function listen(onState, onLink) {
  let waits = 500;
  function open() {
    const stream = new EventSource(`${ROOT}stream`);
    stream.addEventListener("state", (event) => {
      waits = 500;
      onState(JSON.parse(event.data));
    });
    stream.addEventListener("open", () => onLink(true));
    stream.addEventListener("error", () => {
      stream.close();
      onLink(false);
      setTimeout(open, waits);
      waits = Math.min(waits * 2, 2000);
    });
  }
  open();
}
