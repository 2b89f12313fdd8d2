/** What is next for users whose passwords the bridge alone can bring. Pure. */

import { UPSTREAMS } from "../hash/legacy/kept-password.js";
import type { Remark } from "../report/headline.js";
import { count, grouped } from "../report/text.js";
import type { Ended } from "./ended.js";

/** The import that keeps passwords for the bridge, and what makes its vault's key. */
function keepingRemarks(text: string, { next }: Ended, own: readonly string[], waits: string) {
  const { newKey, command } = next.keeping(own);
  const when = `${next.where}${waits}:`;
  if (newKey === null) return [{ text: `${text} The import with it${when}`, command }];
  return [
    { text: `${text} Its vault needs a key, which this makes:`, command: newKey },
    { text: `Then${when}`, command },
  ];
}

/**
 * Whose passwords the bridge takes, and what is left to accept then.
 *
 * @param waits says what comes before the import
 */
export function keptRemarks(ended: Ended, waits: string): Remark[] {
  const { summary, issues, exitCode } = ended;
  const { forBridge: users } = issues;
  if (users === 0) return [];
  const left = exitCode === 65 ? summary.rejected - users : 0;
  const accept = left > 0 ? ["--accept-rejects", `${left}`] : [];
  const others = left > 0 ? `; ${accept.join(" ")} goes on without the other rejects` : "";
  const [have, them] = users === 1 ? ["has a hash", "it"] : ["have hashes", "them"];
  const text = `${grouped(users)} of these users ${have} that no core takes. The bridge verifies ${them} at the first sign-in (docs/bridge.md)${others}.`;
  return keepingRemarks(text, ended, accept, waits);
}

/** A vendor that hands out no hash may be one that the bridge asks. */
export function upstreamRemarks(ended: Ended, waits: string): Remark[] {
  const { summary, values, issues, next } = ended;
  const isDry = summary.command === "validate";
  const { password_not_exported: users = 0 } = summary.notices;
  const vendor = UPSTREAMS.find((one) => summary.source.split(",").includes(one));
  const { upstream } = isDry ? next : values;
  if (users === 0 || vendor === undefined || upstream !== undefined) return [];
  // No count: which of them have no password there, only their rows say.
  const along = issues.groups.some(({ code }) => code === "contact_unverified")
    ? " Users with an unverified email (contact_unverified) then come along as well, unless the export shows that they have no password there."
    : "";
  const text = `The passwords of ${count(users, "user")} are at ${vendor} alone. With --on-unusable-hash bridge and --upstream ${vendor} the bridge asks it for them at the first sign-in, of those who have an email (docs/bridge.md).${along}`;
  if (isDry) return keepingRemarks(text, ended, ["--upstream", vendor], waits);
  // They have been created without a password, and no core says of all whether they have signed in.
  const changed = `${text} It changes no user of whom the core doesn't say whether they have signed in, as of those with a social account: for them add --assume-never-signed-in, if no application lets people in there yet (docs/newer-export.md).`;
  return keepingRemarks(changed, ended, ["--upstream", vendor, "--change-kind"], waits);
}

/** A vault opens with a key, which stands in a file before the import. */
export function keyRemarks({ next }: Ended): Remark[] {
  if (next.newKey === null) return [];
  return [{ text: "The bridge's vault needs a key, which this makes:", command: next.newKey }];
}
