/**
 * Sentences with parameters. `{name}` is a parameter. A part in brackets is left out without its parameter. A key of a table of
 * sentences is the code that clients read and, if the code has several sentences, a colon and which of them this is.
 */

/** The code in the key of a sentence. */
export type CodeOf<Key> = Key extends `${infer Code}:${string}` ? Code : Key;

type Value = string | number;
type NamesIn<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type OptionalIn<S> = S extends `${string}[${infer Part}]${infer Rest}` ? NamesIn<Part> | OptionalIn<Rest> : never;
type RequiredIn<S> = Exclude<NamesIn<S>, OptionalIn<S>>;

/** The arguments that a sentence needs: none, or its parameters by name. */
export type ParamsIn<S extends string> = [NamesIn<S>] extends [never]
  ? []
  : [params: { [Name in RequiredIn<S>]: Value } & { [Name in OptionalIn<S>]?: Value | null | undefined }];

export type Params = Record<string, string>;

export type Given = Readonly<Record<string, Value | null | undefined>>;

/** What a sentence says: the text, its code, and the parameters if there are any. */
export interface Said<Code extends string> {
  message: string;
  code: Code;
  params?: Params;
}

/** Returns the sentence with its parameters. Ignores others. */
export function say<Key extends string>(key: Key, sentence: string, given: Given = {}): Said<CodeOf<Key> & string> {
  const params = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value == null || !sentence.includes(`{${name}}`) ? [] : [[name, String(value)]],
    ),
  );
  const message = sentence
    .replaceAll(/\[([^{}[\]]*\{(\w+)\}[^{}[\]]*)\]/g, (_, part: string, name: string) => (name in params ? part : ''))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  return {
    message,
    code: codeOf(key),
    ...(Object.keys(params).length > 0 && { params }),
  };
}

/** Returns the code in the key of a sentence. */
export const codeOf = <Key extends string>(key: Key) => key.split(':', 1)[0] as CodeOf<Key> & string;

/** Returns the codes of a table of sentences. */
export const codesOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) =>
  [...new Set((Object.keys(table) as Key[]).map(codeOf))] as [CodeOf<Key> & string, ...(CodeOf<Key> & string)[]];
