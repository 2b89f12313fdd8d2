/** A run's events and findings as text for people, grouped by code. As many groups as fit the screen get rows and a hint. */

import type { Finding } from "../events/events.js";
import type { NoticeItem } from "./notice-hints.js";
import { examplesText, GROUP_TITLES, type RefusalGroup, rowList } from "./refusal-groups.js";
import { PLAIN_LAYOUT, type Layout, hanging, listed, wrap } from "./layout.js";
import { grouped } from "./text.js";

/** Rows and findings that a run told. */
export interface Issues {
  readonly groups: readonly RefusalGroup[];
  readonly findings: readonly Finding[];
  /** Of users, where they are told with their hints. */
  readonly notices?: readonly NoticeItem[];
}

/** Codes that are named where there is no room for their groups. */
const MOST_NAMED = 12;

interface Item extends NoticeItem {
  /** Where, after code and count. */
  readonly where: string;
}

interface Section {
  readonly title: string;
  /** Behind the title. */
  readonly note: string;
  readonly items: readonly Item[];
  /** How many items are shown with their way out; the others are only named. */
  readonly shown: number;
}

/**
 * Sections of failed and rejected rows and of findings, cut to so many lines. The sections take turns:
 * the next group of each is shown with its way out while there is room. The others are only named.
 *
 * @param more the lines that say where all of it is to be found, for a text that is cut
 */
export function issueLines(
  issues: Issues,
  layout: Layout,
  lines: number,
  more: readonly string[],
): string[] {
  const all = issueText(issues, layout);
  if (all.length <= lines) return all;
  const shown = shownSections(sectionsOf(issues), layout, lines - more.length);
  if (shown.every((section) => section.shown === section.items.length)) return all;
  return [...shown.flatMap((section) => sectionLines(section, layout)), ...more];
}

function shownSections(
  given: readonly Section[],
  layout: Layout,
  lines: number,
): readonly Section[] {
  let sections = given;
  const most = Math.max(0, ...given.map(({ items }) => items.length));
  for (let rank = 0; rank < most; rank += 1) {
    for (const index of given.keys()) {
      const longer = sections.map((section, at) =>
        at === index && section.shown === rank && rank < section.items.length
          ? { ...section, shown: rank + 1 }
          : section,
      );
      // The very first group is shown on any screen.
      const isFirst = rank === 0 && index === 0;
      const { length } = longer.flatMap((section) => sectionLines(section, layout));
      if (isFirst || length <= lines) sections = longer;
    }
  }
  return sections;
}

/** Sections of what was told of single rows, grouped by code; all of it. */
export function groupLines(groups: readonly RefusalGroup[], layout?: Layout): string[] {
  return issueText({ groups, findings: [] }, layout);
}

/** All sections, each item with its way out. */
export function issueText(issues: Issues, layout: Layout = PLAIN_LAYOUT): string[] {
  return sectionsOf(issues).flatMap((section) =>
    sectionLines({ ...section, shown: section.items.length }, layout),
  );
}

/** Said once, above the first numbers that stand without a line: an editor's lines count the header as well. */
const COUNTED = " (row 1 is the first user's)";

/** Findings stand last, next to the verdict. */
function sectionsOf({ groups, findings, notices = [] }: Issues): Section[] {
  const titles = [...new Set(groups.map(({ type }) => GROUP_TITLES[type]))];
  const hasLines = groups.every(({ examples }) => examples.every(({ line }) => line !== undefined));
  const sections = titles.map((title, at) => ({
    title,
    note: at === 0 && !hasLines ? COUNTED : "",
    items: groups
      .filter(({ type }) => GROUP_TITLES[type] === title)
      .map((group) => ({ ...group, where: examplesText(group) })),
    shown: 0,
  }));
  const found = findings.map((finding) => ({ ...finding, where: findingRows(finding) }));
  const others = [
    { title: "Notices", note: "", items: notices.map((one) => ({ ...one, where: "" })), shown: 0 },
    { title: "Findings", note: "", items: found, shown: 0 },
  ];
  return [...sections, ...others.filter(({ items }) => items.length > 0)];
}

function sectionLines({ title, note, items, shown }: Section, layout: Layout): string[] {
  const { columns } = layout;
  const rest = items.slice(shown);
  return [
    "",
    layout.strong(`${title}${note}`),
    ...items.slice(0, shown).flatMap(({ code, count, where, hint }) => {
      const hints = hint === "" ? [] : wrap(`      ${hint}`, columns);
      const head = `  ${code}   ${grouped(count)}   `;
      return [...hanging(head, where, columns), ...hints.map((line) => layout.faint(line))];
    }),
    ...(rest.length === 0
      ? []
      : listed(shown === 0 ? "  " : `  and ${rest.length} more: `, namesOf(rest), columns)),
  ];
}

function namesOf(items: readonly Item[]): string[] {
  const names = items.slice(0, MOST_NAMED).map(({ code, count }) => `${code} ${grouped(count)}`);
  return items.length > MOST_NAMED ? [...names, "…"] : names;
}

/** A finding that is told by itself, with what it means. */
export function findingLines(finding: Finding): string[] {
  const { code, count, hint } = finding;
  return [`Found ${code}   ${grouped(count)}   ${findingRows(finding)}`.trimEnd(), `      ${hint}`];
}

/** A few rows of a finding; ids of the vendor's are shown as they are given. */
function findingRows({ count, rows, sourceIds = [] }: Finding): string {
  const ids = sourceIds.length === 0 ? "" : ` (${sourceIds.join(", ")})`;
  return `${rowList(rows, count)}${ids}`;
}
