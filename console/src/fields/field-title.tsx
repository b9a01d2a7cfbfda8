/** The names of fields: the title for people, and the key that programs use. */
import { useQuery } from '@tanstack/react-query';
import { getAssistantOptions } from 'conversation-analysis-client/react-query';
import type { ResultField } from '../../../contract/fields/result-fields.ts';

type Named = Pick<ResultField, 'name' | 'title'>;

/** Returns the title of a field; its key if it has none. */
export type TitleOf = (key: string) => string;

/** @param sources lists of fields. The first list with a field names it. */
export function titlesOf(...sources: readonly (readonly Named[] | null | undefined)[]): TitleOf {
  const named = sources.toReversed().flatMap((fields) => fields ?? []);
  const titles = new Map(named.map(({ name, title = name }) => [name, title]));
  return (key) => titles.get(key) ?? key;
}

/**
 * Returns the present titles of an assistant's fields.
 * @param stored fields of a session, for the fields that the assistant no longer has.
 */
export function useFieldTitles(assistantId: string | undefined, stored?: readonly Named[] | null): TitleOf {
  const { data } = useQuery({
    ...getAssistantOptions({ path: { id: assistantId ?? '' } }),
    enabled: assistantId !== undefined,
  });
  return titlesOf(data?.fields, stored);
}

/** Returns a key that breaks after an underscore rather than inside a word. */
const breakable = (key: string) =>
  key.split(/(?<=_)/).flatMap((word, index) => (index === 0 ? word : [<wbr key={index} />, word]));

/** A field's title. Its key is a tooltip, because only programs need it. */
export const FieldTitle = ({ name, title = name }: Named) =>
  title === name ? (
    <code dir="ltr">{breakable(name)}</code>
  ) : (
    <span dir="auto" title={name}>
      {title}
    </span>
  );
