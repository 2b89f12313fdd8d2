import { describe, expect, it } from "vitest";
import { blocksOf, sessionsOf } from "./support/blocks.js";
import { commandsOf, firstDifference } from "./support/transcript.js";

/** A page with one block behind a comment. */
function pageOf(comment: string): string {
  return `# Page\n\n${comment}\n\`\`\`sh\ntrue\n\`\`\`\n`;
}

describe("a block", () => {
  it("without a comment is run as it stands", () => {
    const [block] = blocksOf("page.md", pageOf(""));
    expect(block).toMatchObject({ language: "sh", text: "true\n", where: "page.md:4" });
    expect(block?.directive).toMatchObject({ fixtures: [], setup: "", exit: 0, skip: "" });
  });

  it("takes what the comment above it says", () => {
    const comment = '<!-- test: fixtures=a.csv,b:c setup="gzip a.csv" exit=65 serves -->';
    expect(blocksOf("page.md", pageOf(comment))[0]?.directive).toMatchObject({
      fixtures: ["a.csv", "b:c"],
      setup: "gzip a.csv",
      exit: 65,
      serves: true,
    });
  });

  it("is skipped for a reason alone", () => {
    const skipped = blocksOf("page.md", pageOf("<!-- test: skip (needs the vendor's tool) -->"));
    expect(skipped[0]?.directive.skip).toBe("needs the vendor's tool");
    expect(() => blocksOf("page.md", pageOf("<!-- test: skip -->"))).toThrow("unknown word");
    expect(() => blocksOf("page.md", pageOf("<!-- test: skip (no) -->"))).toThrow("unknown word");
  });

  it("is refused where its comment can't be read, stands alone, or it never ends", () => {
    expect(() => blocksOf("page.md", pageOf("<!-- test: exits=65 -->"))).toThrow("unknown word");
    expect(() => blocksOf("page.md", pageOf("<!-- test: exit=65 -->\ntext"))).toThrow("no block");
    expect(() => blocksOf("page.md", "<!-- test: exit=65 -->\n")).toThrow("no block");
    expect(() => blocksOf("page.md", "```sh\ntrue\n")).toThrow("no end");
  });

  it("that continues is run behind the one before it on its page", () => {
    const one = blocksOf("page.md", pageOf(""));
    const next = blocksOf("page.md", pageOf("<!-- test: continues -->"));
    expect(sessionsOf([...one, ...next, ...one]).map((blocks) => blocks.length)).toEqual([2, 1]);
    expect(() => sessionsOf(next)).toThrow("continues no block");
    expect(() => sessionsOf([...blocksOf("other.md", pageOf("")), ...next])).toThrow("continues");
  });
});

describe("what is shown", () => {
  it("is split into commands, those of several lines among them", () => {
    expect(commandsOf("$ one\nfirst\n\n$ two \\\n  --more\nsecond\n")).toEqual([
      { command: "one", lines: ["first", ""] },
      { command: "two \\\n  --more", lines: ["second"] },
    ]);
    expect(() => commandsOf("first\n")).toThrow("No command");
  });

  it("is the output line by line, whatever time it took", () => {
    const output = "245 rows, 12.3 s\nbegun 2026-01-02T03:04:05.678Z\n";
    expect(
      firstDifference(["245 rows, 0.1 s", "begun 2026-11-21T05:02:11.412Z"], output),
    ).toBeNull();
    expect(firstDifference(["244 rows, 0.1 s", "begun …"], output)).toBe("244 rows, 0.1 s");
  });

  it("may leave out lines and ends, and nothing without saying so", () => {
    const output = "first\nsecond line\nthird\n";
    expect(firstDifference(["first", "…"], output)).toBeNull();
    expect(firstDifference(["…", "third"], output)).toBeNull();
    expect(firstDifference(["first", "second …", "third"], output)).toBeNull();
    expect(firstDifference(["first", "third"], output)).toBe("third");
    expect(firstDifference(["first"], output)).toContain("second line");
    expect(firstDifference(["third", "…", "first"], output)).toBe("third");
  });
});
