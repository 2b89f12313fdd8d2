import { describe, expect, test } from "vitest";
import { RunError } from "../../../src/errors/run-error.js";
import { genericCsv } from "../../../src/source/generic/generic-csv.js";
import { genericJson } from "../../../src/source/generic/generic-json.js";
import type { Source, SourceItem } from "../../../src/source/source.js";
import { collect, pieces } from "../support.js";
import { type Column, columnsOf } from "./fixture-columns.js";

const BCRYPT = "$2a$04$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";
/** The run's clock. */
const NOW = Date.parse("2026-11-22");

/** The first user, or the code of what the run stopped at. */
async function read(source: Source, text: string): Promise<SourceItem | string> {
  try {
    const bytes = pieces(Buffer.from(text), 64);
    const [item] = await collect(source.read("users", bytes, { map: new Map(), now: NOW }));
    return item ?? "nobody";
  } catch (error) {
    if (error instanceof RunError) return error.code;
    throw error;
  }
}

function asCsv({ name, value }: Column, others: object): string {
  const rows = [
    ["id", "email", "phone", name, ...Object.keys(others)],
    ["7", "ann@example.com", "+15550100001", value, ...Object.values(others)],
  ];
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return rows.map((row) => row.map(quoted).join(",")).join("\n");
}

function asJson({ name, value }: Column, others: object): string {
  const plain = /^(?:true|false|\d{1,15})$/.test(value) ? JSON.parse(value) : value;
  const user = { id: "7", email: "ann@example.com", phone: "+15550100001", ...others };
  return `${JSON.stringify([{ ...user, [name]: plain }])}\n`;
}

const FORMS = [
  ["csv", genericCsv, asCsv],
  ["json", genericJson, asJson],
] as const;

const STOPS = ["column_unclear", "hash_column_unread"];

/** Whether the row is kept from becoming a way in, or from losing its password. */
function isHeard(section: string, item: SourceItem | string): boolean {
  if (typeof item === "string") return STOPS.includes(item);
  if (item.kind !== "record") return item.kind === "reject" && item.code === "flag_invalid";
  const { exclusions, email, phone, hash } = item.record;
  if (section === "out") return exclusions.length > 0;
  if (section === "hash") return hash !== null;
  return email?.verified === false || phone?.verified === false;
}

describe.each(FORMS)("columns of real applications, as %s", (_form, source, text) => {
  test("that keep users out, deny a contact or hold a hash are heard, or stop the run", async () => {
    const columns = columnsOf("speaking-columns.txt");
    expect(columns.length).toBeGreaterThanOrEqual(300);
    const silent: string[] = [];
    for (const column of columns) {
      // A password of its own would hide that the hash is left behind.
      const others = column.section === "hash" ? {} : { password_hash: BCRYPT };
      if (!isHeard(column.section, await read(source, text(column, others)))) {
        silent.push(`${column.section} ${column.name}`);
      }
    }
    expect(silent).toEqual([]);
  });

  test("that say nothing of it stop one run of fifty at most", async () => {
    const columns = columnsOf("harmless-columns.txt");
    expect(columns.length).toBeGreaterThanOrEqual(200);
    const stopped: string[] = [];
    for (const column of columns) {
      const item = await read(source, text(column, { password_hash: BCRYPT }));
      if (typeof item === "string" || item.kind !== "record" || item.record.exclusions.length > 0) {
        stopped.push(column.name);
      }
    }
    expect(stopped.length, stopped.join(", ")).toBeLessThanOrEqual(columns.length / 50);
  });
});
