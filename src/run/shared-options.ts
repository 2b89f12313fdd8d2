/** Options of a run that the command line and the library's callers share: one object has flag, help, docs and type. A new one stands here, and is read where it acts. */

import { z } from "zod";
import { BULK_MODES } from "./bulk/mode.js";

/** Any text, be it empty. */
export const anyText = z.string();

/** A name, a file or an address. An unset variable of a shell makes an empty one, and of that SQLite makes a database that is gone at the end. */
export const text = anyText.min(1, "It must not be empty.");

/** From 0. */
export const wholeNumber = anyText
  .regex(/^\d{1,15}$/, "It must be a whole number.")
  .transform(Number);

/** From 1. */
export const positiveNumber = wholeNumber.refine((value) => value > 0, "It must be at least 1.");

const RATE = "Write calls a second, as in 200 or 0.5.";

/** Calls a second, above 0. */
export const callRate = anyText
  .regex(/^\d{1,9}(?:\.\d{1,9})?$/, RATE)
  .transform(Number)
  .refine((rate) => rate > 0, RATE);

/** Of a dry run and of an import. */
export const limits = {
  /**
   * A pilot: most users to be sent, all of them where undefined. Rows of users who are finished or
   * left out don't count. The next run without it goes on with the rest.
   */
  limit: {
    flags: "--limit <n>",
    group: "Pace and limits",
    help: "a pilot: end after so many users were sent",
    docs: "([import.md](import.md#a-pilot))",
    type: positiveNumber,
  },
  /**
   * A new file for the rows of rejects and failures as they stood in the inputs; where one is there
   * already, it gets a number behind its name.
   */
  rejectsOut: {
    flags: "--rejects-out <file>",
    help: "write the rows of rejects and failures there, to be mended and imported",
    brief: "write rejected rows there, to be mended and imported",
    docs: "([rejects.md](rejects.md#mending-rejects))",
    type: text,
  },
} as const;

/** Of every command that calls a core, and of a dry run, which tells by it how long an import takes. */
export const pace = {
  /** Most calls a second, lookups included; may be a fraction. By default as many as the core takes. */
  rate: {
    flags: "--rate <n>",
    group: "Pace and limits",
    help: "most calls a second, lookups among them; 0.5 is one in two seconds",
    docs: "([import.md](import.md#pace-and-patience))",
    type: callRate,
  },
} as const;

/** Of an import, and of a dry run that asks a core. */
export const sending = {
  /** How new users are sent: `auto` by default, from a thousand on by the queue of a remote core that offers one. */
  bulk: {
    flags: "--bulk <when>",
    group: "Pace and limits",
    help: "whether new users go by the remote core's queue: auto (from 1,000 on), always or never",
    docs: "([bulk.md](bulk.md))",
    type: z.enum(BULK_MODES),
    default: "auto",
  },
} as const;

/** The same options as callers of the library give them. */
export type Given<S> = {
  readonly [Name in keyof S]?:
    | (S[Name] extends { readonly type: z.ZodType<infer Value> } ? Value : boolean)
    | undefined;
};
