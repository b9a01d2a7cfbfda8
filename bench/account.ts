import type { Assistant } from '../contract/assistants/assistant-schemas.ts';
import type { Login } from '../contract/account/account.ts';
import { createDemoClient } from '../local/demo-client.ts';

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
  addAssistant(settings: Record<string, string | null>): Promise<string>;
  /** Submits the conversation and returns the session's ID when the API responds. */
  submit(assistantId: string, headers?: Record<string, string>): Promise<string>;
}

/** Creates a user with an API token. */
export async function openAccount(apiUrl: string, name = 'bench'): Promise<BenchAccount> {
  const client = createDemoClient(apiUrl);
  const credentials = { email: `${name}@example.com`, password: 'a password for the bench', name };
  const { token } = await client.call<Login>('register', 'POST', '/v1/auth/register', credentials);
  client.useToken(token);
  const key = await client.call<{ token: string }>('create a key', 'POST', '/v1/keys', { name: 'bench' });
  const authorization = `Bearer ${key.token}`;
  return {
    authorization,
    async addAssistant(settings) {
      const defaults = { name: 'Bench', llm_provider: 'openai', system_prompt: 'Summarize.' };
      const body = { ...defaults, ...settings };
      return (await client.call<Assistant>('create an assistant', 'POST', '/v1/assistants', body)).id;
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
