/** Reads V8's CPU profiles and says in words where the time went: each sample belongs to one cost, by the function that was running and, for what has no file of its own, by who called it. */

import { readFileSync } from "node:fs";

const IDLE = "(idle)";

/** What V8 calls by a name of its own. */
const RUNTIME = "the runtime, outside of JavaScript";
const NAMED = new Map([
  ["(garbage collector)", "garbage collection"],
  ["(program)", RUNTIME],
  [IDLE, IDLE],
]);

/** The first whose pattern is found in a function's file. */
const COSTS = [
  [/node_modules\/libsql\//, null],
  [/node_modules\/undici\//, "undici"],
  [/node_modules\/zod\//, "zod"],
  [/node_modules\/p-limit\//, "p-limit"],
  [/dist\/source\//, "reading the export"],
  [/dist\/(account|contact|hash)\//, "judging records, contacts and hashes"],
  [/dist\/inspect\//, "inspecting the export"],
  [/dist\/checkpoint\//, "checkpoint, our code"],
  [/dist\/plan\/digests/, "digests"],
  [
    /dist\/(events|calls|plan|run|shards|prove|reconcile|password-export)\//,
    "the run: planning, pace, events, counts",
  ],
  [/dist\/core\/http\//, "HTTP client, our code"],
  [/dist\/core\//, "embedded core, our code"],
  [/dist\/sqlite\//, "group commit, our code"],
  [/dist\//, "command line"],
  [/node:internal\/crypto/, "digests"],
  [/node:(net|internal\/(stream_base_commons|streams|net))/, "sockets and streams"],
  [/node:(fs|internal\/fs)/, "files"],
  [/node:internal\/(modules|vm|bootstrap|process\/pre)/, "loading modules"],
  [/node:internal\/(worker|per_context\/messageport)/, "messages between threads"],
  [/node:/, "Node.js: event loop, promises, buffers"],
];

/** What SQLite is asked for, by the driver's method. */
const STATEMENTS = new Map([
  ["exec", "begin and commit"],
  ["run", "write rows"],
  ["get", "read rows"],
  ["all", "read rows"],
  ["iterate", "read rows"],
  ["next", "read rows"],
  ["prepare", "prepare statements"],
]);

/** For whom, by the nearest file of ours that isn't the SQLite room's. */
const OWNERS = [
  [/dist\/checkpoint\//, "checkpoint"],
  [/dist\/core\//, "embedded core"],
  [/dist\/(calls|run|prove|reconcile|password-export)\//, "the run"],
];

const firstOf = (rules, url) => rules.find(([pattern]) => pattern.test(url))?.[1];

function statementCost(node) {
  const kind = STATEMENTS.get(node.callFrame.functionName) ?? "other calls";
  for (let caller = node.parent; caller !== undefined; caller = caller.parent) {
    const owner = firstOf(OWNERS, caller.callFrame.url);
    if (owner !== undefined) return `SQLite: ${kind}, ${owner}`;
  }
  return `SQLite: ${kind}`;
}

/** What a node of the call tree is part of. */
function costOf(node) {
  const { functionName, url } = node.callFrame;
  const named = NAMED.get(functionName);
  if (named !== undefined) return named;
  const cost = firstOf(COSTS, url);
  if (cost === null) return statementCost(node);
  if (cost !== undefined) return cost;
  return node.parent === undefined ? RUNTIME : costOf(node.parent);
}

/** How a function is called in the list of the largest ones. */
function nameOf({ callFrame: { functionName, url } }) {
  const file = url.replace(/^.*\/(?=(dist|node_modules)\/)/, "");
  return `${functionName === "" ? "(anonymous)" : functionName} ${file}`.trim().slice(0, 90);
}

/** `CPU.<day>.<time>.<process>.<thread>.<sequence>.cpuprofile`. */
const threadOf = (path) => Number(/\.(\d+)\.\d+\.cpuprofile$/.exec(path)?.[1] ?? 0);

/**
 * Reads the profile of one thread.
 *
 * @returns `thread` (0 is the main one), and milliseconds by `costs` and by `functions`
 */
export function readProfile(path) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, "utf8"));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) {
    for (const id of node.children ?? []) byId.get(id).parent = node;
  }
  const selfTimes = new Map();
  for (const [index, id] of samples.entries()) {
    selfTimes.set(id, (selfTimes.get(id) ?? 0) + timeDeltas[index] / 1000);
  }
  const [costs, functions] = [new Map(), new Map()];
  const add = (sums, key, time) => sums.set(key, (sums.get(key) ?? 0) + time);
  for (const [id, time] of selfTimes) {
    const node = byId.get(id);
    add(costs, costOf(node), time);
    add(functions, nameOf(node), time);
  }
  return { thread: threadOf(path), costs, functions };
}

const threadName = (thread) => (thread === 0 ? "main" : `worker ${thread}`);

const sum = (times) => [...times].reduce((total, time) => total + time, 0);

/** How much of its time each thread was busy, which shows the one that the others wait for. */
export function busyText(profiles) {
  const shares = profiles.map(({ thread, costs }) => {
    const idle = (costs.get(IDLE) ?? 0) / sum(costs.values());
    return `${threadName(thread)} ${Math.round((1 - idle) * 100)} % busy`;
  });
  return shares.join(", ");
}

/** Rows of a table, the largest first; idling is none, and of what is left each has its share. */
export function largest(profiles, what, { count, users }) {
  const rows = profiles.flatMap(({ thread, [what]: sums }) =>
    [...sums].map(([cost, time]) => ({ thread, cost, time })),
  );
  const busy = rows.filter(({ cost }) => cost !== IDLE);
  const total = sum(busy.map(({ time }) => time));
  return busy
    .sort((a, b) => b.time - a.time)
    .slice(0, count)
    .map(({ thread, cost, time }) => ({
      cost,
      thread: threadName(thread),
      ms: Math.round(time),
      "share %": Number(((time / total) * 100).toFixed(1)),
      ...(users === undefined ? {} : { "µs/user": Number(((time / users) * 1000).toFixed(2)) }),
    }));
}
