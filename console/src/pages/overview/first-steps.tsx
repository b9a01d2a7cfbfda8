/** What a workspace without sessions shows: where the first result comes from. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { countSessionsOptions } from 'conversation-analysis-client/react-query';
import { Button, ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { loadFile } from '../../server/load-file.ts';
import { useMay } from '../../server/membership.ts';
import { refreshAll } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

const words = texts.overview.first;

const loadSamples = () => loadFile(() => import('../../analysis-settings/samples.ts'));

/** Returns whether the workspace has no sessions yet, and the role can add the first. */
export function useIsEmpty() {
  const sessions = useQuery(countSessionsOptions({ query: {} }));
  const isAllowed = useMay()('requests:write');
  return { isLoading: sessions.isLoading, isEmpty: sessions.data?.total === 0 && isAllowed };
}

export function FirstSteps() {
  const navigate = useNavigate();
  const adding = useMutation({
    mutationFn: async () => (await loadSamples()).addSamples(),
    onSuccess: async () => {
      await refreshAll();
      await navigate({ to: '/sessions' });
    },
    onError: showFailure,
  });
  return (
    <EmptyState
      icon={Rocket}
      title={words.title}
      detail={words.detail}
      actions={
        <>
          <ButtonLink look="primary" to="/start">
            {texts.shell.start}
          </ButtonLink>
          <Button
            scope="assistants:write"
            disabled={adding.isPending}
            title={words.samplesHint}
            onClick={() => adding.mutate()}
          >
            {words.samples}
          </Button>
        </>
      }
    />
  );
}
