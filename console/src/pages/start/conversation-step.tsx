import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Assistant } from '../../../../clients/typescript/src/index.ts';
import { parseConversation } from '../../../../clients/typescript/uploads/parse-conversation.ts';
import { submitTextRequestMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { Form, FormButtons, TextAreaField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import { DropZone } from '../../uploads/drop-zone.tsx';
import { UploadList } from '../../uploads/upload-list.tsx';
import { addUploads } from '../../uploads/upload-queue.ts';
import { Step } from './step.tsx';

const words = texts.start.conversation;

export function ConversationStep({ assistant }: { assistant: Assistant }) {
  if (assistant.type === 'text') return <Written assistantId={assistant.id} />;
  return (
    <Step number={3} title={words.voiceTitle} hint={words.voiceHint}>
      <DropZone onFiles={(files) => addUploads(files, assistant.id)} />
      <UploadList />
    </Step>
  );
}

function Written({ assistantId }: { assistantId: string }) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const submitting = useMutation({
    ...submitTextRequestMutation(),
    onSuccess: ({ session_id: session }) =>
      navigate({ to: '/start', search: { assistant: assistantId, session }, resetScroll: false }),
  });
  const submit = () =>
    submitting.mutate({
      headers: { prefer: 'respond-async' },
      body: { assistant_id: assistantId, conversation: parseConversation(text) },
    });
  return (
    <Step number={3} title={words.textTitle} isDone={submitting.isSuccess}>
      <Form error={submitting.error} onSubmit={submit}>
        <TextAreaField
          name="conversation"
          label={words.label}
          hint={words.textHint}
          rows={8}
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <FormButtons>
          <Button type="submit" look="primary" disabled={submitting.isPending}>
            {words.submit}
          </Button>
          <Button onClick={() => setText(words.sample)}>{words.useSample}</Button>
        </FormButtons>
      </Form>
    </Step>
  );
}
