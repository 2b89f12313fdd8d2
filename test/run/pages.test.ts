import fc from "fast-check";
import { expect, it } from "vitest";
import { pagesOf } from "../../src/run/pages.js";
import type { CoreUser } from "../../src/core/user.js";
import { sourceFiles } from "../laws/source-files.js";
import { runs } from "../support/repeated.js";

interface Listed {
  readonly users: readonly CoreUser[];
  readonly nextPaginationToken?: string;
}

const pageOf = (id: number, next?: number): Listed => ({
  users: [{ userId: `user-${id}`, recipe: null }],
  ...(next === undefined ? {} : { nextPaginationToken: `to-${next}` }),
});

/** Reads a list to its end; `asked` is how many pages that took. */
async function read(
  page: (asked: number, token: string | undefined) => Listed,
  signal: AbortSignal = new AbortController().signal,
) {
  let asked = 0;
  const seen: string[] = [];
  try {
    const ask = async (token: string | undefined) => page(asked++, token);
    for await (const { users } of pagesOf(ask, signal)) {
      seen.push(...users.map(({ userId }) => userId));
    }
    return { asked, seen, code: null };
  } catch (error) {
    const { code = "another", name } = error as { readonly code?: string; readonly name: string };
    return { asked, seen, code: name === "AbortError" ? name : code };
  }
}

it("a list is read to its end, page by page", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40), async (last) => {
      const whole = await read((asked) => pageOf(asked, asked < last ? asked + 1 : undefined));
      expect(whole).toMatchObject({ asked: last + 1, code: null });
      expect(new Set(whole.seen).size).toBe(last + 1);
    }),
    { numRuns: runs(60) },
  );
});

it("a list that goes in a circle ends by itself, whether its tokens repeat or only its pages", async () => {
  const repeats = fc.constantFrom("tokens", "pages", "both");
  await fc.assert(
    fc.asyncProperty(
      fc.nat(30),
      fc.integer({ min: 1, max: 30 }),
      repeats,
      async (before, round, which) => {
        const again = (asked: number): number =>
          asked < before ? asked : before + ((asked - before) % round);
        const { asked, code } = await read((at) =>
          pageOf(which === "tokens" ? at : again(at), which === "pages" ? at + 1 : again(at + 1)),
        );
        expect(code).toBe("core_incompatible");
        expect(asked).toBeLessThan(4 * (before + round) + 4);
      },
    ),
    { numRuns: runs(200) },
  );
});

it("a list of empty pages, and one whose reader is stopped, end as well", async () => {
  const empty = await read((at) => ({ users: [], nextPaginationToken: `to-${at}` }));
  expect(empty).toEqual({ asked: 1, seen: [], code: "core_incompatible" });
  const stop = new AbortController();
  const stopped = await read((at) => {
    if (at === 4) stop.abort();
    return pageOf(at, at + 1);
  }, stop.signal);
  expect(stopped).toMatchObject({ asked: 5, code: "AbortError" });
});

it("all that ask a core for a page after another do so by the one reader that ends", () => {
  const asking = sourceFiles().filter(
    ({ room, code }) => room !== "core" && /paginationToken/i.test(code),
  );
  const others = asking.filter(({ code }) => !/\bpagesOf\b/.test(code)).map(({ path }) => path);
  expect(asking.length).toBeGreaterThan(2);
  expect(others).toEqual([]);
});
