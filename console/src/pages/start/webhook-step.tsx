import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Assistant } from '../../../../clients/typescript/src/index.ts';
import { updateAssistantMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { Form, FormButtons, TextField } from '../../components/field.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { Step } from './step.tsx';
import styles from './step.module.css';

const words = texts.start.webhook;

/** Where the result goes; who has no receiver yet leaves it out. */
export function WebhookStep({ assistant: { id, webhook_url } }: { assistant: Assistant }) {
  const [isChanging, setChanging] = useState(false);
  const saving = useMutation({
    ...updateAssistantMutation(),
    onSuccess: async () => {
      await refresh('listAssistants', 'getAssistant');
      setChanging(false);
    },
  });
  if (!isChanging) {
    return (
      <Step
        number={2}
        title={words.title}
        hint={webhook_url === null ? words.hint : undefined}
        isDone={webhook_url !== null}
      >
        <div className={styles['line']}>
          {webhook_url !== null && <code>{webhook_url}</code>}
          <Button onClick={() => setChanging(true)}>{webhook_url === null ? words.set : words.change}</Button>
        </div>
      </Step>
    );
  }
  return (
    <Step number={2} title={words.title} hint={words.hint}>
      <Form
        error={saving.error}
        onSubmit={(values) => saving.mutate({ path: { id }, body: { webhook_url: values['webhook_url'] || null } })}
      >
        <TextField
          name="webhook_url"
          label={words.url}
          type="url"
          defaultValue={webhook_url ?? ''}
          hint={words.urlHint}
          autoFocus
        />
        <FormButtons>
          <Button type="submit" look="primary" disabled={saving.isPending}>
            {words.save}
          </Button>
          <Button onClick={() => setChanging(false)}>{texts.common.cancel}</Button>
        </FormButtons>
      </Form>
    </Step>
  );
}
