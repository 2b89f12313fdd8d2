import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  HASH_CONFIG,
  IMPORT_DEMO,
  type JsonLine,
  jsonLines,
  PROBLEMS,
  workFolders,
  writeInto,
} from "../cli/support.js";
import { runCli } from "../support/cli.js";
import { makeReport } from "../../src/report/report.js";
import { reportHtml } from "../../src/report/report-html.js";
import { refusal, reportSource, runRecord, sampleAt, STATUS } from "../report/support/reports.js";
import { CHROMIUM } from "./support/require-programs.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const workFolder = workFolders();

/** How people look at it. */
const LOOKS = [
  { name: "in light", width: 1280, colorScheme: "light" },
  { name: "in dark", width: 1280, colorScheme: "dark" },
  { name: "on a phone", width: 375, colorScheme: "light" },
  { name: "on a phone in dark", width: 320, colorScheme: "dark" },
] as const;

/** Half of a test's own time: others load the machine. */
const PATIENCE_MS = 150_000;

let browser: Browser;
beforeAll(async () => {
  // A container's root has no sandbox to offer; only pages of ours are opened.
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox"],
    timeout: PATIENCE_MS,
  });
});
afterAll(() => browser?.close());

interface Opened {
  readonly page: Page;
  /** What the console said, and what was requested beside the file itself. */
  readonly noise: readonly string[];
  /** Requests that the page's own policy has kept from being made. */
  readonly blocked: readonly string[];
}

async function open(html: string, look: (typeof LOOKS)[number] = LOOKS[0]): Promise<Opened> {
  const file = join(workFolder(), "report.html");
  const url = pathToFileURL(file).href;
  writeInto(join(file, ".."), "report.html", html);
  const { width, colorScheme } = look;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const noise: string[] = [];
  const blocked: string[] = [];
  page.on("console", (message) => noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (request.url() !== url) noise.push(`request: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "csp") blocked.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, noise, blocked };
}

/** What axe-core objects to. */
async function objections(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    "axe.run().then(({ violations }) => violations)",
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Label and number of each bar of a chart, and how wide the bar is. */
async function bars(page: Page, chart: string): Promise<[string, number, number][]> {
  return page
    .locator(`svg:has(#${chart}-title) g[data-label]`)
    .evaluateAll((groups) =>
      groups.map((group): [string, number, number] => [
        group.getAttribute("data-label") ?? "",
        Number(group.getAttribute("data-count")),
        Number(group.querySelectorAll("rect")[1]?.getAttribute("width")),
      ]),
    );
}

/** A real checkpoint's page and its JSON. */
async function demoReport(): Promise<{ html: string; json: JsonLine }> {
  const cwd = workFolder();
  expect((await runCli(IMPORT_DEMO, { cwd })).code).toBe(0);
  await runCli(["import", PROBLEMS, "--hash-config", HASH_CONFIG], { cwd });
  const { stdout: html } = await runCli(["report", "--format", "html"], { cwd });
  const [json = { type: "" }] = jsonLines((await runCli(["report", "--json"], { cwd })).stdout);
  return { html, json };
}

/** A page with everything on it: long names, many codes, pauses, several runs. */
function fullPage(): string {
  const codes = Array.from({ length: 18 }, (_code, at) => `a_reason_with_a_long_name_number_${at}`);
  const samples = Array.from({ length: 300 }, (_sample, at) =>
    sampleAt(at * 1000, at * at, Math.min(Math.max(at - 20, 0), 30) * 1000),
  );
  const waits = { outage: { count: 2, ms: 30_000 } };
  return reportHtml(
    makeReport(
      reportSource({
        runs: [
          runRecord({ samples, waits, pauses: 2, pausedMs: 30_000 }),
          runRecord({ number: 2, ending: "failed", reason: "outage", samples: [] }),
        ],
        refused: codes.flatMap((code, at) =>
          Array.from({ length: 20 - at }, (_row, number) => refusal(number + 1, { code })),
        ),
      }),
    ),
  );
}

/** A night with 50,000 users, of whom 1,400 were rejected for a dozen reasons. */
function nightPage(): string {
  const codes = Array.from({ length: 12 }, (_code, at) => `a_reason_of_number_${at}`);
  const refused = Array.from({ length: 1400 }, (_row, at) =>
    refusal(at * 35 + 1, { code: codes[Math.floor((at * at) / 170_000)] ?? "other" }),
  );
  const rejects: Record<string, number> = {};
  for (const { code } of refused) rejects[code] = (rejects[code] ?? 0) + 1;
  const none = { existed: 0, failed: 0, queued: 0, pending: 0, unknown: 0, failures: {} };
  const status = { ...STATUS, ...none, users: 50_000, imported: 40_380, created: 7540 };
  const counted = { ...status, skipped: 680, skips: { disabled: 680 }, rejected: 1400, rejects };
  return reportHtml(makeReport(reportSource({ status: counted, refused })));
}

describe("the page of a real checkpoint", () => {
  it("draws the checkpoint's numbers, makes no noise and asks for nothing", async () => {
    const { html, json } = await demoReport();
    const { page, noise } = await open(html);
    const outcomes = await bars(page, "outcomes");
    expect(outcomes.map(([label, count]) => [label, count])).toEqual(
      ["imported", "created", "skipped", "rejected"].map((name) => [name, json[name]]),
    );
    for (const chart of ["outcomes", "notices"]) {
      const drawn = await bars(page, chart);
      const most = Math.max(...drawn.map(([, count]) => count));
      for (const [, count, width] of drawn) {
        expect(width).toBeCloseTo(Math.max(2, (count / most) * 360), 0);
      }
    }
    await expect(page.locator("h1").innerText()).resolves.toBe("Migration report");
    expect(noise).toEqual([]);
  });

  it("says the same in the table behind each chart", async () => {
    const { html } = await demoReport();
    const { page } = await open(html);
    for (const chart of ["outcomes", "notices"]) {
      const card = page.locator(`section:has(#${chart}-title)`);
      await card.locator("summary").click();
      const shown = await card.locator("tbody tr").allInnerTexts();
      for (const [at, [, count]] of (await bars(page, chart)).entries()) {
        expect(shown[at]).toContain(count.toLocaleString("en-US"));
      }
    }
  });
});

describe("the page", () => {
  it.each(LOOKS)("is accessible, whole and quiet $name", async (look) => {
    const { page, noise } = await open(fullPage(), look);
    expect(await objections(page)).toEqual([]);
    await page.locator("details").evaluateAll((all) => {
      for (const details of all) details.setAttribute("open", "");
    });
    expect(await objections(page)).toEqual([]);
    const root = "document.documentElement";
    const overflow = await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`);
    expect(overflow).toBe(0);
    expect(noise).toEqual([]);
  });

  it.each(LOOKS)(
    "of a night with 50,000 users says first how it ended and what is next $name",
    async (look) => {
      const { page } = await open(nightPage(), look);
      const verdict = page.locator(".verdict");
      expect(await verdict.allInnerTexts()).toEqual([
        "47,920 of 50,000 users are at the core (96 %), 1,400 rejected, 680 skipped.",
        "No run is going on, and no user is open or failed. 1,400 rows are rejected: mend them as the code says and import them, or go on without them. To compare them with the core, now or later, run reconcile.",
      ]);
      const ends = await verdict.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().bottom),
      );
      // What the smallest phones show.
      expect(Math.max(...ends)).toBeLessThan(480);
      expect(await objections(page)).toEqual([]);
    },
  );

  it.each(LOOKS)("has no labels that overlap or are cut off $name", async (look) => {
    const { page } = await open(fullPage(), look);
    const flaws = await page.locator("svg").evaluateAll((charts) =>
      charts.flatMap((chart) => {
        const frame = chart.getBoundingClientRect();
        const boxes = [...chart.querySelectorAll("text")].map((text) => ({
          text: text.textContent ?? "",
          box: text.getBoundingClientRect(),
        }));
        const cut = boxes.filter(
          ({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1,
        );
        const overlapping = boxes.filter(({ box }, at) =>
          boxes.some(
            ({ box: other }, index) =>
              index > at &&
              box.left < other.right &&
              other.left < box.right &&
              box.top < other.bottom - 1 &&
              other.top < box.bottom - 1,
          ),
        );
        return [...cut, ...overlapping].map(({ text }) => text);
      }),
    );
    expect(flaws).toEqual([]);
  });

  it("marks the stretches in which all calls waited", async () => {
    const { page } = await open(fullPage());
    const drawn = await bars(page, "rows");
    expect(drawn).toHaveLength(12);
    // Of 299 seconds those from 20 to 50.
    expect(drawn.filter(([label]) => label.endsWith(" paused")).map(([label]) => label)).toEqual([
      "0:00 paused",
      "0:25 paused",
    ]);
  });

  it("runs no script that somebody put into it, and loads no image", async () => {
    const injected = '<script>document.title = "run"</script><img src="https://example.com/x.png">';
    const { page, noise, blocked } = await open(
      fullPage().replace("</body>", `${injected}</body>`),
    );
    expect(await page.title()).toMatch(/^Migration report/);
    expect(noise.filter((line) => line.startsWith("request"))).toEqual(blocked);
    expect(blocked).toHaveLength(1);
    expect(noise.join("\n")).toMatch(/Content Security Policy/);
  });

  it("prints all of it, also the tables that are folded up", async () => {
    const { page } = await open(fullPage());
    await page.emulateMedia({ media: "print" });
    const heights = await page
      .locator("details table")
      .evaluateAll((tables) => tables.map((table) => table.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(2);
    expect(heights.every((height) => height > 10)).toBe(true);
  });
});
