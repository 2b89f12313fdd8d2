/** An input's end that came too early, as an error of its bytes. All that was whole before it has been read by then; what began last isn't whole. */

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
