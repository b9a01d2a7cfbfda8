/** The first request as a command. */
import type { Assistant } from 'conversation-analysis-client';
import { publicApiUrl } from '../../server/workspace.ts';

/**
 * Returns a command that submits a conversation to this assistant.
 * @param token default: a placeholder.
 */
export const printProgram = ({ id, type }: Assistant, token = '<API token>') =>
  `API=${publicApiUrl()}
TOKEN='${token}'
` + (type === 'voice' ? printVoice(id) : printText(id));

const printText = (
  id: string,
) => `curl -s "$API/v1/requests/text" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{
  "assistant_id": "${id}",
  "conversation": [
    {"role": "operator", "text": "Good morning, how can I help?"},
    {"role": "client", "text": "My parcel has not arrived."}]}'`;

const printVoice = (id: string) => `curl -s "$API/v1/requests/voice" -H "Authorization: Bearer $TOKEN" \\
  -F assistant_id=${id} -F audio_file=@call.mp3`;
