import type { Assistant } from '../contract/assistants.ts';
import type { Login } from '../contract/account.ts';
import { createDemoClient } from '../local/demo-client.ts';
import type { DemoClient } from '../local/demo-client.ts';

/** What is said in the text sessions that are measured. */
export const CONVERSATION = [
  { role: 'operator', text: 'Good morning, how can I help?' },
  { role: 'client', text: 'My parcel has not arrived.' },
];

export interface BenchAccount {
  client: DemoClient;
  authorization: string;
  /** Returns the id of a new assistant that uses the stand-in models. */
  addAssistant(settings: Record<string, string | null>): Promise<string>;
}

/** Makes a user with an API token through the API. */
export async function openAccount(apiUrl: string, name = 'bench'): Promise<BenchAccount> {
  const client = createDemoClient(apiUrl);
  const credentials = { email: `${name}@example.com`, password: 'a password for the bench', name };
  const { token } = await client.call<Login>('register', 'POST', '/v1/auth/register', credentials);
  client.useToken(token);
  const key = await client.call<{ token: string }>('make a key', 'POST', '/v1/keys', { name: 'bench' });
  return {
    client,
    authorization: `Bearer ${key.token}`,
    async addAssistant(settings) {
      const defaults = { name: 'Bench', llm_provider: 'openai', system_prompt: 'Summarise.' };
      const body = { ...defaults, ...settings };
      return (await client.call<Assistant>('create an assistant', 'POST', '/v1/assistants', body)).id;
    },
  };
}
