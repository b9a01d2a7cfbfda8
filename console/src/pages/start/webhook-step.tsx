import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { updateAssistantMutation } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Form, FormButtons, TextField } from '../../components/field.tsx';
import { Receiver } from '../../deliveries/receiver.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { Step } from './step.tsx';

const words = { ...texts.start, ...texts.start.webhook };

const SECRET_BYTES = 32;

/** Sets the URL that receives the result, with a new secret that signs deliveries. This step can be skipped. */
export function WebhookStep({ assistant: { id, webhook_url: url } }: { assistant: Assistant }) {
  const [isChanging, setChanging] = useState(false);
  const [secret, setSecret] = useState<string>();
  const saving = useMutation({
    ...updateAssistantMutation(),
    onSuccess: async (_, { body }) => {
      await refresh('listAssistants', 'getAssistant');
      setSecret(body.webhook_secret ?? undefined);
      setChanging(false);
    },
  });
  const save = (typed: string | undefined) => {
    if (typed === (url ?? '')) return setChanging(false);
    const [webhook_url, webhook_secret] = typed ? [typed, createSecret()] : [null, null];
    saving.mutate({ path: { id }, body: { webhook_url, webhook_secret } });
  };
  const isDone = url !== null && !isChanging;
  return (
    <Step number={2} title={texts.assistants.webhook} hint={!isDone && words.hint} isDone={isDone}>
      {isChanging ? (
        <Form error={saving.error} onSubmit={({ webhook_url }) => save(webhook_url)}>
          <TextField
            name="webhook_url"
            label={texts.settingTitles.webhook_url}
            type="url"
            defaultValue={url ?? ''}
            hint={words.urlHint}
            autoFocus
          />
          <FormButtons submit={texts.labels.save} isDisabled={saving.isPending} onCancel={() => setChanging(false)} />
        </Form>
      ) : (
        <div className="row">
          {url !== null && <code>{url}</code>}
          <Button scope="assistants:webhook" onClick={() => setChanging(true)}>
            {url === null ? words.set : words.change}
          </Button>
        </div>
      )}
      {secret && (
        <>
          <p>{words.secretOnce}</p>
          <CodeBlock text={`WEBHOOK_SECRET=${secret}`} label={texts.settingTitles.webhook_secret} />
        </>
      )}
      <Receiver />
    </Step>
  );
}

function createSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
