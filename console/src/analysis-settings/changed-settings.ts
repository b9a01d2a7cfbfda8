/** Settings that a reanalysis tests: which differ from those of the assistant, and their name. */
import { diffWordsWithSpace } from 'diff';
import { LIMITS } from '../../../contract/values/limits.ts';
import type { Assistant, Batch } from 'conversation-analysis-client';
import { cutAtWord } from '../format/cut-at-word.ts';
import { texts } from '../texts/index.ts';
import { areSame } from './read-fields.ts';

export type Tested = NonNullable<Batch['overrides']>;

/** Returns the tested settings that differ from those of the assistant. Its fields keep their titles. */
export function changesOf(assistant: Assistant, { fields, ...others }: Tested): Tested {
  const changed = Object.entries(others).filter(([name, value]) => assistant[name as keyof typeof others] !== value);
  if (fields === undefined || areSame(fields, assistant.fields)) return Object.fromEntries(changed);
  const titled = fields?.map((field) => {
    const title = assistant.fields?.find(({ name }) => name === field.name)?.title;
    return title === undefined ? field : { title, ...field };
  });
  return { ...Object.fromEntries(changed), fields: titled ?? null };
}

/** Returns the names of these settings in words. */
export const namesOf = (changes: object): string =>
  Object.keys(changes)
    .map((name) => texts.settingTitles[name as keyof typeof texts.settingTitles])
    .join(', ');

const MAX_QUOTE = 60;

/** Texts that differ more are not compared by word. */
const MAX_WORD_EDITS = 500;

/** Returns the words that a text gained, cut at a word; undefined if it gained none. */
function quoteOf(before: string, after: string): string | undefined {
  const added = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORD_EDITS })?.filter((part) => part.added);
  const words = added
    ?.map(({ value }) => value.trim())
    .join(' … ')
    .trim();
  return words && `“${cutAtWord(words, MAX_QUOTE)}”`;
}

/** Returns a name made from what changed: the new words of the prompt, the model, the titles of changed fields. */
export function nameOf(assistant: Assistant, { system_prompt, llm_model, fields, ...others }: Tested): string {
  const titles = fields === undefined ? [] : findChangedFields(assistant, fields);
  return [
    system_prompt !== undefined &&
      (quoteOf(assistant.system_prompt, system_prompt) ?? texts.settingTitles.system_prompt),
    llm_model,
    ...titles,
    fields !== undefined && titles.length === 0 && texts.settingTitles.fields,
    namesOf(others),
  ]
    .filter(Boolean)
    .join(', ')
    .slice(0, LIMITS.name);
}

/** Returns the titles of the fields that ask something else, or that one side does not have. */
export function findChangedFields({ fields: given }: Assistant, tested: Tested['fields']): string[] {
  const [before, after] = [given ?? [], tested ?? []];
  return [...new Set([...after, ...before].map(({ name }) => name))].flatMap((name) => {
    const [one, other] = [before, after].map((fields) => fields.filter((field) => field.name === name));
    return areSame(one ?? null, other ?? null) ? [] : (one?.[0]?.title ?? other?.[0]?.title ?? name);
  });
}
