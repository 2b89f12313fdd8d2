/** `auth-migrate check-source`: a mapping or a module of one's own, checked against files of its system. */

import { writeFileSync } from "node:fs";
import { type CheckedFile, checkSource, EXPECTED } from "../../conformance/check-source.js";
import { readMapping } from "../../source/mapping/mapping-file.js";
import { mappedSource } from "../../source/mapping/mapped-source.js";
import { isModule, loadSource } from "../../source/own-source.js";
import { count } from "../../report/text.js";
import { RunError } from "../../errors/run-error.js";
import { printable } from "../terminal.js";
import { verb } from "../verb.js";

export const checkSourceVerb = verb({
  options: {
    writeExpected: {
      flags: "--write-expected",
      group: "Everyday options",
      help: "write beside each file what its rows came to, to be read over and compared with from then on",
      variable: false,
      configured: false,
    },
  },
  examples: [
    "auth-migrate check-source acme.yaml users.json",
    "auth-migrate check-source ./acme.js users.json locked-users.csv",
  ],
  check([path, ...files]) {
    if (path !== undefined && files.length > 0) return;
    throw new RunError(
      "usage",
      "check-source needs a mapping or a module, and files of its users.",
      {
        hint: "Write: auth-migrate check-source acme.yaml users.json",
      },
    );
  },
  async run([path = "", ...files], { writeExpected }, terminal) {
    if (isModule(path)) terminal.note(`Running the code of ${printable(path)}, as you say`);
    const source = isModule(path) ? await loadSource(path) : mappedSource(readMapping(path));
    let faults = 0;
    for (const file of files) {
      const { items, ...checked } = await checkSource(source, file);
      const text = `${JSON.stringify({ map: {}, items }, null, 1)}\n`;
      // It holds what the file holds of its users.
      if (writeExpected) writeFileSync(`${file}${EXPECTED}`, text, { mode: 0o600 });
      faults += checked.faults.length;
      if (terminal.outputMode.json) terminal.event({ type: "checked", ...checked });
      else for (const line of textOf(checked)) terminal.result(printable(line));
    }
    return faults === 0 ? 0 : 65;
  },
});

function textOf({ file, users, rows, expected, faults }: Omit<CheckedFile, "items">): string[] {
  const beside = expected ? "" : `; ${file}.expected.json, with what each is to be, isn't there`;
  return [
    `${file}: ${count(users, "user")} of ${count(rows, "row")}${beside}`,
    ...faults.map(({ code, says }) => `  ${code}: ${says}`),
    faults.length === 0 ? "  no fault" : `  ${count(faults.length, "fault")}`,
  ];
}
