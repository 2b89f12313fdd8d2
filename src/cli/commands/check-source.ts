/** `auth-migrate check-source`: a mapping or a module of one's own, checked against files of its system. */

import { type CheckedFile, checkSource } from "../../conformance/check-source.js";
import { EXPECTED } from "../../conformance/expectation.js";
import { readMapping, wholeMapping } from "../../source/mapping/read-mapping.js";
import { mappedSource } from "../../source/mapping/mapped-source.js";
import { isModule } from "../../source/registry.js";
import { count, printable } from "../../report/text.js";
import { RunError } from "../../errors/run-error.js";
import { replaceFile } from "../output-file.js";
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
    const { loadSource } = await import("../../source/own-source.js");
    const source = isModule(path)
      ? await loadSource(path)
      : mappedSource(wholeMapping(path, readMapping(path)));
    let faults = 0;
    for (const file of files) {
      const { checked: found, met } = await checkSource(source, file);
      const isNew = writeExpected && met !== null;
      const checked = isNew ? rewritten(found, met) : found;
      faults += checked.faults.length;
      terminal.answer({ type: "checked", ...checked }, () => textOf(checked, isNew));
    }
    return faults === 0 ? 0 : 65;
  },
});

/** What the file came to is written as what it is to come to, in place of what was. */
function rewritten(checked: CheckedFile, met: string): CheckedFile {
  const path = `${checked.file}${EXPECTED}`;
  replaceFile(path, [met]);
  const faults = checked.faults.filter(({ code }) => code !== "not_as_expected");
  return { ...checked, expected: true, faults };
}

function textOf({ file, users, rows, expected, faults }: CheckedFile, isNew: boolean): string[] {
  const beside = !expected
    ? `; ${file}${EXPECTED}, with what each is to be, isn't there`
    : isNew
      ? `; ${file}${EXPECTED} is what each is to be from now on: read it over`
      : "";
  return [
    `${file}: ${count(users, "user")} of ${count(rows, "row")}${beside}`,
    ...faults.map(({ code, says }) => `  ${code}: ${says}`),
    faults.length === 0 ? "  no fault" : `  ${count(faults.length, "fault")}`,
  ];
}
