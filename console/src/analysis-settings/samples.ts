/** Templates of assistants, and sample conversations, for the first minutes. */
import {
  createAssistant,
  listAssistants,
  listProviders,
  submitTextRequest,
  type Assistant,
} from 'conversation-analysis-client';
import { parseConversation } from 'conversation-analysis-client/uploads';
import { refresh } from '../server/queries.ts';
import { texts } from '../texts/index.ts';
import { defaultProvider } from './default-provider.ts';

const words = texts.start;

export const { templates } = words.assistant;
export const { samples } = words.conversation;

/** A form of a new assistant starts from one of these. */
export const templateField = {
  name: 'template',
  label: words.assistant.template,
  options: [...templates.map(({ name }) => ({ value: name, label: name })), { value: '', label: words.noTemplate }],
};

type Template = (typeof templates)[number];

export const templateOf = (name: string): Template | undefined => templates.find((each) => each.name === name);

type Fields = NonNullable<Assistant['fields']>;

/** Returns the fields of a template, each of which needs a quote. */
export const fieldsOf = ({ fields }: Template): Fields =>
  fields.map((line) => {
    const [name, title, type, description, options] = line.split(' | ');
    return { name, title, type, description, evidence: true, ...(options && { options: options.split(', ') }) };
  }) as Fields;

/** Creates an assistant of the first template, and submits the sample conversations. Returns its ID. */
export async function addSamples(): Promise<string> {
  const [template] = templates;
  if (!template) throw new Error('there is no template');
  const { name, prompt: system_prompt } = template;
  const fields = fieldsOf(template);
  const llm_provider = defaultProvider((await listProviders({ throwOnError: true })).data.data);
  const body = { name, type: 'text', llm_provider, system_prompt, fields } as const;
  // An earlier attempt may have failed after it created the assistant.
  const created = (await listAssistants({ throwOnError: true })).data.data.find((each) => each.name === name);
  const { id } = created ?? (await createAssistant({ body, throwOnError: true })).data;
  for (const [index, sample] of samples.entries()) {
    const metadata = { call_id: `sample-${index + 1}` };
    await submitTextRequest({
      body: { assistant_id: id, conversation: parseConversation(sample), metadata },
      headers: { prefer: 'respond-async' },
      throwOnError: true,
    });
  }
  await refresh('listAssistants', 'listSessions', 'getStats');
  return id;
}
