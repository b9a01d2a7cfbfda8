/** The reasoning effort and the output limit of assistants. */
import { send } from '../../support/api.ts';
import { createOwner, createSession, createUser } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('The reasoning effort and the output limit of an assistant', () => {
  const api = useTestApi();
  const settings = {
    name: 'A',
    type: 'text',
    llm_provider: 'openai',
    llm_model: 'gpt-5.4',
    system_prompt: 'Sum up.',
  } as const;

  it('are refused with the name of the field where the model is known to refuse them', async () => {
    const { token } = await createUser();
    for (const [llm_provider, llm_model, body, path] of [
      ['openai', 'gpt-5.2-chat-latest', { reasoning_effort: 'none' }, 'reasoning_effort'],
      ['anthropic', 'claude-haiku-5-5', { reasoning_effort: 'none' }, 'reasoning_effort'],
      ['grok', 'grok-4.3', { reasoning_effort: 'max' }, 'reasoning_effort'],
      ['openai', 'gpt-4o', { max_output_tokens: 20_000 }, 'max_output_tokens'],
      ['openai', 'gpt-5.4', { reasoning_effort: 'deep' }, 'reasoning_effort'],
      ['openai', 'gpt-5.4', { max_output_tokens: 5 }, 'max_output_tokens'],
    ] as const) {
      const all = { ...settings, llm_provider, llm_model, ...body };
      expect((await send(api, 'createAssistant', { token, body: all })).paths, llm_model).to.deep.equal([path]);
    }
  });

  it('can be replaced for one reanalysis', async () => {
    const { token, assistant } = await createOwner();
    const { id } = await createSession(assistant, { status: 'completed', completed_at: new Date() });
    const { body } = await send(api, 'reanalyzeSession', {
      token,
      params: { id },
      headers: { prefer: 'respond-async' },
      body: { reasoning_effort: 'none', max_output_tokens: 9_000 },
    });
    expect('assistant' in body && body.assistant).to.include({ reasoning_effort: 'none', max_output_tokens: 9_000 });
  });
});
