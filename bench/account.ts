import { createAssistant, createClient, createKey, register, type AssistantInput } from 'conversation-analysis-client';
import { API_BASE } from '../contract/values/constants.ts';

/** The conversation of the measured text sessions. */
export const CONVERSATION = [
  { role: 'operator', text: 'Good morning, how can I help?' },
  { role: 'client', text: 'My parcel has not arrived.' },
];

/** In a prompt or a file name: the stand-ins respond after a second. */
export const SLOW = '[provider delay_ms=1000]';

interface BenchAccount {
  authorization: string;
  /** Creates an assistant with stand-in models and returns its ID. */
  addAssistant(settings: Pick<AssistantInput, 'type'> & Partial<AssistantInput>): Promise<string>;
  /** Submits the conversation and returns the session's ID when the API responds. */
  submit(assistantId: string, headers?: Record<string, string>): Promise<string>;
}

/** Creates a user with an API token. */
export async function openAccount(apiUrl: string, name = 'bench'): Promise<BenchAccount> {
  const client = createClient({ baseUrl: apiUrl + API_BASE });
  const credentials = { email: `${name}@example.com`, password: 'a password for the bench', name };
  const { data: login } = await register({ client, body: credentials });
  client.setConfig({ auth: login.token });
  const { data: key } = await createKey({ client, body: { name: 'bench' } });
  const authorization = `Bearer ${key.token}`;
  return {
    authorization,
    async addAssistant(settings) {
      const defaults = { name: 'Bench', llm_provider: 'openai', system_prompt: 'Summarize.' } as const;
      const { data: assistant } = await createAssistant({ client, body: { ...defaults, ...settings } });
      return assistant.id;
    },
    async submit(assistant_id, headers = {}) {
      const response = await fetch(`${apiUrl}/api/v1/requests/text`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ assistant_id, conversation: CONVERSATION }),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
      return ((await response.json()) as { session_id: string }).session_id;
    },
  };
}
