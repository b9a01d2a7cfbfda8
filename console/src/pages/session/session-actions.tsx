import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { cancelSession, deleteSession, retrySession, type Session } from 'conversation-analysis-client';
import { Button, ButtonAnchor, ButtonLink } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { TemporalLink } from '../../components/temporal-link.tsx';
import { showToast } from '../../components/toasts.tsx';
import { hasTimes } from '../../conversation/speakers.tsx';
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

/** Returns the actions that the session's current status allows: at most two buttons, and the entries of the menu. */
export function useSessionActions(session: Session | undefined): { actions?: ReactNode; more?: ReactNode } {
  const [isRetrying, setRetrying] = useState(false);
  const [isReanalyzing, setReanalyzing] = useState(false);
  const navigate = useNavigate();
  if (!session) return {};
  const { session_id: id, status, error } = session;
  const isFinal = session.completed_at !== null;
  const isFailed = status === 'failed';
  const isDownloadRetried = isFailed && error?.stage === 'fetch';
  const canRetry = isDownloadRetried || (isFailed && error?.retryable && error.code !== 'budget_exceeded');
  const canReanalyze = isFinal && session.conversation !== null;
  const isCompleted = status === 'completed';
  const isReviewed = isCompleted && Boolean(session.assistant.fields?.length) && !session.source_session_id;
  const analysis = { action: 'analyze' as const, session_id: [id], assistant_id: session.assistant_id };
  const call = { path: { id }, throwOnError: true } as const;
  const transcript = `${apiBase()}/v1/sessions/${id}/transcript?format=`;
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
  const retryButton = isDownloadRetried ? (
    <Button scope="sessions:write" look="primary" onClick={() => setRetrying(true)}>
      {words.retry}
    </Button>
  ) : (
    isFailed && (
      <ConfirmButton
        scope="sessions:write"
        look={canRetry ? 'primary' : 'plain'}
        shortcut="r"
        title={words.retryTitle}
        detail={words.retryDetail}
        action={words.retry}
        run={retry}
      />
    )
  );
  const canFallBack = session.waiting_for && session.assistant.fallback;
  const cancelButton = !isFinal && (
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
  );
  return {
    actions: (
      <>
        {session.waiting_for && <TryNow id={id} />}
        {canFallBack ? <TryNow id={id} fallback /> : cancelButton}
        {canReanalyze && (
          <Button
            scope="sessions:write"
            look={isFailed && !canRetry ? 'primary' : 'plain'}
            onClick={() => setReanalyzing(true)}
          >
            {words.reanalyze} …
          </Button>
        )}
        {canRetry && retryButton}
        {isCompleted && session.source_session_id && (
          <ButtonLink look="primary" to="/sessions/$sessionId/compare" params={{ sessionId: id }}>
            {texts.compare.withOriginal}
          </ButtonLink>
        )}
        {isReviewed && (
          <ButtonLink scope="reviews:write" look="primary" to="/review" search={{ session_id: [id] }}>
            {texts.shell.review}
          </ButtonLink>
        )}
        <Suspense>
          {isRetrying && <RetryDownloadDialog session={session} onClose={() => setRetrying(false)} />}
          {isReanalyzing && <ReanalyzeDialog session={session} onClose={() => setReanalyzing(false)} />}
        </Suspense>
      </>
    ),
    more: (
      <>
        {!canRetry && retryButton}
        {canFallBack && cancelButton}
        {canReanalyze && !session.first_session_id && (
          <ButtonLink scope="requests:write" to="/batches/new" search={analysis}>
            {texts.batches.actions.analyze}
          </ButtonLink>
        )}
        {isFinal && <ShareButton shared={{ session_id: id }} />}
        {session.conversation &&
          (hasTimes(session.conversation) ? ['txt', 'srt', 'vtt', 'json'] : ['txt', 'json']).map((format) => (
            <ButtonAnchor key={format} href={transcript + format} download={`transcript.${format}`}>
              {texts.session.conversation.download(format.toUpperCase())}
            </ButtonAnchor>
          ))}
        <ButtonAnchor href={`${apiBase()}/v1/sessions/${id}`} download={`${id}.json`}>
          {`${texts.kinds.sess} (JSON)`}
        </ButtonAnchor>
        <TemporalLink workflowId={id} />
        <ConfirmButton
          scope="sessions:delete"
          isDanger
          title={words.deleteTitle}
          detail={words.deleteDetail}
          action={words.delete}
          run={remove}
        />
      </>
    ),
  };
}
