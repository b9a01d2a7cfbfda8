/** An assistant's fields, declared once: what the API is given, and the types of what comes back. */
import type { FieldEvidence, FieldProblem, ResultFieldInput } from '../src/index.ts';

/** A field without its name, which is the key that it is declared under. */
export type FieldDeclaration = Readonly<
  Omit<ResultFieldInput, 'name' | 'options'> & { options?: readonly string[] | undefined }
>;

export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

interface ValueOfType {
  boolean: boolean;
  integer: number;
  number: number;
  string: string;
  enum: string;
  string_list: string[];
}

/** The type of a field's value; that of an `enum` is one of its options. */
export type FieldValue<F extends FieldDeclaration> = F extends { type: 'enum'; options: readonly (infer Option)[] }
  ? Option
  : ValueOfType[F['type']];

export interface FieldResults<D extends FieldDeclarations> {
  /** null: the conversation does not say it, or `problems` says why there is no value. */
  values: { [Name in keyof D]: FieldValue<D[Name]> | null };
  evidence: { [Name in keyof D]?: FieldEvidence };
  problems: { [Name in keyof D]?: FieldProblem };
}

export interface DefinedFields<D extends FieldDeclarations> {
  /** For `createAssistant` and `updateAssistant`. */
  fields: ResultFieldInput[];
  /**
   * Returns what `raw_response` of a session or a webhook says of these fields; null where the session did not ask for
   * them. Values are what the session's own assistant asked for, so one that was added since is null.
   */
  read(rawResponse: Readonly<Record<string, unknown>> | null | undefined): FieldResults<D> | null;
}

/** Returns the fields for the API, and a reader of their results whose types follow from the declaration. */
export function defineFields<const D extends FieldDeclarations>(declarations: D): DefinedFields<D> {
  const entries = Object.entries<FieldDeclaration>(declarations);
  return {
    fields: entries.map(([name, { options, ...rest }]) => ({
      name,
      ...rest,
      ...(options && { options: [...options] }),
    })),
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
