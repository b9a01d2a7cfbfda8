/** What a new workspace needs, step by step. Hidden once the workspace has more sessions than the samples, or on request. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, type LinkProps } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { countSessionsOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import type { Scope } from '../../../../contract/values/scopes.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { savePreferences, usePreferences } from '../../format/preferences.ts';
import { loadFile } from '../../server/load-file.ts';
import { useMay } from '../../server/membership.ts';
import { refreshAll } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

const words = texts.overview.first;

const SHOWN_UNTIL = 10;

interface FirstStep {
  name: keyof typeof words.steps;
  isDone: boolean;
  to: LinkProps['to'];
  scope: Scope;
}

/** Returns what the steps depend on. The overview waits for it, because the steps are at its top. */
export function useFirstSteps() {
  const { firstSteps } = usePreferences();
  const sessions = useQuery(countSessionsOptions({ query: {} }));
  const assistants = useQuery(listAssistantsOptions());
  const total = sessions.data?.total ?? 0;
  const isShown = total === 0 || (firstSteps && total <= SHOWN_UNTIL);
  const isLoading = [sessions, assistants].some((query) => query.isLoading);
  return { sessions, assistants, isShown, isLoading };
}

const loadSamples = () => loadFile(() => import('../../analysis-settings/samples.ts'));

/** Whether the workspace has no sessions yet. */
export const isNew = ({ sessions }: ReturnType<typeof useFirstSteps>) => sessions.data?.total === 0;

export function FirstSteps() {
  const navigate = useNavigate();
  const state = useFirstSteps();
  const may = useMay();
  const { sessions, assistants, isShown } = state;
  const adding = useMutation({
    mutationFn: async () => (await loadSamples()).addSamples(),
    onSuccess: async () => {
      await refreshAll();
      await navigate({ to: '/sessions' });
    },
    onError: showFailure,
  });
  // Roles that only read can do none of the steps.
  if (!sessions.data || !assistants.data || !isShown || !may('requests:write')) return null;
  const all = assistants.data.data;
  const hasWebhook = all.some(({ webhook_url }) => webhook_url !== null);
  const steps: FirstStep[] = [
    { name: 'assistant', isDone: all.length > 0, to: '/start', scope: 'assistants:write' },
    { name: 'conversation', isDone: !isNew(state), to: '/start', scope: 'requests:write' },
    { name: 'webhook', isDone: hasWebhook, to: '/start', scope: 'assistants:webhook' },
  ];
  return (
    <Panel
      title={words.title}
      actions={
        isNew(state) ? (
          <Button
            look="primary"
            size="small"
            scope="assistants:write"
            disabled={adding.isPending}
            title={words.samplesHint}
            onClick={() => adding.mutate()}
          >
            {words.samples}
          </Button>
        ) : (
          <Button look="quiet" size="small" onClick={() => savePreferences({ firstSteps: false })}>
            {words.hide}
          </Button>
        )
      }
    >
      <ol className="stack">
        {steps.map(({ name, isDone, to, scope }) => (
          <li key={name} className="row apart">
            <span className="row">
              {isDone ? (
                <CircleCheck size={16} color="var(--good)" role="img" aria-label={texts.labels.done} />
              ) : (
                <Circle size={16} color="var(--ink-faint)" aria-hidden />
              )}
              {words.steps[name]}
            </span>
            {!isDone && (
              <ButtonLink size="small" to={to} scope={scope}>
                {words.open[name]}
              </ButtonLink>
            )}
          </li>
        ))}
        <li>
          <a href="/api/docs" target="_blank" rel="noreferrer">
            {texts.shell.apiDocs}
          </a>
        </li>
      </ol>
    </Panel>
  );
}
