/** The error of an input that ends too early. By then every whole row has been read; the last one isn't whole. */

/**
 * Thrown by an input's bytes in place of their end where the gzip file or the encoding shows that
 * there was more. Readers let it pass: what they hold back is half a row.
 */
export class CutOff extends Error {
  override readonly name = "CutOff";
  /** What the operator does about it. */
  readonly hint: string;

  constructor(hint: string) {
    super("the input ends too early");
    this.hint = hint;
  }
}
