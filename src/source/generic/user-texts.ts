/** Collects the text fields of one JSON user while their properties are read. Of several names for a field the surest counts; two that differ are a reject. */

import { RowDamage } from "../row-damage.js";
import { showName } from "../show-name.js";
import { isUnsure, type Meaning, type TextField } from "./field-names.js";

type TextMeaning = Extract<Meaning, { kind: "text" }>;

/** What one property says of a field. */
export interface Saying {
  readonly path: string;
  readonly meaning: TextMeaning;
  readonly text: string;
}

/** What came of one more saying. */
interface Said {
  readonly damage: RowDamage | null;
  /** What gave way to a surer name. */
  readonly dropped: Saying | null;
}

const NOTHING: Said = { damage: null, dropped: null };

export class UserTexts {
  readonly #texts = new Map<TextField, Saying>();

  say(saying: Saying): Said {
    const { field, rank } = saying.meaning;
    if (saying.text.trim() === "") return NOTHING;
    const known = this.#texts.get(field);
    const isSurer = known !== undefined && isUnsure(known.meaning) && !isUnsure(saying.meaning);
    const isLessSure = known !== undefined && !isUnsure(known.meaning) && isUnsure(saying.meaning);
    if (known === undefined || isSurer || (field === "id" && rank < known.meaning.rank)) {
      this.#texts.set(field, saying);
      return isSurer ? { damage: null, dropped: known } : NOTHING;
    }
    if (isLessSure) return { damage: null, dropped: saying };
    if (field === "id" || !contradicts(known, saying)) return NOTHING;
    return { damage: severalSay(known, saying), dropped: null };
  }

  /** Empty where nothing says it. */
  of(field: TextField): string {
    return this.#texts.get(field)?.text ?? "";
  }

  /** Of the property that says it; null where none does. */
  path(field: TextField): string | null {
    return this.#texts.get(field)?.path ?? null;
  }
}

/** Of two names for one field, whether the second says something else than the first. */
function contradicts(one: Saying, other: Saying): boolean {
  const [a, b] = [one.text.trim(), other.text.trim()];
  return one.meaning.field === "email" ? a.toLowerCase() !== b.toLowerCase() : a !== b;
}

function severalSay({ meaning, path }: Saying, other: Saying): RowDamage {
  const { field } = meaning;
  return new RowDamage(
    "field_ambiguous",
    `The properties ${showName(path)} and ${showName(other.path)} both may be the ${field}, and differ; say which one it is with --map ${field}=NAME.`,
  );
}
