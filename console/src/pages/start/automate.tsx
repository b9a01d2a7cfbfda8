/** How programs submit conversations to this assistant, and receive the answers. */
import { useMutation } from '@tanstack/react-query';
import type { Assistant } from 'conversation-analysis-client';
import { createKeyMutation } from 'conversation-analysis-client/react-query';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { FoldedPart } from '../../components/part.tsx';
import { reporting } from '../../components/updates.ts';
import { publicApiUrl } from '../../server/workspace.ts';
import { texts } from '../../texts/index.ts';

const words = texts.start.automate;

export function Automate({ assistant }: { assistant: Assistant }) {
  const { id: assistantId, webhook_url } = assistant;
  const creating = useMutation({ ...createKeyMutation(), ...reporting('listKeys') });
  const token = creating.data?.token;
  return (
    <div style={{ containerType: 'inline-size' }}>
      <FoldedPart title={words.title} state={words.hint}>
        <div className="row">
          {webhook_url === null ? words.noWebhook : <code className="cut">{webhook_url}</code>}
          <ButtonLink to="/assistants/$assistantId" params={{ assistantId }} scope="assistants:webhook">
            {texts.assistants.webhook}
          </ButtonLink>
        </div>
        <div className="row">
          {!token && (
            <Button
              scope="keys:write"
              disabled={creating.isPending}
              onClick={() => creating.mutate({ body: { name: words.tokenName } })}
            >
              {texts.tokens.create}
            </Button>
          )}
          {token && <span>{words.tokenOnce}</span>}
          <a href="/api/docs" target="_blank" rel="noreferrer">
            {texts.shell.apiDocs}
          </a>
        </div>
        <CodeBlock text={printRequest(assistant, token)} label="cURL" />
      </FoldedPart>
    </div>
  );
}

/**
 * Returns a command that submits a conversation to this assistant.
 * @param token default: a placeholder.
 */
const printRequest = ({ id, type }: Assistant, token = '<API token>') =>
  `curl -s "${publicApiUrl()}/v1/requests/${type}" -H "Authorization: Bearer ${token}" ` +
  (type === 'voice'
    ? `-F assistant_id=${id} -F audio_file=@call.mp3`
    : `-H 'Content-Type: application/json' -d '{
  "assistant_id": "${id}",
  "conversation": [
    {"role": "operator", "text": "Good morning, how can I help?"},
    {"role": "client", "text": "My parcel has not arrived."}]}'`);
