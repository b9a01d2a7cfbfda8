import { useMutation } from '@tanstack/react-query';
import type { Session } from 'conversation-analysis-client';
import { retrySessionMutation } from 'conversation-analysis-client/react-query';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons } from '../../components/field.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { readRecordingUrl, RecordingUrlFields } from '../../uploads/recording-url.tsx';

const words = texts.session.actions;

/** Downloads the recording of a failed session again, from the same URL or another one. */
export function RetryDownloadDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const retrying = useMutation({
    ...retrySessionMutation(),
    onSuccess: onClose,
    onSettled: () => refresh('getSession', 'getSessionTimeline', 'listSessions'),
  });
  const submit = (values: Record<string, string>) =>
    retrying.mutate({
      path: { id: session.session_id },
      headers: { prefer: 'respond-async' },
      ...((values['audio_url'] || values['audio_headers']) && { body: readRecordingUrl(values) }),
    });
  return (
    <Dialog onClose={onClose} title={words.retryTitle}>
      <Form error={retrying.error} onSubmit={submit}>
        <RecordingUrlFields isOptional />
        <FormButtons submit={words.retry} isDisabled={retrying.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
