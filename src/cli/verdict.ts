/** What a run came to and what is next, for each way in which it can end. Pure: it makes lines, and prints none. */

import type { FindingCode } from "../events/findings.js";
import type { ImportSummary } from "../events/summary.js";
import type { Issues } from "../report/issues-text.js";
import { goesOnText, type Remark } from "../report/headline.js";
import { isCertain, stopsOf } from "../report/prediction-text.js";
import { standingOf } from "../report/results.js";
import { count } from "../report/text.js";
import { failedOf, isNoneMigrated } from "../run/run-end.js";
import { keptRemarks, keyRemarks, upstreamRemarks } from "./bridge-remarks.js";
import { DEFAULT_DATA, namesCore } from "./core-choice.js";
import type { Ended } from "./ended.js";
import { bringRemarks, daysText } from "./rehearsed.js";

/** A dry run leaves no user in a queue. */
function goOnText(summary: Ended["summary"]): string {
  const { queued } = summary.command === "import" ? summary.standing : { queued: 0 };
  return queued === 0 ? "To go on:" : `The same import again ${goesOnText({ queued })}:`;
}

/** The verdict, the important thing and the next command last. */
export function verdictOf(ended: Ended): Remark[] {
  const { summary, next, exitCode, bridge } = ended;
  if (summary.interrupted) {
    // All rows are read before the first one is decided.
    const stopped = summary.read === 0 ? "Nothing was sent." : "Stopped; progress is saved.";
    return [
      ...rejectsRemarks(ended),
      ...(summary.command === "import" ? onTheWay(ended) : []),
      ...bridge,
      summary.command === "import"
        ? { text: `${stopped} ${goOnText(summary)}`, command: next.again }
        : { text: "Stopped before the end; these numbers are of the rows read so far." },
    ];
  }
  const remarks = [...rejectsRemarks(ended), ...flawsRemarks(ended)];
  const isAsked = isUnproved(ended);
  const again = { text: `Not every user was reached. ${goOnText(summary)}`, command: next.again };
  if (exitCode !== 0 && exitCode !== 65) {
    return [...remarks, ...bridge, ...(exitCode === 75 ? [...onTheWay(ended), again] : [])];
  }
  const open = openRemarks(ended);
  const waits = onceProved(ended);
  const kept = [...upstreamRemarks(ended, waits), ...keptRemarks(ended, waits)];
  remarks.push(...typedRemarks(ended));
  const isKept = ended.issues.forBridge > 0;
  // What is next comes last, and that isn't to go on without the passwords.
  const isNext = summary.command === "validate" || (isKept && exitCode === 65);
  const isLast = kept.length > 0 && isNext && !summary.limited && !isAsked;
  if (!isLast) remarks.push(...kept);
  if (summary.rejected > 0) remarks.push(...rejectsNext(ended, isLast || isKept));
  if (isLast && exitCode === 65) return [...remarks, ...bridge, ...open, ...kept];
  const isDone = exitCode === 0 && !summary.limited && open.length === 0;
  const real = isDone ? rehearsalRemarks(ended) : [];
  if (isAsked) {
    return [...remarks, ...open, ...bridge, ...real, proofRemark(ended)];
  }
  if (summary.limited) return [...remarks, ...bridge, ...pilotRemarks(ended)];
  if (exitCode === 65) return [...remarks, ...bridge, ...open];
  if (summary.command === "validate") {
    const asked = isCertain(summary, ended.issues) ? "Nothing" : "Nothing that was asked";
    const but = ended.issues.findings.length === 0 ? "" : ", but read the findings above first";
    return [...remarks, ...beginRemarks(`${asked} stands in the way${but}.`, ended), ...kept];
  }
  remarks.push(...changedRemarks(summary));
  if (open.length > 0) return [...remarks, ...bridge, ...open];
  const check = { text: "To check it at the core:", command: next.check };
  const are = `${count(summary.rejected, "reject")} ${summary.rejected === 1 ? "is" : "are"}`;
  const accepted = summary.rejected > 0 ? `; ${are} within --accept-rejects` : "";
  const done = { text: `Done: every row has an outcome${accepted}.` };
  return [...remarks, done, ...bridge, check, ...real];
}

/** Users whom an earlier import has left open, and whom this one's files don't name. */
function openRemarks({ summary, issues, next }: Ended): Remark[] {
  if (summary.command !== "import" || summary.standing.cut !== null) return [];
  const { open, written, queued, failed } = standingOf(summary.standing);
  const users = open + written + queued + failed - failedOf(summary);
  if (users <= 0) return [];
  const told = issues.findings.find(({ code }) => code === "gone_since_last_export");
  const files = [...new Set(told?.rows.map(({ file }) => file))];
  const has = users === 1 ? "has" : "have";
  const text = `Every row of this import has an outcome, but ${count(users, "user")} of an earlier one ${has} none.`;
  if (files.length === 0) return [{ text: `${text} Import the export again that has them.` }];
  const again = `${text} To go on with it, by the options that it had:`;
  return [{ text: again, command: next.of(files, null) }];
}

/** Who forgot `--core` would take the end for that of the migration. */
function rehearsalRemarks(ended: Ended): Remark[] {
  const { summary, values, real } = ended;
  const used = summary.core ?? {};
  const isForgotten = "file" in used && used.file === DEFAULT_DATA && !namesCore(values);
  const why = isForgotten ? "This was a rehearsal: no --core was given." : "";
  const days = values.bulk === "always" ? "" : daysText(real);
  const [first = { text: "" }, ...then] = bringRemarks(real, onceProved(ended) + days);
  const text = `${why} ${first.text}`.trim();
  return text === "" ? [] : [{ ...first, text }, ...then];
}

/** Said before what the proof comes before, which stands last. */
function onceProved(ended: Ended): string {
  return isUnproved(ended) ? ", after the proof below" : "";
}

/** Whether the proof that follows sends users whom the run hasn't. */
function isProofSent({ summary, values }: Ended): boolean {
  return summary.command === "validate" && values.core !== undefined;
}

/** What no hash shows; a proof of the signer key shows it as well. */
function typedRemarks(ended: Ended): Remark[] {
  if (!isFound("prehash_possible", ended.issues) || isUnproved(ended)) return [];
  const sends = isProofSent(ended) ? ", which imports that user into the core" : "";
  const text = `To prove by one user's password what prehash_possible leaves open${sends}:`;
  return [{ text, command: ended.next.prove }];
}

/** By what it is told whether something is proved. */
type Asked = Pick<Ended, "summary"> & { readonly issues: Pick<Issues, "findings"> };

/** Whether hashes were sent, or would be, of which nothing shows that they verify: vendor scrypt hashes under a signer key, or those of which test users were to show it. */
export function isUnproved({ summary, issues }: Asked): boolean {
  return isFound("unproved", issues) || isUntried({ summary, issues });
}

/** Whether all test users were at the core before, and others were brought. */
function isUntried({ summary, issues }: Asked): boolean {
  if (summary.command !== "import" || !isFound("proof_user_existed", issues)) return false;
  if ((summary.signIns?.signedIn ?? 0) > 0) return false;
  return summary.imported + summary.unchanged > summary.bridged;
}

function isFound(code: FindingCode, { findings }: Asked["issues"]): boolean {
  return findings.some((finding) => finding.code === code);
}

/** What may be proved by the command that goes on; of test users who were there before it proves nothing. */
function onTheWay({ issues }: Ended): Remark[] {
  const text =
    "The signer key isn't proved: with --prove FILE the import proves it before it goes on.";
  return isFound("unproved", issues) ? [{ text }] : [];
}

/** A wrong key looks like success, so that nothing else is next. */
function proofRemark(ended: Ended): Remark {
  const { summary, issues, next } = ended;
  if (isFound("proof_unavailable", issues)) {
    return {
      text: "The signer key isn't proved, and this core offers no sign-in to prove it by. Next: sign in at the application as one of these users.",
    };
  }
  const sends = isProofSent(ended) ? ". It imports that user into the core and signs in there" : "";
  const text = isUntried({ summary, issues })
    ? "Nothing is proved: the test users were at the core before. Next, prove it by a user whom this import has brought:"
    : `The signer key isn't proved. Prove it by a test user's password${sends}:`;
  return { text, command: next.prove };
}

/** What is wrong with the run as a whole. */
function flawsRemarks({ summary, values }: Ended): Remark[] {
  const { expectUsers } = values;
  const remarks: Remark[] = summary.truncated.map((file) => ({
    text: `${file} was cut off before its end: export it again; what was whole in it is done.`,
  }));
  const rows = summary.read;
  if (!summary.limited && expectUsers !== undefined && expectUsers !== rows) {
    remarks.push({
      text: `${count(expectUsers, "row")} ${expectUsers === 1 ? "was" : "were"} expected, but the files hold ${count(rows, "row")}: export them again whole, or correct --expect-users.`,
    });
  }
  const stops = summary.command === "validate" ? stopsOf(summary) : 0;
  if (stops > 0) {
    remarks.push({
      text: `An import would stop: ${count(stops, "user")} of the export ${stops === 1 ? "is" : "are"} at the core already. --on-existing skip leaves them as they are, --on-existing update replaces their hashes.`,
    });
  }
  return remarks;
}

/** Where the rejected rows are. */
function rejectsRemarks({ summary }: Ended): Remark[] {
  const files = summary.rejectsFiles.join(", ");
  const text = `Rejected and failed rows are in ${files}, with the reason beside each, their hashes and contacts.`;
  return files === "" ? [] : [{ text }];
}

/** Rows can be taken, mended or left out, unless nobody is left then, they are accepted, or the bridge takes some. */
function rejectsNext(ended: Ended, isKept: boolean): Remark[] {
  const { summary, values, issues, next, exitCode } = ended;
  const { rejectsFiles: files, rejected, source } = summary;
  const them = rejected === 1 ? "it" : "them";
  const rows = `${count(rejected, "row")} ${rejected === 1 ? "is" : "are"} rejected.`;
  // Rows that can't be read may be all there is: then they don't show whose they are.
  const isFound = values.from === undefined && values.mapping === undefined;
  const from = isFound && !source.includes(",") ? source : null;
  const edit = `${rows} To mend ${them}, edit ${files.join(", ")}${asTextWords(summary)}`;
  const mend = files.length === 0 ? [] : [{ text: edit, command: next.of(files, from) }];
  if (exitCode === 0) return mend;
  if (mend.length === 0) {
    const ways = `${rows} What stands at each code, above or by auth-migrate help CODE, says how to mend such a row, or which option takes it.`;
    // The bridge takes them all, or only an import with it shows whom it takes.
    if (isKept && issues.forBridge === rejected) return [{ text: ways }];
    if (isKept && issues.forBridge === 0) {
      return [{ text: `${ways} The import with the bridge says what is left then.` }];
    }
    mend.push({ text: `${ways} To write ${them} into a file to mend:`, command: next.filing });
  }
  if (isKept || isNoneMigrated(summary)) return mend;
  const end = summary.command === "import" ? ", so that this import ends with 0" : next.where;
  const text = `To go on without ${them}${end}${onceProved(ended)}:`;
  return [...mend, ...keyRemarks(ended), { text, command: next.accepting(rejected) }];
}

/** What is to be done with rows whose cells are empty, and with those that need nothing. */
function asTextWords({ rejectsAsText: codes }: Ended["summary"]): string {
  if (codes.length === 0) return "; then:";
  return `. Rows with ${codes.join(", ")} stand there as text in auth_migrate_text (of JSON, auth_migrate.text), and their cells are empty: copy the values from the text into the cells, changed as the code says, and empty the text. Or take such a row out: no import counts it any more, status still does. Then:`;
}

/** People sign in at the core, and may have changed there what the export changes, too. */
function changedRemarks({ skips }: ImportSummary): Remark[] {
  const { changed_after_cutover: changed = 0 } = skips;
  const text = `${count(changed, "user")} of the export changed after the cut-over; at the core nothing of theirs was overwritten.`;
  return changed === 0 ? [] : [{ text }];
}

function pilotRemarks(ended: Ended): Remark[] {
  const { summary, next } = ended;
  if (summary.command === "validate") return beginRemarks("Read as far as --limit says.", ended);
  const text = "Ended where --limit says; the rest isn't sent yet. To go on without it:";
  return [{ text, command: next.unlimited }];
}

/** The import that a dry run has shown to be possible. */
function beginRemarks(why: string, ended: Ended): Remark[] {
  const text = `${why} To begin${ended.next.where}:`;
  return [...keyRemarks(ended), { text, command: ended.next.begin }];
}
