/** Declares an assistant's fields and infers the types of their values. */
import type { FieldEvidence, FieldProblem, ResultFieldInput } from '../src/index.ts';

/** A field without its name, which is the key of the declaration. */
export type FieldDeclaration = Readonly<
  Omit<ResultFieldInput, 'name' | 'options' | 'of' | 'must'> & {
    [List in 'options' | 'of' | 'must']?: Readonly<ResultFieldInput[List]>;
  }
>;

export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

interface ValueOfType {
  boolean: boolean;
  integer: number;
  number: number;
  string: string;
  enum: string;
  string_list: string[];
  score: number;
  said: boolean;
}

/** The type of a field's value. For an `enum`, the union of its options. */
export type FieldValue<F extends FieldDeclaration> = F extends { type: 'enum'; options: readonly (infer Option)[] }
  ? Option
  : ValueOfType[F['type']];

export interface FieldResults<D extends FieldDeclarations> {
  /** Null if the conversation does not contain the value. If the value was invalid, `problems` has the reason. */
  values: { [Name in keyof D]: FieldValue<D[Name]> | null };
  evidence: { [Name in keyof D]?: FieldEvidence };
  problems: { [Name in keyof D]?: FieldProblem };
}

export interface DefinedFields<D extends FieldDeclarations> {
  /** For `createAssistant` and `updateAssistant`. */
  fields: ResultFieldInput[];
  /**
   * Returns the field values in `raw_response` of a session or webhook, or null if it has no fields. Fields that the
   * session's assistant did not have are null.
   */
  read(rawResponse: Readonly<Record<string, unknown>> | null | undefined): FieldResults<D> | null;
}

/** Returns the fields for the API, and a function that reads their values with inferred types. */
export function defineFields<const D extends FieldDeclarations>(declarations: D): DefinedFields<D> {
  const entries = Object.entries<FieldDeclaration>(declarations);
  return {
    fields: entries.map(([name, field]) => ({ name, ...field }) as ResultFieldInput),
    read(rawResponse) {
      const {
        fields,
        evidence = {},
        problems = {},
      } = (rawResponse ?? {}) as {
        fields?: Record<string, unknown>;
        evidence?: FieldResults<D>['evidence'];
        problems?: FieldResults<D>['problems'];
      };
      if (typeof fields !== 'object' || fields === null) return null;
      const values = Object.fromEntries(
        entries.map(([name]) => [name, Object.hasOwn(fields, name) ? fields[name] : null]),
      );
      return { values: values as FieldResults<D>['values'], evidence, problems };
    },
  };
}
