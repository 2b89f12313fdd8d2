import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openInput } from "../../../src/source/bytes/file.js";
import { pieces } from "../support.js";

/** The first bytes of files as the programs write them. */
const FILES = [
  ["zstd", Buffer.from("28b52ffd04583100", "hex"), /zstd -dc/],
  ["bzip2", Buffer.from("425a683931415926535904c8", "hex"), /bzip2 -dc/],
  ["xz", Buffer.from("fd377a585a000004e6d6b446", "hex"), /xz -dc/],
  ["lz4", Buffer.from("04224d186440a7", "hex"), /lz4 -dc/],
  ["zip", zip("users.csv"), /unzip -p users\.csv \|/],
  ["spreadsheet", zip("[Content_Types].xml"), /CSV UTF-8.* soffice --headless .* users\.csv, and/],
  ["spreadsheet", zip("_rels/.rels"), /soffice/],
  ["spreadsheet", zip("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), /soffice/],
  ["old spreadsheet", Buffer.from("d0cf11e0a1b11ae10000", "hex"), /soffice/],
  ["PostgreSQL dump in a tar archive", tar("ustar\u000000", "toc.dat"), /pg_restore -d/],
  ["7z", Buffer.from("377abcaf271c0004", "hex"), /7z x -so/],
  ["tar", tar("ustar\u000000"), /tar -xOf/],
  ["tar", tar("ustar  \u0000"), /tar -xOf/],
  ["gzip inside gzip", gzipSync(gzipSync("id,email\n")), /gunzip/],
  [
    "SQLite database",
    Buffer.from("SQLite format 3\u0000\u0010\u0000"),
    /sqlite3 -header -csv users\.csv /,
  ],
  ["Parquet", Buffer.from("PAR1\u0015\u0004"), /duckdb/],
  ["PostgreSQL dump", Buffer.from("PGDMP\u0001\u000e\u0000"), /pg_restore -d/],
  ["BSON", Buffer.from("a5000000075f6964005f0a", "hex"), /bsondump users\.csv /],
  ["archive of mongodump", Buffer.from("6de2998166000000", "hex"), /mongorestore --archive/],
  ["UTF-32", Buffer.from("fffe00006900000064000000", "hex"), /UTF-8/],
  ["UTF-32", Buffer.from("0000feff0000006900000064", "hex"), /UTF-8/],
] as const;

function tar(magic: string, file = "users.csv"): Buffer {
  const header = Buffer.alloc(1024);
  header.write(file);
  header.write(magic, 257, "latin1");
  return header;
}

function zip(file: string): Buffer {
  const header = Buffer.alloc(30);
  header.write("PK\u0003\u0004");
  return Buffer.concat([header, Buffer.from(file)]);
}

describe.each(FILES)("a file of %s", (what, bytes, hint) => {
  test.each([1, 1000])("is refused by name, in pieces of %i bytes", async (size) => {
    await expect(openInput("users.csv", pieces(bytes, size))).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringMatching(new RegExp(`^users\\.csv is .*${what}`)),
      hint: expect.stringMatching(hint),
    });
  });

  test("inside gzip is refused as well", async () => {
    if (what === "gzip inside gzip") return;
    await expect(openInput("a", pieces(gzipSync(bytes), 50))).rejects.toMatchObject({
      message: expect.stringContaining(what),
    });
  });
});

test("a folder of pg_dump's is refused by its list of contents, and restored as a folder", async () => {
  const dump = Buffer.from("PGDMP\u0001\u000e\u0000");
  await expect(openInput("dumps/users/toc.dat", pieces(dump, 1000))).rejects.toMatchObject({
    message: expect.stringMatching(/^dumps\/users\/toc\.dat is a PostgreSQL dump/),
    hint: expect.stringContaining("pg_restore -d restored dumps/users &&"),
  });
});

test("a text that only begins like one is a text", async () => {
  const text = `BZh9,email\n1,ann@example.com\n${"x,".repeat(114)}ustard\n`;
  expect(text.indexOf("ustar")).toBe(257);
  const { head } = await openInput("users.csv", pieces(Buffer.from(text), 64));
  expect(head.text).toBe(text);
});
