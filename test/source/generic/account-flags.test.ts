import { describe, expect, it } from "vitest";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import { readOnly } from "../read-users.js";
import { readStanding, readVerified } from "../../../src/source/generic/account-flags.js";
import { momentOf } from "../../../src/source/point-in-time.js";

const NOW = Date.UTC(2026, 10, 22);

describe("a column whose yes keeps out", () => {
  it.each(["on", "ON", "ja", "oui", "sí", "tak", "是", "1.0", "b'1'", "blocked", "locked"])(
    "does by %s",
    (text) => {
      expect(readStanding(text, "yes", "disabled", NOW)).toBe("disabled");
    },
  );

  it.each(["off", "nein", "non", "não", "нет", "0.0", "b'0'", "null"])("doesn't by %s", (text) => {
    expect(readStanding(text, "yes", "disabled", NOW)).toBeNull();
  });

  it.each(["active", "enabled", "open", "valid", "approved", "ok"])(
    "isn't read by %s, which may be said of the ban as of the account",
    (text) => {
      for (const kind of ["yes", "time", "until"] as const) {
        expect(readStanding(text, kind, "disabled", NOW)).toBe("unreadable");
      }
    },
  );
});

describe("a column whose yes lets in", () => {
  it.each([
    ["on", null],
    ["ja", null],
    ["active", null],
    ["off", "disabled"],
    ["nein", "disabled"],
    ["locked", "disabled"],
    ["perhaps", "unreadable"],
  ] as const)("says by %s: %s", (text, standing) => {
    expect(readStanding(text, "no", "disabled", NOW)).toBe(standing);
  });
});

describe("a point in time up to which an account is kept out", () => {
  it.each([
    ["2026-11-21 23:59:59+00", "over"],
    ["2026-11-22 00:30:00.126079+01", "over"],
    ["2026-11-22 00:00:01+00", "disabled"],
    ["2026-11-21 22:00:00-05", "disabled"],
    ["12024-06-29 20:25:06+00", "disabled"],
    ["infinity", "disabled"],
    ["-infinity", null],
    ["soon", "unreadable"],
  ] as const)("%s, as PostgreSQL writes it: %s", (text, standing) => {
    expect(readStanding(text, "until", "disabled", NOW)).toBe(standing);
  });
});

describe("a lock up to the year 9999, which has no end,", () => {
  it.each([
    ["seconds", "253402300799"],
    ["milliseconds", "253402300799000"],
    ["milliseconds with a fraction", "253402300799000.0"],
    ["microseconds", "253402300799000000"],
  ])("keeps out in %s, and so does an account's end let in", (_unit, text) => {
    expect(readStanding(text, "until", "disabled", NOW)).toBe("disabled");
    expect(readStanding(text, "expiry", "disabled", NOW)).toBeNull();
  });

  it.each([
    ...["946684800", "946684800000", "946684800000000", "125911584000000000"],
    ...["946684800.0", "946684800000.0"],
  ])("is none in %s, the year 2000 in seconds and smaller units", (text) => {
    expect(readStanding(text, "until", "disabled", NOW)).toBe("over");
  });
});

describe("a point in time with its day or month first", () => {
  it.each([
    ["31/12/9999 23:59:59 +00:00", "disabled"],
    ["12/31/9999 11:59:59 PM +00:00", "disabled"],
    ["31.12.9999 23:59:59", "disabled"],
    ["31-12-2019", "over"],
    ["01.12.2026 00:00", "disabled"],
    ["12.01.2026 00:00", "over"],
    ["1/1/2020 12:00:00 AM +00:00", "over"],
    ["21/11/2026 23:59:59 -02:00", "disabled"],
    ["11/21/2026 23:59:59 +00:00", "over"],
    ["01/01/0001 00:00:00", null],
    ["1/1/1970 12:00:00 AM", null],
    ["31/31/2019", "disabled"],
    ["31/12/99", "unreadable"],
  ] as const)("%s, up to which a user is kept out: %s", (text, standing) => {
    expect(readStanding(text, "until", "disabled", NOW)).toBe(standing);
  });

  it("that may be either keeps out where one of the two does", () => {
    expect(readStanding("01/12/2026", "until", "disabled", NOW)).toBe("disabled");
    expect(readStanding("12/01/2026", "until", "disabled", NOW)).toBe("disabled");
    expect(readStanding("03/04/2026", "until", "disabled", NOW)).toBe("over");
    expect(readStanding("01/12/2026", "expiry", "disabled", NOW)).toBe("disabled");
    expect(readStanding("03/04/2027", "expiry", "disabled", NOW)).toBeNull();
  });

  it("says of an email that it was verified", () => {
    expect(readVerified("03/04/2020 10:00", "time")).toBe(true);
    expect(readVerified("01/01/0001 00:00:00", "time")).toBe(false);
  });
});

describe("a day with dots", () => {
  it("stands before its month", () => {
    expect(momentOf("01.09.2023 10:00")).toBe(Date.UTC(2023, 8, 1, 10));
    expect(momentOf("01/09/2023 10:00")).toBeNull();
  });
});

describe("a point in time with its year first", () => {
  it.each([
    ["2019-12-31 23:59:59 UTC", "over"],
    ["2019-12-31 23:59:59.123456 UTC", "over"],
    ["2019-12-31 23:59:59 +00", "over"],
    ["2026-11-21 23:59:59 GMT", "over"],
    ["2026-11-22 23:59:59 UTC", "disabled"],
    ["2019/12/31 9:05", "over"],
    ["9999/12/31 23:59", "disabled"],
    ["2019-12-31 23:59:59 XYZ", "disabled"],
    ["1970/1/1 0:00", null],
  ] as const)("%s, up to which a user is kept out: %s", (text, standing) => {
    expect(readStanding(text, "until", "disabled", NOW)).toBe(standing);
  });

  it.each([
    ["2023-09-01 10:00:00 UTC", Date.UTC(2023, 8, 1, 10)],
    ["2023/9/1 10:00", Date.UTC(2023, 8, 1, 10)],
    ["2023-09-01 10:00:00 EST", Date.UTC(2023, 8, 1, 15)],
    ["2023-09-01 10:00:00 CEST", null],
  ])("%s, at which a user joined", (text, time) => {
    expect(momentOf(text)).toBe(time);
  });

  it("says of an email that it was verified", () => {
    expect(readVerified("2020/3/4 10:00", "time")).toBe(true);
    expect(readVerified("1970/1/1 0:00", "time")).toBe(false);
  });
});

describe("a point in time up to which an account is let in", () => {
  it.each([
    ["2019-12-31", "disabled"],
    ["2027-01-01", null],
    ["2019-12-31 10:00 PM", "disabled"],
    ["2019-12-31 ten", "unreadable"],
    ["2019-12-31T10", "unreadable"],
  ] as const)("%s: %s", (text, standing) => {
    expect(readStanding(text, "expiry", "disabled", NOW)).toBe(standing);
  });
});

describe("a verification", () => {
  it.each([
    ["ja", true],
    ["off", false],
    ["Confirmed", true],
    ["pending", false],
  ] as const)("says by %s: %s", (text, verified) => {
    expect(readVerified(text, "yes")).toBe(verified);
  });

  it("that is denied is read the other way round", () => {
    expect(readVerified("nein", "no")).toBe(true);
    expect(readVerified("confirmed", "no")).toBe(false);
    expect(readVerified("2024-01-01", "no")).toBe(false);
  });
});

describe("a value that keeps out, of a column that says how or as what a user signs in,", () => {
  it.each([
    ["auth", "nologin", ["disabled"]],
    ["auth", "manual", []],
    ["status", "bot", ["service_account"]],
    ["state", "internal_service_account", ["service_account"]],
    ["user_role", "banned", ["disabled"]],
  ])("%s, is heard: %s", async (column, value, exclusions) => {
    const text = `email,${column}\nann@example.com,${value}\n`;
    expect(await readOnly(genericCsv, text)).toMatchObject({ exclusions });
    const json = JSON.stringify([{ email: "ann@example.com", [column]: value }]);
    expect(await readOnly(genericJson, json)).toMatchObject({ exclusions });
  });

  it.each(["service_account", "internal_service_account", "Search bot", "guest", "nologin"])(
    "type, is asked about: %s",
    async (value) => {
      for (const column of ["type", "user_type", "accountKind"]) {
        const text = `email,${column}\nann@example.com,${value}\n`;
        await expect(readOnly(genericCsv, text)).rejects.toMatchObject({ code: "column_unclear" });
        const json = JSON.stringify([{ email: "ann@example.com", [column]: value }]);
        await expect(readOnly(genericJson, json)).rejects.toMatchObject({ code: "column_unclear" });
      }
    },
  );
});
