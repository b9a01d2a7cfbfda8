import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { cancelSession, deleteSession, retrySession, type Session } from 'conversation-analysis-client';
import { Button, ButtonAnchor, ButtonLink } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { TemporalLink } from '../../components/temporal-link.tsx';
import { showToast } from '../../components/toasts.tsx';
import { ShareButton } from '../../lists/share-button.tsx';
import { TryNow } from '../../lists/try-now.tsx';
import { refresh } from '../../server/queries.ts';
import { lazyPart } from '../../server/load-file.ts';
import { apiBase } from '../../server/workspace.ts';
import { texts } from '../../texts/index.ts';

const ReanalyzeDialog = lazyPart(() => import('./reanalyze-dialog.tsx'), 'ReanalyzeDialog');
const RetryDownloadDialog = lazyPart(() => import('./retry-download-dialog.tsx'), 'RetryDownloadDialog');
const words = texts.session.actions;

const refreshSession = () => void refresh('getSession', 'getSessionTimeline', 'listSessions');

/** The actions that the session's current status allows. */
export function SessionActions({ session }: { session: Session }) {
  const [isRetrying, setRetrying] = useState(false);
  const [isReanalyzing, setReanalyzing] = useState(false);
  const navigate = useNavigate();
  const { session_id: id, status } = session;
  const isFinal = session.completed_at !== null;
  const isDownloadRetried = status === 'failed' && session.error?.stage === 'fetch';
  const call = { path: { id }, throwOnError: true } as const;
  const retry = async () => {
    await retrySession({ ...call, headers: { prefer: 'respond-async' } }).finally(refreshSession);
    showToast(words.retried);
  };
  const remove = async () => {
    await deleteSession(call);
    showToast(words.deleted);
    await navigate({ to: '/sessions' });
    await refresh('listSessions');
  };
  return (
    <>
      {isDownloadRetried && (
        <Button scope="sessions:write" look="primary" onClick={() => setRetrying(true)}>
          {words.retry}
        </Button>
      )}
      {status === 'failed' && !isDownloadRetried && (
        <ConfirmButton
          scope="sessions:write"
          look={session.error?.retryable && session.error.code !== 'budget_exceeded' ? 'primary' : 'plain'}
          shortcut="r"
          title={words.retryTitle}
          detail={words.retryDetail}
          action={words.retry}
          run={retry}
        />
      )}
      {session.waiting_for && (
        <>
          <TryNow id={id} />
          <TryNow id={id} fallback />
        </>
      )}
      {!isFinal && (
        <ConfirmButton
          scope="sessions:write"
          title={words.cancelTitle}
          detail={words.cancelDetail}
          action={words.cancelAction}
          closeLabel={words.keepRunning}
          run={() => cancelSession(call).finally(refreshSession)}
        >
          {words.cancel}
        </ConfirmButton>
      )}
      {isFinal && session.conversation && (
        <Button scope="sessions:write" onClick={() => setReanalyzing(true)}>
          {words.reanalyze}
        </Button>
      )}
      {isFinal && session.source_session_id && (
        <ButtonLink to="/sessions/$sessionId/compare" params={{ sessionId: id }}>
          {texts.compare.withOriginal}
        </ButtonLink>
      )}
      {isFinal && <ShareButton shared={{ session_id: id }} />}
      <ButtonAnchor look="quiet" href={`${apiBase()}/v1/sessions/${id}`} download={`${id}.json`}>
        JSON
      </ButtonAnchor>
      <CopyCurl path={`/v1/sessions/${id}`} />
      <TemporalLink workflowId={id} />
      <ConfirmButton
        scope="sessions:delete"
        isDanger
        title={words.deleteTitle}
        detail={words.deleteDetail}
        action={words.delete}
        run={remove}
      />
      <Suspense>
        {isRetrying && <RetryDownloadDialog session={session} onClose={() => setRetrying(false)} />}
        {isReanalyzing && <ReanalyzeDialog session={session} onClose={() => setReanalyzing(false)} />}
      </Suspense>
    </>
  );
}
