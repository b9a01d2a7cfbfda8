/** Templates of assistants, for the first minutes. */
import type { Assistant } from 'conversation-analysis-client';
import { texts } from '../texts/index.ts';

export const { templates } = texts.start.assistant;

type Template = (typeof templates)[number];

export const templateOf = (name: string): Template | undefined => templates.find((each) => each.name === name);

type Fields = NonNullable<Assistant['fields']>;

/** Returns the fields of a template, each of which needs a quote. */
export const fieldsOf = ({ fields }: Template): Fields =>
  fields.map((line) => {
    const [name, title, type, description, options] = line.split(' | ');
    return { name, title, type, description, evidence: true, ...(options && { options: options.split(', ') }) };
  }) as Fields;
