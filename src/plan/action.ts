/** What becomes of a user, as a value that can be printed, and what it is decided from. Types only. A new action gets its place in {@link Action}: what is written of it and how it is carried out doesn't compile before it is said. */

import type { CoreFailure } from "../core/core-failure.js";
import type { CoreUser } from "../core/user.js";
import type { ContactsChange, HashChange, KindChange, PartsChange } from "./change.js";
import type { Digester } from "./digests.js";
import type { Entry, UserKeys } from "./entry.js";
import type {
  ImportPlan,
  PasswordlessPlan,
  Plan,
  RefusalPlan,
  SentPlan,
  ThirdPartyPlan,
} from "./plan.js";
import type { PartNotes, PartWork, SentPart } from "./parts.js";
import type { Carried } from "./carried.js";
import type { Policy } from "./policy.js";
import type { Mapped } from "./states.js";

/** A user with its plan, and the keys under which the checkpoint knows it. */
export interface PlannedUser {
  readonly plan: Plan;
  readonly keys: UserKeys;
}

/** A planned user whom the checkpoint has matched. */
export interface MatchedUser extends PlannedUser {
  readonly entry: Entry;
  /**
   * The core's own id, where it is kept: of a finished user to whom something may be sent, and of one
   * whom the core's queue may have written. Else null.
   */
  readonly coreId: string | null;
}

/** A user and what is decided. */
export interface Task extends MatchedUser {
  readonly action: Action;
}

/** What holds for every user of a run. */
export interface Rules {
  readonly policy: Policy;
  /** What is sent of accounts beside contacts and hashes. */
  readonly carried: Carried;
  /** Parts that no row of the run has; none by default. */
  readonly unshown?: ReadonlySet<SentPart>;
  /** People sign in at the core: nothing of theirs is overwritten. */
  readonly cutOver: boolean;
  /** The core had no users when the run began, or the operator vouches for it. */
  readonly wasEmpty: boolean;
  /** The core offers lookups, and users are looked up before anything is sent. */
  readonly looksUp: boolean;
  /** By which contacts the checkpoint knows a user. */
  readonly digester: Pick<Digester, "contact" | "part">;
}

/** Who is at the core with a plan's contacts. */
export interface Existing {
  /** Who signs in as the plan has it, by the first contact that leads to one; null for none. */
  readonly user: CoreUser | null;
  /** Whether the contact under which the plan brings a user leads to them. */
  readonly byFirst: boolean;
  /** The contacts don't all lead to that user. */
  readonly isSplit: boolean;
  /** Some other user has one of the contacts, and signs in another way. */
  readonly hasOtherWay: boolean;
}

/** What the core has answered so far; a question that wasn't asked has no answer. */
export interface Seen {
  /** Who has the plan's contacts, and signs in as the plan has it. */
  readonly own?: Existing;
  /** Who has them, and signs in as the other kind of plan has it. */
  readonly other?: Existing;
  /** The user whom an earlier run brought, by the core's id; null where the core knows none. */
  readonly brought?: CoreUser | null;
  /** Whether the core removes users. */
  readonly removes?: boolean;
  /** Why the question asked last has no answer. */
  readonly failure?: CoreFailure;
  /** When the last answer came, by the run's clock in milliseconds. */
  readonly at: number;
}

export type Question = "own" | "other" | "brought" | "removes";

/** A user who is at the core. */
export interface Done {
  readonly kind: "done";
  readonly outcome: "imported" | "created" | "existed";
  /** As the core shows it. */
  readonly coreId: string;
  readonly notices: readonly string[];
  /** Whether the vendor's id is in force; `never` where the user was there before. */
  readonly mapped: Mapped;
  /** What has become of the account's parts: absent where none was sent, null where it is as the intent says. */
  readonly parts?: PartNotes | null;
  /** True where the core's answer to a call said that the user is new; a lookup alone may take a stranger for ours. */
  readonly isMade?: true;
  /** True where the whole run ends once the outcome is durable: a user is there who must not be. */
  readonly endsRun?: true;
}

/** How a user's calls ended; without calls, what a lookup has shown. */
export type CallOutcome =
  | Done
  /** The user is there; only the mapping of the id or some part wasn't reached, and only that is tried again. */
  | {
      readonly kind: "incomplete";
      readonly done: Done;
      readonly code: string;
      readonly hint: string;
    }
  /** The user is there, and what the row says now is not sent. */
  | { readonly kind: "refused"; readonly done: Done; readonly refusal: RefusalPlan }
  | {
      readonly kind: "rejected" | "failed";
      readonly code: string;
      readonly hint: string;
      /** Some attempt may have taken effect; the next run must look before it sends. */
      readonly maybeApplied: boolean;
    };

/** What every action for a user who is to be sent has. */
interface Sending<P extends SentPlan = SentPlan> {
  readonly plan: P;
  /** What the lookup has shown and the operator is told, whatever comes of the calls. */
  readonly notices: readonly string[];
  /** What is sent of the account once the user is there. */
  readonly parts: readonly PartWork[];
}

/** What an intent of a user who isn't finished says. */
interface Bringing {
  /** A lookup has just found no such user, so that one found later is ours. */
  readonly sawNobody: boolean;
  /** The lookup found a user whom this migration didn't bring, and the operator wants them updated. */
  readonly theirs: boolean;
}

/** What makes a new user. */
interface Making {
  /** By one call with all that belongs to the account, which replaces no user. */
  readonly whole: boolean;
}

/** A way in that one call makes. */
export type OneCallPlan = ImportPlan | ThirdPartyPlan;

/** interface.md 4.4, or the like for a social account. */
export interface ImportAction extends Sending<OneCallPlan>, Bringing, Making {
  readonly kind: "import";
  /** When the lookup found no user; null where none was made, or any user there may be replaced. */
  readonly lookedAt: number | null;
}

/** interface.md 4.1 and 4.2, then 4.3 for the other contact. */
export interface CreateAction extends Sending<PasswordlessPlan>, Bringing, Making {
  readonly kind: "create";
}

/** A user who is there is completed: of an earlier run, or one whom the operator wants updated. */
interface AdoptAction extends Sending, Bringing {
  readonly kind: "adopt";
  readonly found: CoreUser;
}

/** A finished user's hash is replaced (interface.md 4.4 again). */
type ChangeHashAction = HashChange & Sending<ImportPlan>;

/** A finished user's contacts are set (interface.md 4.3). */
export type ChangeContactsAction = ContactsChange & Sending<PasswordlessPlan>;

/** A finished user is brought by another way in, and the one without it removed. */
export interface ChangeKindAction extends KindChange, Sending<OneCallPlan> {
  /** The user with that way in, where they are there and nothing is to be sent; else null. */
  readonly found: CoreUser | null;
  readonly lookedAt: number | null;
}

/** A finished user's parts are sent, and nothing else. */
interface ChangePartsAction extends PartsChange, Sending {
  /** As the core shows them; null where users aren't looked up. */
  readonly found: CoreUser | null;
}

/** A user of an earlier run gets the vendor's id, and what is to be kept under it. */
export interface MapIdAction {
  readonly kind: "map_id";
  readonly keepId: string;
  /** Why the row's change isn't sent; null where there is none. */
  readonly refusal: RefusalPlan | null;
  readonly notices: readonly string[];
  readonly parts: readonly PartWork[];
}

/** A finished user's hash is kept again, in the vault that is named, in the place of one that is lost. */
export interface ResealAction extends Sending<ImportPlan> {
  readonly kind: "reseal";
}

/** The lookup has decided the outcome already. */
interface SettleAction extends Omit<Sending, "parts"> {
  readonly kind: "settle";
  readonly outcome: CallOutcome;
}

/** What makes calls. */
export type CallAction =
  | ImportAction
  | CreateAction
  | AdoptAction
  | ChangeHashAction
  | ChangeContactsAction
  | ChangeKindAction
  | ChangePartsAction
  | MapIdAction
  | ResealAction;

/** What becomes of a user. */
export type Action =
  | CallAction
  | SettleAction
  /** The core is asked, and then it is decided again. */
  | {
      readonly kind: "look_up";
      readonly question: Question;
      readonly plan: SentPlan;
    }
  /** The row is told and nothing is sent. */
  | {
      readonly kind: "refuse";
      readonly refusal: RefusalPlan;
      readonly notices: readonly string[];
    }
  /** Nothing happens. `existed`: this migration didn't bring the user, and the row has changed. */
  | {
      readonly kind: "keep";
      readonly outcome: "unchanged" | "existed";
      readonly notices: readonly string[];
    }
  /** The core's queue has the account of an earlier run; whether the user is there, the run's end shows. */
  | {
      readonly kind: "wait";
      readonly outcome: "imported" | "created";
      /** The queue has something else of the user than is asked for by now. */
      readonly isChanged: boolean;
    }
  /** The run ends before this user is sent. */
  | { readonly kind: "stop"; readonly code: "user_exists" }
  /** The run is being stopped, and the next one decides. */
  | { readonly kind: "postpone" };
