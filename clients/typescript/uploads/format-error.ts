/** What can be wrong, in the words behind the place. */
export const FORMAT_PROBLEMS = {
  not_an_object: 'is not a JSON object',
  not_utf8: 'is not UTF-8. Save the file as UTF-8',
  invalid_json: 'begins like JSON, but is no valid JSON',
  invalid_cue: 'is not the time of a cue',
} as const;

export type FormatProblem = keyof typeof FORMAT_PROBLEMS;

/** A place of a conversation that can't be read. */
export class FormatError extends Error {
  override name = 'FormatError';
  /** Number of the line, from 1; undefined if the place is not a line. */
  readonly line: number | undefined;

  /** Number of the message, from 1; undefined if the place is a line. */
  readonly item: number | undefined;
  readonly problem: FormatProblem;

  /** @param place the number of the line, or of the message. */
  constructor(place: number | { message: number }, problem: FormatProblem) {
    const [line, item] = typeof place === 'number' ? [place, undefined] : [undefined, place.message];
    super(`${line === undefined ? `Message ${item}` : `Line ${line}`} ${FORMAT_PROBLEMS[problem]}.`);
    this.line = line;
    this.item = item;
    this.problem = problem;
  }
}
