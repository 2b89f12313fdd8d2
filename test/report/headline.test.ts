import { describe, expect, it } from "vitest";
import type { RunProgress } from "../../src/checkpoint/run-progress.js";
import { resumedText } from "../../src/report/headline.js";
import { STATUS } from "./support/reports.js";

describe("the first line of a run that goes on", () => {
  const earlier = (progress: Partial<RunProgress>) => ({
    ...STATUS,
    progress: { done: 1210, total: 50_000, perSecond: null, leftMs: null, ...progress },
  });

  it.each([
    [
      "of a run that was stopped says what is done and what is left",
      earlier({}),
      50_000,
      "Going on: 1,200 users are at the core by earlier runs, 48,800 of 50,000 rows aren't there yet.",
    ],
    [
      "of a run that was killed before it had counted says the same",
      earlier({ total: null }),
      1201,
      "Going on: 1,200 users are at the core by earlier runs, 1 of 1,201 rows isn't there yet.",
    ],
    [
      "after a run that ended sends what is new or changed",
      earlier({ total: 1210 }),
      1260,
      "Going on: 1,200 users are at the core by earlier runs; what is new or changed is sent.",
    ],
    [
      "over a pipe, whose rows aren't counted, says what is done",
      earlier({}),
      null,
      "Going on: 1,200 users are at the core by earlier runs; what is new or changed is sent.",
    ],
  ])("%s", (_title, status, rows, line) => {
    expect(resumedText(status, rows)).toBe(line);
  });
});
