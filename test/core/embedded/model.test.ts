import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Code, CodeRequest, ConsumeRequest } from "../../../src/core/core.js";
import type { CoreUser } from "../../../src/core/user.js";
import { CoreFailure } from "../../../src/core/core-failure.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { LIFETIME_MS, ModelCore, ownId, type Presented, sessionId } from "./model-core.js";
import { repeated } from "../../support/repeated.js";

const path = temporaryPaths();
const { passwordHash } = KNOWN_HASHES.bcrypt;
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 10, full: 40 });

const emails = fc.constantFrom("ana@example.com", "ben@example.com", "cleo@example.com");
const phones = fc.constantFrom("+4915112345678", "+4915112345679");
const contacts: fc.Arbitrary<CodeRequest> = fc.oneof(
  emails.map((email) => ({ email })),
  phones.map((phoneNumber) => ({ phoneNumber })),
);
const ownIds = fc.nat(5).map((number) => ownId({ number }));
const externalIds = fc.constantFrom("first", "second");
/** A user who is there, or not yet. */
const ids = fc.oneof(ownIds, externalIds);
const presented = fc.constantFrom<Presented>("link", "digits", "wrong link", "wrong digits");

type Call =
  | { readonly kind: "create"; readonly contact: CodeRequest }
  | { readonly kind: "consume"; readonly back: number; readonly presented: Presented }
  | {
      readonly kind: "update";
      readonly id: string;
      readonly change: { email?: string | null; phoneNumber?: string | null };
    }
  | { readonly kind: "import"; readonly email: string }
  | {
      readonly kind: "map";
      readonly id: string;
      /** An own id, for one in a few. */
      readonly taken: string;
      readonly externalId: string;
    }
  | { readonly kind: "remove"; readonly id: string }
  | { readonly kind: "find"; readonly id: string; readonly contact: CodeRequest }
  | { readonly kind: "wait"; readonly milliseconds: number };

const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("create"), contact: contacts }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("consume"), back: fc.nat(2), presented }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("update"),
      id: ids,
      change: fc.record(
        { email: fc.option(emails), phoneNumber: fc.option(phones) },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("import"), email: emails }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("map"),
      id: ids,
      taken: fc.oneof({ weight: 3, arbitrary: fc.constant("") }, ownIds),
      externalId: externalIds,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove"), id: ids }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("find"), id: ids, contact: contacts }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("wait"),
      milliseconds: fc.constantFrom(1, 60_000, LIFETIME_MS - 1, LIFETIME_MS),
    }),
  },
);

/** A real core and a model of it, given the same calls; both answers in the model's names. */
class Pair {
  readonly #core: EmbeddedCore;
  readonly #model = new ModelCore();
  readonly #codes: Code[] = [];
  /** The real own ids by the model's, and the other way round; the latter has the sessions', too. */
  readonly #realIds = new Map<string, string>();
  readonly #modelIds = new Map<string, string>();
  #now = Date.UTC(2026, 0, 15);

  constructor() {
    this.#core = openEmbeddedCore({ file: path("core.db"), now: () => this.#now });
  }

  close(): Promise<void> {
    return this.#core.close();
  }

  /** What both answered. */
  async apply(given: Call): Promise<{ real: unknown; model: unknown }> {
    switch (given.kind) {
      case "create": {
        const number = this.#model.createCode(given.contact, this.#now);
        const code = await this.#core.createCode(given.contact);
        this.#codes[number] = code;
        this.#modelIds.set(code.preAuthSessionId, sessionId(number));
        return { real: null, model: null };
      }
      case "consume": {
        const number = this.#codes.length - 1 - given.back;
        const code = this.#codes[number];
        if (code === undefined) return { real: null, model: null };
        const outcome = await this.#core.consumeCode(requestOf(code, given.presented));
        if (outcome.status === "OK") this.#know(outcome.user, outcome.createdNewUser);
        const model = this.#model.consumeCode(number, given.presented, this.#now);
        return { real: this.#renamed(outcome), model };
      }
      case "update": {
        const update = this.#core.updateUser({ userId: this.#real(given.id), ...given.change });
        return {
          real: await update.catch(refused),
          model: this.#model.updateUser(given.id, given.change),
        };
      }
      case "import": {
        const outcome = await this.#core.importUser({ email: given.email, passwordHash });
        this.#know(outcome.user, !outcome.didUserAlreadyExist);
        const model = this.#model.importUser(given.email, this.#now);
        return { real: this.#renamed(outcome), model };
      }
      case "map": {
        const { id, taken, externalId } = given;
        // A name that nobody has yet would be somebody's own later on, which a random id never is.
        const name = this.#realIds.has(taken) ? taken : externalId;
        const request = { userId: this.#real(id), externalUserId: this.#real(name) };
        return {
          real: await this.#core.mapUserId(request).catch(refused),
          model: this.#model.mapUserId(id, name),
        };
      }
      case "remove": {
        await this.#core.removeUser(this.#real(given.id));
        this.#model.removeUser(given.id);
        return { real: null, model: null };
      }
      case "find": {
        const id = this.#real(given.id);
        return {
          real: this.#renamed([
            await this.#core.getUser(id),
            await this.#core.findMapping(id),
            await this.#core.findUsers(given.contact),
          ]),
          model: [
            this.#model.getUser(given.id),
            this.#model.findMapping(given.id),
            this.#model.findUsers(given.contact),
          ],
        };
      }
      case "wait":
        this.#now += given.milliseconds;
        return { real: null, model: null };
    }
  }

  /** Everyone, as both list them. */
  async everyone(): Promise<{ real: unknown; model: unknown }> {
    const forward = await this.#core.listUsers({});
    const back = await this.#core.listUsers({ order: "DESC", recipes: ["passwordless"] });
    return {
      real: this.#renamed([forward.users, back.users, await this.#core.countUsers()]),
      model: [
        this.#model.users(),
        this.#model.users("passwordless").reverse(),
        this.#model.users().length,
      ],
    };
  }

  #know({ userId }: CoreUser, isNew: boolean): void {
    if (!isNew) return;
    const name = ownId({ number: this.#realIds.size });
    this.#realIds.set(name, userId);
    this.#modelIds.set(userId, name);
  }

  #real(name: string): string {
    return this.#realIds.get(name) ?? name;
  }

  /** Through JSON, since ids stand at many places of an answer. */
  #renamed(answer: unknown): unknown {
    return JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
      typeof value === "string" ? (this.#modelIds.get(value) ?? value) : value,
    );
  }
}

function requestOf(code: Code, how: Presented): ConsumeRequest {
  const { preAuthSessionId, linkCode, deviceId, userInputCode } = code;
  if (how === "link") return { preAuthSessionId, linkCode };
  if (how === "digits") return { preAuthSessionId, deviceId, userInputCode };
  if (how === "wrong digits") return { preAuthSessionId, deviceId, userInputCode: "wrong" };
  return { preAuthSessionId, linkCode: randomBytes(32).toString("base64url") };
}

function refused(error: unknown): "refused" {
  if (error instanceof CoreFailure && error.kind === "refused") return "refused";
  throw error;
}

describe("the embedded core", () => {
  it(
    "answers any sequence of calls as the model does",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 60 }), async (calls) => {
          const pair = new Pair();
          try {
            for (const given of calls) {
              const { real, model } = await pair.apply(given);
              expect(real).toEqual(model);
            }
            const { real, model } = await pair.everyone();
            expect(real).toEqual(model);
          } finally {
            await pair.close();
          }
        }),
        { numRuns: RUNS },
      );
    },
    60_000 + 100 * RUNS,
  );
});
