/** `auth-migrate report`: shows the results of all runs of a checkpoint, and makes lists from it. It changes nothing. */

import { z } from "zod";
import { RunError } from "../../errors/run-error.js";
import { openReport, type ReportSource } from "../../checkpoint/report-source.js";
import { count } from "../../report/text.js";
import { idMapCsv, idMapNdjson, reportCsv } from "../../report/lists.js";
import { makeReport, type Report, reportJson } from "../../report/report.js";
import { reportHtml } from "../../report/report-html.js";
import { reportJunit } from "../../report/report-junit.js";
import { reportMarkdown } from "../../report/report-markdown.js";
import { reportMetrics } from "../../report/report-metrics.js";
import { reportText } from "../../report/report-text.js";
import { exitCodeOfShards } from "../exit-codes.js";
import { requireNew, writeNewFile, writePieces } from "../output-file.js";
import {
  checkpoints,
  type GeneralValues,
  givenCheckpoints,
  requireOneExport,
} from "../options/general.js";
import type { OptionSpecs, ValuesOf } from "../options/option.js";
import { text } from "../options/types.js";
import { withSeenVault } from "../seen-vault.js";
import { verb } from "../verb.js";

/** A file or a variable that asks for a list once would make one of every report, so that neither does. */
const options = {
  ...checkpoints,
  format: {
    flags: "--format <name>",
    help: "text, json, markdown, html or prometheus; of rejected and skipped rows csv or junit; of a list csv or ndjson",
    docs: "([ci.md](ci.md#what-a-server-shows))",
    type: z.enum(["text", "json", "markdown", "html", "prometheus", "csv", "junit", "ndjson"]),
    defaultText: "text; of a list csv",
  },
  output: {
    flags: "--output <file>",
    help: "write it into this new file (mode 0600) instead of stdout",
    docs: "It is never written over a file that is there",
    type: text,
    variable: false,
  },
  withIds: {
    flags: "--with-ids",
    help: "name vendor's ids beside the example rows",
    variable: false,
  },
  idMap: {
    flags: "--id-map",
    help: "list the vendor's id and the core's of every user at the core",
    docs: "On the command line alone ([below](report.md#id-map))",
    variable: false,
    configured: false,
  },
} as const satisfies OptionSpecs;

type ReportValues = ValuesOf<typeof options> & GeneralValues;

type Writer = (source: ReportSource, values: ReportValues) => Iterable<string>;

function ofReport(linesOf: (report: Report) => readonly string[]): Writer {
  return (source, values) => linesOf(makeReport(source, values)).map((line) => `${line}\n`);
}

/** Of a report, the default first. A new format is a row here, and a word of `--format`. */
const REPORT: Readonly<Record<string, Writer>> = {
  text: ofReport(reportText),
  json: ofReport((report) => {
    const { type, ...fields } = reportJson(report);
    const exitCode = exitCodeOfShards(report.shards);
    return [JSON.stringify({ type, v: 1, ...fields, exitCode })];
  }),
  markdown: ofReport(reportMarkdown),
  html: (source, values) => [reportHtml(makeReport(source, values), new Date())],
  csv: reportCsv,
  junit: reportJunit,
  prometheus: ofReport(reportMetrics),
};

const ID_MAP: Readonly<Record<string, Writer>> = { csv: idMapCsv, ndjson: idMapNdjson };

export const reportVerb = verb({
  options,
  examples: [
    "auth-migrate report --format html --output report.html",
    "auth-migrate report --id-map --output ids.csv",
  ],
  check(_files, values) {
    wantedReport(values);
    requireOneExport(values);
    if (values.output !== undefined) requireNew(values.output);
  },
  async run(_files, values, terminal) {
    const { format, write } = wantedReport(values);
    const { checkpoints, manifest } = givenCheckpoints(values);
    const opened = openReport(checkpoints, manifest);
    const source = { ...opened, status: withSeenVault(opened.status) };
    try {
      const exitCode = exitCodeOfShards(source.shards);
      const pieces = inPieces(write(source, values));
      if (values.output === undefined) await writePieces(pieces, terminal.io.stdout);
      else {
        const { output } = values;
        writeNewFile(output, pieces);
        const ended = { type: "summary", command: "report", output, format, exitCode } as const;
        terminal.answer(ended, () => [`Wrote ${output}.`]);
      }
      const { unknown, failed } = source.status;
      // They may be at the core, but no list has them.
      if (values.idMap && unknown + failed > 0) {
        terminal.note(
          `${count(unknown + failed, "user")} failed or open: not in the list, but perhaps at the core. Run the same import again to find out.`,
        );
      }
      return exitCode;
    } finally {
      source.close();
    }
  },
});

function wantedReport({ idMap, format: named, output, json }: ReportValues) {
  const formats = idMap ? ID_MAP : REPORT;
  const [byDefault = ""] = Object.keys(formats);
  const asJson = json && output === undefined ? (idMap ? "ndjson" : "json") : undefined;
  const format = named ?? asJson ?? byDefault;
  if (asJson !== undefined && format !== asJson) {
    throw usage(`--json makes stdout JSON, and --format ${format} isn't.`, "Give one of the two.");
  }
  const write = formats[format];
  if (write !== undefined) return { format, write };
  throw usage(
    `report${idMap ? " --id-map" : ""} has no format ${format}.`,
    `Take one of ${Object.keys(formats).join(", ")} with --format.`,
  );
}

function usage(message: string, hint: string): RunError {
  return new RunError("usage", message, { hint });
}

/** In characters: lines are written together, because a write for each would be slow. */
const PIECE = 64 * 1024;

function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece: string[] = [];
  let length = 0;
  for (const text of texts) {
    piece.push(text);
    length += text.length;
    if (length < PIECE) continue;
    yield piece.join("");
    piece = [];
    length = 0;
  }
  if (length > 0) yield piece.join("");
}
