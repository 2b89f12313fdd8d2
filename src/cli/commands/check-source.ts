/** `auth-migrate check-source`: a mapping or a module of one's own, checked against files of its system. */

import { type CheckedFile, checkSource } from "../../conformance/check-source.js";
import { EXPECTED } from "../../conformance/expectation.js";
import { readMapping, wholeMapping } from "../../source/mapping/read-mapping.js";
import { mappedSource } from "../../source/mapping/mapped-source.js";
import { checkInputs } from "../../source/inputs.js";
import { isModule, SOURCES } from "../../source/registry.js";
import { count, printable } from "../../report/text.js";
import { RunError } from "../../errors/run-error.js";
import { systemOf } from "../database.js";
import type { ExitCode } from "../exit-codes.js";
import { type DatabaseValues, inputNamer, requireDatabases } from "../input-database.js";
import { pick } from "../options/option.js";
import { files, type FilesValues } from "../options/reading.js";
import { replaceFile } from "../output-file.js";
import type { Terminal } from "../terminal.js";
import { verb } from "../verb.js";

export const checkSourceVerb = verb({
  options: {
    printQuery: {
      flags: "--print-query",
      help: "show the query for --from's users in their system's database, or in the one whose URL is named",
      variable: false,
      configured: false,
    },
    ...pick(files, "from", "mapping", "table", "inputPasswordFile"),
    writeExpected: {
      flags: "--write-expected",
      help: "write beside each file what its rows came to, to be read over and compared with from then on",
      variable: false,
      configured: false,
    },
  },
  examples: [
    "auth-migrate check-source acme.yaml users.json",
    "auth-migrate check-source --print-query --from django",
  ],
  check([path, ...files], values) {
    if (values.printQuery) {
      requirePrintable(path, files, values);
      return;
    }
    if (path !== undefined && files.length > 0) return;
    const needs = "check-source needs a mapping or a module, and files of its users.";
    throw new RunError("usage", needs, {
      hint: "Write: auth-migrate check-source acme.yaml users.json",
    });
  },
  async run([path = "", ...files], { writeExpected, ...values }, terminal) {
    if (values.printQuery) return printQuery(path, values, terminal);
    if (isModule(path)) terminal.note(`Running the code of ${printable(path)}, as you say`);
    const { loadSource } = await import("../../source/own-source.js");
    const source = isModule(path)
      ? await loadSource(path)
      : mappedSource(wholeMapping(path, readMapping(path)));
    let faults = 0;
    for (const file of files) {
      const { checked: found, met } = await checkSource(source, file);
      const isNew = writeExpected && met !== null;
      // What the file came to is written as what it is to come to, in place of what was.
      if (isNew) replaceFile(`${found.file}${EXPECTED}`, [met]);
      const others = found.faults.filter(({ code }) => code !== "not_as_expected");
      const checked = isNew ? { ...found, expected: true, faults: others } : found;
      faults += checked.faults.length;
      terminal.answer({ type: "checked", ...checked }, () => textOf(checked, isNew));
    }
    return faults === 0 ? 0 : 65;
  },
});

type QueryValues = DatabaseValues & Partial<Pick<FilesValues, "from" | "mapping">>;

function requirePrintable(
  url: string | undefined,
  others: readonly string[],
  values: QueryValues,
): void {
  const { from, mapping } = values;
  const isDatabase = url === undefined || systemOf(url) !== null;
  if (others.length === 0 && isDatabase && (url ?? from ?? mapping) !== undefined) {
    requireDatabases(url === undefined ? [] : [url], values);
    return;
  }
  throw new RunError("usage", "--print-query needs --from, or the URL of one database.", {
    hint: "Write: auth-migrate check-source --print-query --from django",
  });
}

const ALL_TABLES =
  "These are all tables that the system may have. Leave out the lines of those that aren't there; or name the database's URL, and the query has those that are.";

async function printQuery(url: string, values: QueryValues, terminal: Terminal): Promise<ExitCode> {
  const { from, mapping } = values;
  const { named, mapped } = checkInputs([], { from, mapping });
  const source = mapped ?? named;
  const [input] = await inputNamer(values, terminal)(url === "" ? [] : [url]);
  const { queryIn, usualQueryOf } = await import("../../source/database/open-database.js");
  const isSeen = typeof input === "object" && "login" in input;
  const sql = isSeen
    ? await queryIn(input, source === null ? SOURCES : [source])
    : usualQueryOf(source, from ?? mapping ?? "");
  if (!isSeen) terminal.note(ALL_TABLES);
  if (terminal.outputMode.json) terminal.event({ type: "query", sql });
  else for (const line of `${sql};`.split("\n")) terminal.verbatim(printable(line));
  return 0;
}

function textOf({ file, users, rows, expected, faults }: CheckedFile, isNew: boolean): string[] {
  const beside = !expected
    ? ""
    : isNew
      ? `; ${file}${EXPECTED} is what each is to be from now on: read it over`
      : "";
  return [
    `${file}: ${count(users, "user")} of ${count(rows, "row")}${beside}`,
    ...faults.map(({ code, says }) => `  ${code}: ${says}`),
    faults.length === 0
      ? "  every row is read, nothing at fault"
      : `  ${count(faults.length, "fault")}`,
  ];
}
