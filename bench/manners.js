/** How the idle core meets lookups and imports in the pace part: what it turns away, how long it takes, and what came of it. */

const ANSWER_MS = 20;
const RETRY_AFTER = "retry-after: 1\r\n";
const LOOKUP = "GET /users/by-accountinfo?";
const IMPORT = "POST /recipe/user/passwordhash/import ";

/** By name, with the number behind the hyphen: what makes a function of a call's number, time and company. */
const MANNERS = {
  /** 429 at every so many calls, whatever the rate. */
  share: (nth) => (call) => (call % nth === 0 ? { status: 429, retryAfter: RETRY_AFTER } : null),
  /** 429 above so many calls in a second of the clock. */
  window: (limit) => {
    let [second, taken] = [0, 0];
    return (_, now) => {
      if (Math.floor(now / 1000) !== second) taken = 0;
      second = Math.floor(now / 1000);
      taken += 1;
      return taken > limit ? { status: 429, retryAfter: RETRY_AFTER } : null;
    };
  },
  /** 429 above so many calls a second, with a tenth of them put by. */
  bucket: (limit) => {
    let [tokens, filledAt] = [limit / 10, 0];
    return (_, now) => {
      tokens = Math.min(limit / 10, tokens + ((now - filledAt) / 1000) * limit);
      filledAt = now;
      if (tokens < 1) return { status: 429, retryAfter: RETRY_AFTER };
      tokens -= 1;
      return null;
    };
  },
  /** 500 at every seventh call above so many at once. */
  crowd: (most) => {
    let crowded = 0;
    return (_, __, inFlight) => {
      if (inFlight <= most) return null;
      crowded += 1;
      return crowded % 7 === 0 ? { status: 500 } : null;
    };
  },
  /** 29 seconds for every so many calls. */
  slow: (nth) => (call) => (call % nth === 0 ? { milliseconds: 29_000 } : null),
  /** Nothing in particular. */
  healthy: () => () => null,
};

/** @param text as in `share-10` */
export function mannered(text) {
  const [name, number] = text.split("-");
  return newManner(MANNERS[name](Number(number)));
}

function newManner(meet) {
  const calls = [];
  const lookedUpAt = new Map();
  const gaps = [];
  let inFlight = 0;
  return {
    /** A lookup's or an import's email; nothing for other requests. */
    callOf(head, body) {
      if (head.startsWith(LOOKUP)) {
        const { searchParams } = new URL(head.split(" ", 2)[1], "http://core");
        return { isLookup: true, email: searchParams.get("email") };
      }
      if (!head.startsWith(IMPORT)) return null;
      return { isLookup: false, email: JSON.parse(body).email };
    },
    take({ isLookup, email }, answer) {
      const now = performance.now();
      inFlight += 1;
      const met = meet(calls.length + 1, now, inFlight) ?? {};
      const { status, retryAfter, milliseconds = status ? ANSWER_MS / 2 : ANSWER_MS } = met;
      calls.push({ at: now, refused: status !== undefined });
      if (!isLookup && lookedUpAt.has(email)) {
        gaps.push(now - lookedUpAt.get(email));
        lookedUpAt.delete(email);
      }
      setTimeout(() => {
        inFlight -= 1;
        if (isLookup && !status) lookedUpAt.set(email, performance.now());
        answer(status, retryAfter);
      }, milliseconds);
    },
    /** What there is to say of all calls, and of those ten seconds after the first. */
    log() {
      // The very first one only asks whether there are lookups, before the export is read.
      const first = calls[1]?.at ?? 0;
      const end = calls.at(-1)?.at ?? 0;
      const late = calls.filter(({ at }) => at >= first + 10_000);
      const turnedAway = (some) => some.filter(({ refused }) => refused).length;
      const seconds = (end - first) / 1000 - 10;
      gaps.sort((a, b) => a - b);
      return {
        calls: calls.length,
        refused: turnedAway(calls),
        milliseconds: end - first,
        rateLater: seconds > 0 ? (late.length - turnedAway(late)) / seconds : null,
        refusedLater: late.length > 0 ? turnedAway(late) / late.length : null,
        gapMs: gaps[Math.floor(gaps.length * 0.99)] ?? null,
      };
    },
  };
}
