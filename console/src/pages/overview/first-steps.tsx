/** What a new workspace needs, step by step. Hidden once the workspace has more sessions than the samples, or on request. */
import { useMutation, useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { useNavigate } from '@tanstack/react-router';
import { countSessionsOptions, listAssistantsOptions, listKeysOptions } from 'conversation-analysis-client/react-query';
import type { Scope } from '../../../../contract/values/scopes.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { May } from '../../components/may.tsx';
import { Panel } from '../../components/page.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { savePreferences, usePreferences } from '../../format/preferences.ts';
import { loadFile } from '../../server/load-file.ts';
import { useMay, useWorkspace } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { Step } from '../start/step.tsx';

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
  const may = useMay();
  const sessions = useQuery(countSessionsOptions({ query: {} }));
  const assistants = useQuery(listAssistantsOptions());
  const keys = useQuery({ ...listKeysOptions(), enabled: may('keys:read') });
  return { sessions, assistants, keys, isLoading: [sessions, assistants, keys].some((query) => query.isLoading) };
}

/** @param isNew whether the overview has nothing else to show. */
export function FirstSteps({ isNew }: { isNew: boolean }) {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { firstSteps } = usePreferences();
  const { sessions, assistants, keys } = useFirstSteps();
  const adding = useMutation({
    mutationFn: async () => (await loadFile(() => import('../start/samples.ts'))).addSamples(),
    onSuccess: () => navigate({ to: '/sessions' }),
    onError: showFailure,
  });
  const total = sessions.data?.total ?? 0;
  if (!sessions.data || !assistants.data || (!isNew && (!firstSteps || total > SHOWN_UNTIL))) return null;
  const all = assistants.data.data;
  const steps: FirstStep[] = [
    { name: 'assistant', isDone: all.length > 0, to: '/start', scope: 'assistants:write' },
    { name: 'conversation', isDone: total > 0, to: '/start', scope: 'requests:write' },
    {
      name: 'webhook',
      isDone: all.some(({ webhook_url }) => webhook_url !== null),
      to: '/start',
      scope: 'assistants:webhook',
    },
    { name: 'token', isDone: (keys.data?.data.length ?? 0) > 0, to: '/settings/tokens', scope: 'keys:write' },
    { name: 'members', isDone: (workspace?.members ?? 0) > 1, to: '/settings/members', scope: 'members:write' },
  ];
  return (
    <Panel
      title={words.title}
      actions={
        !isNew && (
          <Button look="quiet" size="small" onClick={() => savePreferences({ firstSteps: false })}>
            {words.hide}
          </Button>
        )
      }
    >
      <div className="stack">
        {total === 0 && (
          <May scope="requests:write">
            <div className="row">
              <Button
                look="primary"
                scope="assistants:write"
                disabled={adding.isPending}
                onClick={() => adding.mutate()}
              >
                {words.samples}
              </Button>
              <span className="note">{words.samplesHint}</span>
            </div>
          </May>
        )}
        {steps.map(({ name, isDone, to, scope }, index) => (
          <Step key={name} number={index + 1} title={words.steps[name]} isDone={isDone}>
            {!isDone && (
              <div className="row">
                <ButtonLink size="small" to={to} scope={scope}>
                  {words.open[name]}
                </ButtonLink>
              </div>
            )}
          </Step>
        ))}
        <a href="/api/docs" target="_blank" rel="noreferrer">
          {texts.shell.apiDocs}
        </a>
      </div>
    </Panel>
  );
}
