/** Rules of schemas whose issues say what is wrong in the words of the table. */
import { fieldError, type FieldFault, type FieldSaid } from './field-errors.ts';

/**
 * Returns the error of a rule of a schema: `z.string().regex(…, rule('key_format'))`. Zod copies the members of an issue after it
 * calls `error`; test/contract/errors.unit.test.ts guards this.
 */
export function rule(...fault: FieldFault) {
  const said = fieldError(...fault);
  return { error: (issue: object) => Object.assign(issue, { said }).said.message };
}

/** Returns an issue for `superRefine`. */
export function ruleIssue(path: PropertyKey[], ...fault: FieldFault) {
  const said = fieldError(...fault);
  return { code: 'custom' as const, path, message: said.message, said };
}

/** Returns what a rule said; undefined for an issue of zod's own. */
export const saidBy = (issue: object) => (issue as { said?: FieldSaid }).said;
