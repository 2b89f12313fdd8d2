/** Options of `report`. A file or a variable that asks for a list once would make one of every report, so that neither does. */

import { z } from "zod";
import { checkpoints } from "./general.js";
import type { OptionSpecs } from "./option.js";
import { anyText, text } from "./types.js";

export const report = {
  ...checkpoints,
  format: {
    flags: "--format <name>",
    group: "Everyday options",
    help: "text, json, markdown, html or prometheus; of rejected rows csv or junit; of a list csv or ndjson",
    docs: "[ci.md](ci.md#what-a-server-shows) says what takes junit and prometheus",
    type: z.enum(["text", "json", "markdown", "html", "prometheus", "csv", "junit", "ndjson"]),
    defaultText: "text; of a list csv",
  },
  output: {
    flags: "--output <file>",
    group: "Everyday options",
    help: "write it into this new file (mode 0600) instead of stdout",
    docs: "It is never written over a file that is there",
    type: text,
    variable: false,
  },
  withIds: {
    flags: "--with-ids",
    group: "Everyday options",
    help: "name vendor's ids beside the example rows",
    variable: false,
  },
  idMap: {
    flags: "--id-map",
    group: "Everyday options",
    help: "list the vendor's id and the core's of every user at the core",
    docs: "See [Id map](report.md#id-map). An argument only: no variable and no configuration file gives it",
    variable: false,
    configured: false,
  },
  undo: {
    flags: "--undo",
    group: "Everyday options",
    help: "list the core's users whom this migration made",
    docs: "See [Undo list](report.md#undo-list). An argument only, too",
    variable: false,
    configured: false,
  },
  from: {
    flags: "--from <source>",
    group: "Everyday options",
    help: "of a list: users of this source alone",
    type: text,
  },
  namespace: {
    flags: "--namespace <name>",
    group: "Everyday options",
    help: "of a list: users of this namespace alone",
    type: anyText,
  },
} as const satisfies OptionSpecs;
