// What the hub refuses, in the words of the page's language; who is logged in no more is asked to log in.

import { complain as complainOfBoard, tellBelow } from "../trouble.js";
import { say } from "../words.js";

const REASONS = { "log in": "login_first", "login wrong": "login_wrong", "login wait": "login_wait", "not yours": "not_yours" };

let askForLogin = () => {};

export function onLogin(ask) {
  askForLogin = ask;
}

export function complain(error) {
  if (error.reason === "log in") askForLogin();
  if (REASONS[error.reason]) return tellBelow(say(REASONS[error.reason]));
  // What people have typed is refused in the sentence that says what to do, which is English.
  if (error.status === 400 || error.status === 409) return tellBelow(error.message);
  complainOfBoard(error);
}
