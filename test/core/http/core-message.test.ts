import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coreMessage } from "../../../src/core/http/core-message.js";
import { runs } from "../../support/repeated.js";

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const email = fc
  .tuple(fc.stringMatching(/^[a-z0-9.+_-]{1,20}$/), word)
  .map(([local, domain]) => `${local}@${domain}.example`);
const phone = fc.stringMatching(/^\+1555[0-9]{7}$/);
const bcrypt = fc.stringMatching(/^\$2a\$10\$[./A-Za-z0-9]{53}$/);

describe("a core's message", () => {
  it("loses every contact and hash, wherever it stands", () => {
    const text = fc.tuple(word, fc.oneof(email, phone, bcrypt), word);
    fc.assert(
      fc.property(text, fc.constantFrom(" ", "'", ": ", "("), ([before, personal, after], mark) => {
        const shown = coreMessage(`${before}${mark}${personal}${mark}${after}`, []);
        expect(shown).not.toContain(personal);
      }),
      { numRuns: runs(300) },
    );
  });

  it("keeps the fixed text of a refused key whole, whatever word the key is", () => {
    for (const text of ["the API key is missing or wrong", "Invalid API key"]) {
      for (const key of text.split(" ")) {
        expect(coreMessage(JSON.stringify({ message: text }), [key])).toBe(text);
        expect(coreMessage(`${text}\n`, [key])).toBe(text);
        expect(coreMessage(`no: ${key}`, [key])).not.toContain(key.length < 3 ? "-" : key);
      }
    }
  });

  it("repeats nothing that was sent, in whatever case", () => {
    const sent = fc
      .string({ minLength: 3, maxLength: 30 })
      .filter((value) => value.trim().length > 2);
    fc.assert(
      fc.property(sent, (value) => {
        const shown = coreMessage(JSON.stringify({ message: `no: ${value}` }), [value]);
        expect(shown.replaceAll("[removed]", "")).not.toContain(value.trim());
      }),
      { numRuns: runs(300) },
    );
  });

  it("repeats no piece of what was sent, in whatever encoding", () => {
    const piece = fc
      .tuple(email, fc.nat(), fc.constantFrom("latin1", "base64", "hex"))
      .map(([value, at, encoding]) => {
        const text = Buffer.from(value).toString(encoding);
        const start = at % (text.length - 8);
        return { value, piece: text.slice(start, start + 9) };
      });
    fc.assert(
      fc.property(piece, word, ({ value, piece: text }, before) => {
        const shown = coreMessage(JSON.stringify({ message: `${before} ${text}` }), [value]);
        expect(shown.replaceAll("[removed]", "")).not.toContain(text);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    ["no account for ann", "no account for [removed]"],
    ["the domain yew.example is blocked", "the domain [removed] is blocked"],
    ["cannot GET /users?email=ann%40yew.example", "cannot GET [removed]"],
    ["ann&#64;yew.example", "[removed]&#64;[removed]"],
    ["cannot plan for annual users of new.site", null],
  ])("takes a short email apart: %j", (message, shown) => {
    const text = JSON.stringify({ message });
    expect(coreMessage(text, ["ann@yew.example"])).toBe(shown ?? message);
  });

  it("is empty for a body that is no message, however little of it would be left", () => {
    const message = `${"ab".repeat(1500)} at the end`;
    expect(coreMessage(JSON.stringify({ message }), [])).toBe("");
  });

  it("keeps names of fields and settings", () => {
    const text = "Field passwordHash: set vendor_password_hashing_signer_key first";
    expect(coreMessage(JSON.stringify({ message: text }), [])).toBe(text);
  });

  it.each(["", "{}", '{"message":7}', "[1]"])("is empty for %j", (text) => {
    expect(coreMessage(text, [])).toBe("");
  });
});
