/** What a step of setup is, and the one loop that walks over them. */

import { RunError } from "../../errors/run-error.js";
import type { HashConfig } from "../../hash/hash.js";
import type { HashParameterName } from "../../hash/hash-config.js";
import type { Policy } from "../../plan/policy.js";
import type { FoundUser } from "../../prove/find-users.js";
import type { ProofCode } from "../../prove/proof.js";
import type { Subject } from "../../prove/prove-users.js";
import type { GivenMap } from "../../source/generic/field-map.js";
import type { Config } from "../config-file.js";
import type { GivenKey } from "../core-config.js";
import { type Asker, BACK, type Question } from "./asker.js";
import type { Column } from "./columns.js";
import type { Answers, Places, PlannedFile } from "./configuration.js";
import type { ChosenCore, CoreAccess } from "./chosen.js";
import type { FirstLook, LookOptions } from "./first-look.js";
import type { SetupValues } from "./setup-options.js";

/** What people are told behind an answer. */
export interface Saying {
  readonly as: "found" | "warn" | "say";
  readonly text: string;
}

/** What is known so far. Each answer makes another one, so that the way back is the one before. */
export interface Known {
  readonly values: SetupValues;
  readonly policy: Policy;
  readonly said: readonly Saying[];

  readonly reading: LookOptions;
  readonly files: readonly string[];
  /** The command line names none, or others are wanted. */
  readonly asksFile: boolean;
  readonly map: GivenMap;
  /** Null until the files are read. */
  readonly look: FirstLook | null;
  /** To pick from; null where nothing is said of a column now. */
  readonly columns: readonly Column[] | null;
  readonly column: string | null;
  readonly field: string | null;
  readonly isExport: boolean;

  /** The environment's signer key; null where it has none. */
  readonly knownKey: GivenKey | null;
  /** Those of the command line turned out to be wrong. */
  readonly corrects: boolean;
  readonly way: string | null;
  readonly typed: Readonly<Partial<Record<HashParameterName, string>>>;
  /** Undefined until it is settled whether there are any; null where no hash needs them. */
  readonly hashConfig: HashConfig | null | undefined;
  readonly signerKey: string | null | undefined;

  readonly access: CoreAccess;
  readonly kind: string | null;
  readonly url: string | null;
  /** Undefined until it is settled whether there is one. */
  readonly apiKey: string | null | undefined;
  /** Why the core can't be taken as it was named. */
  readonly refused: RunError | null;
  readonly core: ChosenCore | null;

  /** What a proof is for was said. */
  readonly explained: boolean;
  /** What the proof needs next; `choice` after a failure. */
  readonly next: "user" | "password" | "prove" | "choice" | "skip";
  readonly found: FoundUser | null;
  /** All of them, as two right passwords show what one can't: that it is the key that is wrong. */
  readonly subjects: readonly Subject[];
  readonly failure: ProofCode | null;
  /** Null until it is settled. */
  readonly proof: { readonly proved: boolean; readonly user: FoundUser | null } | null;

  readonly places: Places;
  /** All answers and the files made of them; null until they are shown. */
  readonly plan: Plan | null;
  /** Why they couldn't be written. */
  readonly unwritten: RunError | null;
  /** Null until they are written. */
  readonly written: readonly string[] | null;
  /** Tells what went wrong where nothing can be asked. */
  readonly problem: (line: string) => void;
}

export interface Plan {
  readonly answers: Answers;
  readonly files: readonly PlannedFile[];
}

export type Change = Partial<Known>;

/**
 * A step. What only some answers need is a step whose condition asks for them. To add one, put it
 * where it is asked into the list of its topic.
 */
export interface Step {
  /** Whether what is known leaves it open. The first open step of the table is the next one. */
  isOpen(known: Known): boolean;
  /** What the command line says in its place, or what follows by itself; null where it has to be asked. */
  given?(known: Known, canAsk: boolean): Change | null | Promise<Change | null>;
  /** The option that gives it, for those who can't be asked. */
  readonly option?: string;
  /** Said before the question. */
  says?(known: Known): string;
  question(known: Known): Question;
  /**
   * What is known with an answer.
   *
   * @throws RunError that is told, and the question asked again
   */
  check(answer: string, known: Known): Change | Promise<Change>;
  /**
   * What of it goes into the configuration.
   *
   * @param earlier the configuration that is there already; empty where none is
   */
  writes?(known: Known, earlier: Config): object;
}

/**
 * Walks until no step is open. Back leads to the question before, with what was known there.
 *
 * @param asker null where no question can be asked
 * @throws RunError `usage` where an answer is missing and can't be asked for; `confirmation_declined`
 *   where the operator cancels; what a given answer's check throws
 */
export async function walkOver(
  steps: readonly Step[],
  start: Known,
  asker: Asker | null,
): Promise<Known> {
  const before: Known[] = [];
  const tell = (said: readonly Saying[] = []): void => {
    for (const { as, text } of said) asker?.[as](text);
  };
  let known = start;
  for (;;) {
    const step = steps.find((one) => one.isOpen(known));
    if (step === undefined) return known;
    const given = (await step.given?.(known, asker !== null)) ?? null;
    if (given !== null) {
      tell(given.said);
      known = { ...known, ...given, said: [...known.said, ...(given.said ?? [])] };
      continue;
    }
    if (asker === null) throw unanswered([step.option ?? "an answer"]);
    const says = step.says?.(known) ?? "";
    if (says !== "") asker.say(says);
    const here = known;
    const back = before.length > 0;
    const answer = await asker.ask(step.question(here), (text) => step.check(text, here), back);
    if (answer === BACK) {
      known = before.pop() ?? start;
      tell(known.said);
    } else {
      before.push(here);
      tell(answer.said);
      known = { ...here, said: [], ...answer };
    }
  }
}

/** What goes into the configuration of all that is known. */
export function writtenBy(steps: readonly Step[], known: Known, earlier: Config): Config {
  return Object.assign({}, ...steps.map((step) => step.writes?.(known, earlier) ?? {}));
}

/** @throws RunError `usage` that says all of what is missing, so that a job is mended in one go */
export function unanswered(missing: readonly string[]): RunError {
  return new RunError(
    "usage",
    `Setup needs an answer and can't ask for it: ${missing.join("; ")}.`,
    {
      hint: "Give them on the command line, or run auth-migrate setup at a terminal, without --no-input and --json.",
    },
  );
}
