// A report for those who are asked for help: what the board finds out about itself, as a file on this device.

import { byId, make, write } from "./elements.js";
import { fetchFile } from "./service.js";
import { forgetTrouble } from "./trouble.js";
import { say } from "./words.js";

const NAME = "quarto-pi-report.tar.gz";

export function reportPart(onTrouble) {
  const take = make("button", { type: "button", id: "report-take", class: "order" }, say("take_report"));
  take.addEventListener("click", async () => {
    forgetTrouble();
    write(byId("report-told"), "");
    take.disabled = true;
    try {
      saveFile(await fetchFile("report", {}));
      write(byId("report-told"), say("report_saved"));
    } catch (error) {
      onTrouble(error);
    }
    take.disabled = false;
  });
  return make("details", { id: "report", class: "part" },
    make("summary", {}, say("report")),
    make("p", { class: "note" }, say("report_help")),
    make("div", { class: "orders" }, take),
    make("p", { id: "report-told", class: "note", role: "status" }));
}

function saveFile(file) {
  const link = make("a", { download: NAME, href: URL.createObjectURL(file) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
