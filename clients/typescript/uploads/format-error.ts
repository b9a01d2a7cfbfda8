/** A line of a conversation that can't be read. */
export class FormatError extends Error {
  override name = 'FormatError';
  /** Number of the line, from 1. */
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`Line ${line} ${problem}.`);
    this.line = line;
  }
}
