/** The first request as a program, in each language. */
import type { Assistant } from 'conversation-analysis-client';
import { publicApiUrl } from '../../server/workspace.ts';

export const PROGRAM_LANGUAGES = ['cURL', 'TypeScript', 'Python'] as const;
export type ProgramLanguage = (typeof PROGRAM_LANGUAGES)[number];

/**
 * Returns a program that submits a conversation to this assistant.
 * @param token default: a placeholder.
 */
export function printProgram(language: ProgramLanguage, { id, type }: Assistant, token = '<API token>'): string {
  const api = publicApiUrl();
  return type === 'voice' ? VOICE[language](api, id, token) : TEXT[language](api, id, token);
}

type Print = (api: string, assistantId: string, token: string) => string;

const TEXT: Record<ProgramLanguage, Print> = {
  cURL: (api, id, token) => `API=${api}
TOKEN='${token}'
curl -s "$API/v1/requests/text" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{
  "assistant_id": "${id}",
  "conversation": [
    {"role": "operator", "text": "Good morning, how can I help?"},
    {"role": "client", "text": "My parcel has not arrived."}]}'`,
  TypeScript: (api, id, token) => `import { createClient, submitTextRequest } from 'conversation-analysis-client';

const client = createClient({ baseUrl: '${api}', auth: '${token}' });
const { data } = await submitTextRequest({
  client,
  body: {
    assistant_id: '${id}',
    conversation: [
      { role: 'operator', text: 'Good morning, how can I help?' },
      { role: 'client', text: 'My parcel has not arrived.' },
    ],
  },
});
console.log(data.summary_text);`,
  Python: (api, id, token) => `import requests

response = requests.post(
    "${api}/v1/requests/text",
    headers={"Authorization": "Bearer ${token}"},
    json={
        "assistant_id": "${id}",
        "conversation": [
            {"role": "operator", "text": "Good morning, how can I help?"},
            {"role": "client", "text": "My parcel has not arrived."},
        ],
    },
)
print(response.json()["summary_text"])`,
};

const VOICE: Record<ProgramLanguage, Print> = {
  cURL: (api, id, token) => `API=${api}
TOKEN='${token}'
curl -s "$API/v1/requests/voice" -H "Authorization: Bearer $TOKEN" \\
  -F assistant_id=${id} -F audio_file=@call.mp3`,
  TypeScript: (api, id, token) => `import { openAsBlob } from 'node:fs';
import { createClient, submitVoiceRequest } from 'conversation-analysis-client';

const client = createClient({ baseUrl: '${api}', auth: '${token}' });
const { data } = await submitVoiceRequest({
  client,
  body: { assistant_id: '${id}', audio_file: await openAsBlob('call.mp3') },
});
console.log(data.summary_text);`,
  Python: (api, id, token) => `import requests

with open("call.mp3", "rb") as file:
    response = requests.post(
        "${api}/v1/requests/voice",
        headers={"Authorization": "Bearer ${token}"},
        data={"assistant_id": "${id}"},
        files={"audio_file": file},
    )
print(response.json()["summary_text"])`,
};
