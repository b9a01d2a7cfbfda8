/** Creates a token for an agent or tool that supports the Model Context Protocol, and shows its configuration. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { useMutation } from '@tanstack/react-query';
import { createKeyMutation } from 'conversation-analysis-client/react-query';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { DoneButton, Form, FormButtons, TextField } from '../../components/field.tsx';
import { refresh } from '../../server/queries.ts';
import { publicApiUrl } from '../../server/workspace.ts';
import { texts } from '../../texts/index.ts';

const words = { ...texts.tokens, ...texts.tokens.connect };

/** The scopes that all reading tools need. */
const SCOPES = ['assistants:read', 'sessions:read', 'usage:read'] as const;
const EXPIRES_IN_DAYS = 90;

export function ConnectTool({ onClose }: { onClose: () => void }) {
  const create = useMutation({ ...createKeyMutation(), onSuccess: () => refresh('listKeys') });
  if (create.data) {
    return (
      <Dialog onClose={onClose} title={words.title} isWide isKept>
        <p>{words.snippetDetail}</p>
        <CodeBlock text={printConfiguration(create.data.token)} label={words.snippet} />
        <p className="note">{words.warning}</p>
        <DoneButton onClose={onClose} />
      </Dialog>
    );
  }
  const submit = ({ name = '' }: Record<string, string>) =>
    create.mutate({ body: { name, scopes: [...SCOPES], expires_in_days: EXPIRES_IN_DAYS } });
  return (
    <Dialog onClose={onClose} title={words.title}>
      <Form error={create.error} onSubmit={submit}>
        <p>{words.detail}</p>
        <TextField
          name="name"
          label={texts.labels.name}
          hint={words.nameHint}
          required
          maxLength={LIMITS.name}
          autoFocus
        />
        <FormButtons submit={words.create} isDisabled={create.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Returns the configuration in the format that most tools use. */
function printConfiguration(token: string): string {
  const url = `${publicApiUrl()}/mcp`;
  const conversations = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  return JSON.stringify({ mcpServers: { conversations } }, null, 2);
}
