/** Which of the checkpoint's users the core's pages show as the checkpoint has them. A user whom no page shows so isn't judged by that: they are asked for by id. */

import { Bitset } from "../plan/bitset.js";
import { type CoreIds, createCoreIds, type ListedUser } from "../checkpoint/core-ids.js";
import type { CheckpointReader } from "../checkpoint/reader.js";
import type { CoreUser } from "../core/user.js";
import { contactKey, contactsOf } from "../plan/core-contacts.js";
import { isBy, type Sighting } from "./compare-user.js";
import type { Counted, Subject } from "./subjects.js";

/** What is kept of a checkpoint's users: three bits each, so that fifty million take 19 MB. */
interface Marks {
  readonly reader: CheckpointReader;
  /** By id, way to sign in and a contact. */
  readonly agrees: Bitset;
  /** Every contact that the checkpoint holds for the user leads to them, too. */
  readonly whole: Bitset;
  /** A contact of the user is, or is as well, another user's at the core. */
  readonly elsewhere: Bitset;
}

/** Users after whom other work gets its turn. */
const AT_ONCE = 1000;

export class SeenUsers {
  readonly #marks: readonly Marks[];
  readonly #ids: CoreIds;
  /** Whether some users were at the core before: of these it counts to whom each contact leads. */
  readonly #looksElsewhere: boolean;
  readonly #comparesAll: boolean;

  /**
   * @param checkpoints whose users are looked for
   * @param comparesAll whether every contact of theirs is compared, as where files are read; else
   *   only those of users who were at the core before
   */
  constructor(checkpoints: readonly Counted[], comparesAll: boolean) {
    this.#marks = checkpoints.map(({ reader }) => ({
      reader,
      agrees: new Bitset(),
      whole: new Bitset(),
      elsewhere: new Bitset(),
    }));
    this.#comparesAll = comparesAll;
    this.#looksElsewhere = checkpoints.some(({ existed }) => existed > 0);
    this.#ids = createCoreIds();
  }

  /** Reads the ids of all finished users. @throws RunError `disk` */
  async prepare(signal: AbortSignal): Promise<void> {
    for (const [place, { reader }] of this.#marks.entries()) {
      let read = 0;
      for (const user of reader.finished.all()) {
        this.#ids.add(user, place);
        read += 1;
        await breathe(read);
        if (signal.aborted) return;
      }
    }
  }

  /** Takes a page, on which the ways in of one account stand side by side. @throws RunError `disk` */
  take(users: readonly CoreUser[]): void {
    let account: CoreUser[] = [];
    for (const user of users) {
      if (account[0] !== undefined && account[0].userId !== user.userId) {
        this.#see(account);
        account = [];
      }
      account.push(user);
    }
    if (account.length > 0) this.#see(account);
  }

  sightingOf({ reader, user: { id }, contacts }: Subject): Sighting {
    const marks = this.#marks.find((one) => one.reader === reader);
    if (marks === undefined || !marks.agrees.has(id)) return "unclear";
    if (marks.whole.has(id)) return "agrees";
    // The files say which contacts they are, and the core can be asked for each.
    if (contacts.length > 0) return "unclear";
    return marks.elsewhere.has(id) ? "other" : "agrees";
  }

  close(): void {
    this.#ids.close();
  }

  #see(account: readonly CoreUser[]): void {
    const ids = account.flatMap(({ userId, recipeUserId }) => [userId, recipeUserId ?? userId]);
    const known = [...new Set(ids)].flatMap((id) => this.#ids.find(id) ?? []);
    for (const user of known) this.#compare(user, account);
    if (this.#looksElsewhere) this.#findHolders(known, account);
  }

  #compare(listed: ListedUser, account: readonly CoreUser[]): void {
    const { place, entryId, kind, byVendorId } = listed;
    const marks = this.#marks[place];
    if (marks === undefined) return;
    const { reader } = marks;
    const contacts = account.filter((way) => isBy(way, kind)).map(contactsOf);
    const keys = contacts.flat().map((contact) => contactKey(reader, contact));
    const known = reader.users.contactsOf(entryId);
    const isTheirs = known.some(({ key }) => keys.includes(key));
    // The vendor's id is the core's to give: without a contact it could be another user's by now.
    const isBelieved =
      !byVendorId && (kind === null || contacts.some(({ length }) => length === 0));
    if (isTheirs || isBelieved) marks.agrees.add(entryId);
    if (!this.#comparesAll && kind !== null) return;
    const held = reader.users.heldBy(entryId);
    if (held.length > 0 && held.every((key) => keys.includes(key))) {
      marks.whole.add(entryId);
    }
  }

  /** Marks users who were at the core before, where this account has a contact of theirs and isn't theirs. */
  #findHolders(known: readonly ListedUser[], account: readonly CoreUser[]): void {
    for (const [place, { reader, elsewhere }] of this.#marks.entries()) {
      for (const contact of account.flatMap(contactsOf)) {
        const holder = reader.users.holderOf(contactKey(reader, contact));
        if (holder === null) continue;
        const isTheirs = known.some((one) => one.place === place && one.entryId === holder);
        if (!isTheirs && reader.finished.find(holder)?.outcome === "existed") elsewhere.add(holder);
      }
    }
  }
}

/** Lets signals and timers have their turn now and then, where nothing else does. */
export async function breathe(users: number): Promise<void> {
  if (users % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
}
