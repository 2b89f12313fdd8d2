/** Decides whether rows of known pieces are compared with all others, for what several users share: of millions of rows that takes longer than to find them. Where the run before has left enough that is certain of them, nothing could be told, and they needn't be. */

import type { SettledRows } from "../checkpoint/settled-rows.js";
import type { Inspector, InspectionSizes } from "../inspect/inspection.js";
import type { KnownSums } from "../inspect/known-sums.js";
import { addressSums } from "../inspect/row-sums.js";
import { arePassable, type HashBounds } from "../inspect/shared-hashes.js";
import type { PlannedUser } from "../plan/action.js";
import type { Digester } from "../plan/digests.js";
import type { SourceItem } from "../source/source.js";

/** What is counted of rows. */
type Counts = Record<"rows" | "unclaimed" | "capitals", number>;

/** What is certain of the rows of all pieces that a run leaves. */
export interface Left extends HashBounds, Counts {}

interface Comparison {
  /** Whether the run before has left pieces. */
  readonly isKnown: boolean;
  /** What it has said of them; null where nothing is certain. */
  readonly before: Left | null;
  readonly rows: Pick<SettledRows, "isOthers">;
  readonly digester: Digester;
  readonly sizes: InspectionSizes | undefined;
}

export class Comparing {
  readonly #options: Comparison;
  /** Rows that are read, and those of known pieces. */
  readonly #read = noRows();
  readonly #known = noRows();
  /** An address of a row that is read is also that of a user whose row isn't compared. */
  #isSharedAddress = false;
  #bounds: HashBounds | null = null;
  /** Whether known rows have to be compared. */
  readonly isNeeded: boolean;

  constructor(options: Comparison, isNeeded = false) {
    const { before, sizes } = options;
    this.#options = options;
    this.isNeeded = isNeeded || before === null || hasAlike(before) || !arePassable(before, sizes);
  }

  /** Once more from the first row, and all known rows are compared. */
  again(): Comparing {
    return new Comparing(this.#options, true);
  }

  /** Rows of a known piece. */
  find(sums: KnownSums): void {
    addTo(this.#known, sums);
  }

  /**
   * A row that is read, and its user.
   *
   * @param mayBeKnown to the next run: the address of another one is looked for in each run
   */
  read(item: SourceItem, user: PlannedUser | null, mayBeKnown: boolean): void {
    this.#read.rows += 1;
    if (item.kind !== "record" || item.record.email === null || user === null) return;
    const { email, exclusions } = item.record;
    const { unclaimed, capitals } = addressSums(item.record, user.plan);
    this.#read.capitals += capitals;
    if (mayBeKnown) this.#read.unclaimed += unclaimed;
    const { isKnown, rows, digester } = this.#options;
    // Who is left out claims no address. A claimed one shows whose it is by itself.
    if (!isKnown || unclaimed === 0 || exclusions.length > 0) return;
    if (rows.isOthers(digester.contact("email", email.value), user.keys)) {
      this.#isSharedAddress = true;
    }
  }

  /**
   * All rows were read.
   *
   * @returns whether known rows that weren't compared have to be
   */
  conclude(inspector: Pick<Inspector, "boundsWith">): boolean {
    const passed = this.#passes ? this.#passed() : null;
    this.#bounds = inspector.boundsWith(passed);
    if (passed === null) return false;
    const { unclaimed, capitals } = this.#known;
    const isAlike = hasAlike({ unclaimed, capitals: capitals + this.#read.capitals });
    return this.#bounds === null || this.#isSharedAddress || isAlike;
  }

  /**
   * @param kept how many rows of the run are those of pieces that the next one knows, which has all
   *   that this one has found again
   * @returns null where nothing is certain of them
   */
  left(kept: number): Left | null {
    const { rows, unclaimed, capitals } = sumOf(this.#read, this.#known);
    const bounds = this.#bounds;
    if (bounds === null || this.#isSharedAddress) return null;
    // What is certain of rows that were passed over is so of those alone.
    const others = this.#passes ? 0 : rows - kept;
    return { ...bounds, different: bounds.different - others, rows: kept, unclaimed, capitals };
  }

  /** Whether known rows aren't compared. */
  get #passes(): boolean {
    return !this.isNeeded && this.#known.rows > 0;
  }

  /** What is certain of the rows that were found again: of those that weren't, each may have had a hash of its own. */
  #passed(): HashBounds {
    const { different, most, rows } = this.#options.before ?? { different: 0, most: 0, rows: 0 };
    return { different: different - (rows - this.#known.rows), most };
  }
}

/**
 * Whether two users may have one address, written otherwise: one whom it is claimed for has it alone,
 * and addresses in lower case are written alike.
 */
function hasAlike({ unclaimed, capitals }: Pick<Counts, "unclaimed" | "capitals">): boolean {
  return unclaimed > 0 && capitals > 0;
}

function noRows(): Counts {
  return { rows: 0, unclaimed: 0, capitals: 0 };
}

function addTo(counts: Counts, sums: Counts): void {
  counts.rows += sums.rows;
  counts.unclaimed += sums.unclaimed;
  counts.capitals += sums.capitals;
}

function sumOf(...all: readonly Counts[]): Counts {
  const sum = noRows();
  for (const counts of all) addTo(sum, counts);
  return sum;
}
