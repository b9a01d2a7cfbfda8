/** A place of a conversation that can't be read. */
export class FormatError extends Error {
  override name = 'FormatError';
  /** Number of the line, from 1; undefined if the place is not a line. */
  readonly line: number | undefined;

  /** @param place the number of the line, or a name such as "Message 3". */
  constructor(place: number | string, problem: string) {
    super(`${typeof place === 'number' ? `Line ${place}` : place} ${problem}.`);
    this.line = typeof place === 'number' ? place : undefined;
  }
}
