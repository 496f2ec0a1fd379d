// The stream of what the hub tells: boards, alarms, and that the session is over. It comes back by itself.

import { address, read } from "../service.js";

export function listen({ boards, alarms, tournaments, link, over }) {
  let waits = 500;
  let stream = null;
  let timer = 0;
  let stopped = false;
  function open() {
    stream = new EventSource(address("stream"));
    stream.addEventListener("boards", (event) => {
      waits = 500;
      boards(JSON.parse(event.data));
    });
    stream.addEventListener("alarms", (event) => alarms(JSON.parse(event.data)));
    stream.addEventListener("tournaments", tournaments);
    stream.addEventListener("over", () => {
      stop();
      over();
    });
    stream.addEventListener("error", async () => {
      stream.close();
      // Whether the hub is away or has forgotten who this is, only an answer tells.
      const about = await read("").catch(() => null);
      if (stopped) return;
      if (about && !about.user) {
        stop();
        return over();
      }
      link(false);
      timer = setTimeout(open, waits);
      waits = Math.min(waits * 2, 5000);
    });
  }
  function stop() {
    stopped = true;
    stream.close();
    clearTimeout(timer);
  }
  open();
  return stop;
}
