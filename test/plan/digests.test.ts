import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDigester, keyBlob } from "../../src/plan/digests.js";
import { BCRYPT, importPlan, passwordlessPlan } from "../run/support/records.js";

const digester = createDigester("a salt");

describe("keys", () => {
  it("are twelve bytes, stored as they are", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (namespace, id) => {
        const key = digester.id("csv", namespace, id);
        expect(key).toHaveLength(12);
        expect(keyBlob(key)).toHaveLength(12);
        expect(keyBlob(key).toString("latin1")).toBe(key);
      }),
    );
  });

  it("are equal for equal things and only for those", () => {
    const parts = fc.tuple(fc.string(), fc.string(), fc.string());
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const same = one.every((part, index) => part === other[index]);
        expect(digester.id(...one) === digester.id(...other)).toBe(same);
      }),
    );
  });

  it("keep source, namespace and id apart, wherever one ends and the next begins", () => {
    expect(digester.id("csv", "a", "bc")).not.toBe(digester.id("csv", "ab", "c"));
    expect(digester.id("csv", "", "1")).not.toBe(digester.id("firebase", "", "1"));
  });

  it("of a plain address are those of earlier checkpoints", () => {
    const earlier = createHash("sha256")
      .update("a salt" + "email\nada@example.com")
      .digest();
    const key = digester.contact("email", "ada@example.com");
    expect(keyBlob(key).equals(earlier.subarray(0, 12))).toBe(true);
  });

  it("are one for a domain in its own letters and in Punycode", () => {
    const [written, encoded] = ["ada@b\u00fccher.example", "ada@xn--bcher-kva.example"];
    expect(digester.contact("email", encoded)).toBe(digester.contact("email", written));
    expect(digester.plan(importPlan(encoded))).toBe(digester.plan(importPlan(written)));
    const [one, other] = [written, encoded].map((email) => passwordlessPlan({ email }));
    expect(one && other && digester.plan(one) === digester.plan(other)).toBe(true);
  });

  it("keep an id, a contact and a row apart that read alike", () => {
    const value = "ada@example.com";
    const keys = [
      digester.id("csv", "", value),
      digester.contact("email", value),
      digester.contact("phone", value),
      digester.row(value, 1),
      digester.row(value, 2),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("differ from one salt to the next", () => {
    const other = createDigester("another salt");
    expect(other.contact("email", "ada@example.com")).not.toBe(
      digester.contact("email", "ada@example.com"),
    );
    expect(other.id("csv", "", "1")).not.toBe(digester.id("csv", "", "1"));
    const plan = importPlan("ada@example.com");
    expect(other.plan(plan)).not.toBe(digester.plan(plan));
  });
});

describe("a plan's key", () => {
  it("changes with what is sent", () => {
    const plans = [
      importPlan("ada@example.com"),
      importPlan("ada@example.org"),
      importPlan("ada@example.com", BCRYPT.replace("kWru", "kWrv")),
      passwordlessPlan({ email: "ada@example.com" }),
      passwordlessPlan({ email: "ada@example.com", phone: "+15550100001" }),
      passwordlessPlan({ first: "phone", phone: "+15550100001" }),
    ];
    expect(new Set(plans.map((plan) => digester.plan(plan))).size).toBe(plans.length);
  });

  it("stays when only a notice, a hint or the keeping of the id changes", () => {
    const plan = importPlan("ada@example.com");
    expect(digester.plan({ ...plan, notices: ["phone_not_migrated"] })).toBe(digester.plan(plan));
    expect(digester.plan({ ...plan, keepId: "u-1" })).toBe(digester.plan(plan));
    const skip = { kind: "skip", code: "disabled", hint: "One." } as const;
    expect(digester.plan({ ...skip, hint: "Two." })).toBe(digester.plan(skip));
  });
});

describe("the names of fields", () => {
  it("are one list for those who come after each other with the same", () => {
    const first = digester.names({ name: "Ada", city: "London" });
    expect(first).toEqual(["name", "city"]);
    expect(digester.names({ name: "Ben", city: "Bern" })).toBe(first);
    expect(digester.names({ name: "Cy" })).toEqual(["name"]);
    expect(digester.names({ city: "London", name: "Ada" })).toEqual(["city", "name"]);
    expect(digester.names({ name: "Dee", city: "Delft" })).toEqual(first);
  });
});
