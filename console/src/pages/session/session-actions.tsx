import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import {
  cancelSessionMutation,
  deleteSessionMutation,
  retrySessionMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button, ButtonAnchor, ButtonLink } from '../../components/button.tsx';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { TemporalLink } from '../../components/temporal-link.tsx';
import { say, sayFailure } from '../../components/toasts.tsx';
import { useKeys } from '../../palette/use-keys.ts';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

const ReanalyzeDialog = lazy(async () => ({ default: (await import('./reanalyze-dialog.tsx')).ReanalyzeDialog }));
const words = texts.session.actions;

/** What can be done with a session in its present state. */
export function SessionActions({ session, isFinal }: { session: Session; isFinal: boolean }) {
  const [asked, setAsked] = useState<'cancel' | 'delete' | 'reanalyze' | 'retry'>();
  const close = () => setAsked(undefined);
  const { session_id: id, status } = session;
  const retrying = useMutation({
    ...retrySessionMutation(),
    onError: sayFailure,
    onSuccess: () => say(words.retried),
    onSettled: () => {
      close();
      return refreshSession();
    },
  });
  const retry = () => retrying.mutate({ path: { id }, headers: { prefer: 'respond-async' } });
  useKeys((key) => {
    if (key !== 'r' || status !== 'failed') return false;
    setAsked('retry');
    return true;
  });
  return (
    <>
      {status === 'failed' && (
        <Button look="primary" aria-keyshortcuts="r" disabled={retrying.isPending} onClick={retry}>
          {words.retry}
        </Button>
      )}
      {!isFinal && <Button onClick={() => setAsked('cancel')}>{words.cancel}</Button>}
      {isFinal && session.conversation && <Button onClick={() => setAsked('reanalyze')}>{words.reanalyze}</Button>}
      {isFinal && (
        <ButtonLink
          to="/sessions/$sessionId/compare"
          params={{ sessionId: id }}
          search={{ with: session.source_session_id ?? undefined }}
        >
          {words.compare}
        </ButtonLink>
      )}
      <ButtonAnchor href={`/api/v1/sessions/${id}`} download={`${id}.json`}>
        {words.json}
      </ButtonAnchor>
      <CopyCurl path={`/v1/sessions/${id}`} />
      <TemporalLink workflowId={id} />
      <Button onClick={() => setAsked('delete')}>{words.delete}</Button>
      <ConfirmDialog
        isOpen={asked === 'retry'}
        onClose={close}
        title={words.retryTitle}
        detail={words.retryDetail}
        action={words.retry}
        isBusy={retrying.isPending}
        onConfirm={retry}
      />
      <CancelDialog id={id} isOpen={asked === 'cancel'} onClose={close} />
      <DeleteDialog id={id} isOpen={asked === 'delete'} onClose={close} />
      <Suspense>{asked === 'reanalyze' && <ReanalyzeDialog session={session} onClose={close} />}</Suspense>
    </>
  );
}

const refreshSession = () => refresh('getSession', 'getSessionTimeline', 'listSessions');

interface AskProps {
  id: string;
  isOpen: boolean;
  onClose: () => void;
}

function CancelDialog({ id, isOpen, onClose }: AskProps) {
  const canceling = useMutation({ ...cancelSessionMutation(), onSuccess: onClose, onSettled: refreshSession });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.cancelTitle}
      detail={words.cancelDetail}
      action={words.cancelAction}
      isBusy={canceling.isPending}
      error={canceling.error}
      onConfirm={() => canceling.mutate({ path: { id } })}
    />
  );
}

function DeleteDialog({ id, isOpen, onClose }: AskProps) {
  const navigate = useNavigate();
  const deleting = useMutation({
    ...deleteSessionMutation(),
    onSuccess: async () => {
      say(words.deleted);
      await navigate({ to: '/sessions' });
      await refresh('listSessions');
    },
  });
  return (
    <ConfirmDialog
      isDanger
      isOpen={isOpen}
      onClose={onClose}
      title={words.deleteTitle}
      detail={words.deleteDetail}
      action={words.delete}
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate({ path: { id } })}
    />
  );
}
