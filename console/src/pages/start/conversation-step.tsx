import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { parseConversation } from 'conversation-analysis-client/uploads';
import { submitTextRequestMutation } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { Form, FormButtons, TextAreaField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import { DropZone } from '../../uploads/drop-zone.tsx';
import { UploadList } from '../../uploads/upload-list.tsx';
import { addUploads } from '../../uploads/upload-queue.ts';
import { Step } from './step.tsx';

const words = texts.start.conversation;

/** Takes a conversation as text, or recordings. */
export function ConversationStep({ assistant }: { assistant: Assistant }) {
  if (assistant.type === 'text') return <TextStep assistantId={assistant.id} />;
  return (
    <Step number={3} title={words.voiceTitle} hint={words.voiceHint}>
      <DropZone onFiles={(files) => addUploads(files, assistant.id)} />
      <UploadList />
    </Step>
  );
}

function TextStep({ assistantId }: { assistantId: string }) {
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
          label={words.textTitle}
          hint={words.textHint}
          rows={8}
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <FormButtons submit={words.submit} isDisabled={submitting.isPending}>
          <Button onClick={() => setText(words.sample)}>{words.useSample}</Button>
        </FormButtons>
      </Form>
    </Step>
  );
}
