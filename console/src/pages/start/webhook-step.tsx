import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { updateAssistantMutation } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { Form, FormButtons, TextField } from '../../components/field.tsx';
import { Receiver } from '../../deliveries/receiver.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { Step } from './step.tsx';

const words = texts.start.webhook;

/** Sets the URL that receives the result. This step can be skipped. */
export function WebhookStep({ assistant: { id, webhook_url: url } }: { assistant: Assistant }) {
  const [isChanging, setChanging] = useState(false);
  const saving = useMutation({
    ...updateAssistantMutation(),
    onSuccess: async () => {
      await refresh('listAssistants', 'getAssistant');
      setChanging(false);
    },
  });
  const isDone = url !== null && !isChanging;
  return (
    <Step number={2} title={texts.assistants.webhook} hint={!isDone && words.hint} isDone={isDone}>
      {isChanging ? (
        <Form
          error={saving.error}
          onSubmit={({ webhook_url }) => saving.mutate({ path: { id }, body: { webhook_url: webhook_url || null } })}
        >
          <TextField
            name="webhook_url"
            label={texts.assistant.unversioned.webhook_url}
            type="url"
            defaultValue={url ?? ''}
            hint={words.urlHint}
            autoFocus
          />
          <FormButtons submit={texts.common.save} isDisabled={saving.isPending} onCancel={() => setChanging(false)} />
        </Form>
      ) : (
        <div className="row">
          {url !== null && <code>{url}</code>}
          <Button scope="assistants:webhook" onClick={() => setChanging(true)}>
            {url === null ? words.set : words.change}
          </Button>
        </div>
      )}
      <Receiver />
    </Step>
  );
}
