import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { FlaskConical } from 'lucide-react';
import type { Assistant, SessionListItem } from 'conversation-analysis-client';
import {
  listAssistantsOptions,
  listProvidersOptions,
  listSessionsOptions,
} from 'conversation-analysis-client/react-query';
import { both, Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { lazyPart } from '../../server/load-file.ts';
import { PROVIDER_NAMES } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';
import { BudgetNotice } from '../../budget/budget-panel.tsx';
import { AssistantStep } from './assistant-step.tsx';
import { ConversationStep } from './conversation-step.tsx';
import { WebhookStep } from './webhook-step.tsx';
import styles from './step.module.css';

const Outcome = lazyPart(() => import('./outcome.tsx'), 'Outcome');
const ProgramStep = lazyPart(() => import('./program-step.tsx'), 'ProgramStep');
const words = texts.start;
const route = getRouteApi('/inside/start');

/** Submits a conversation or a folder of recordings, step by step. */
export function StartPage() {
  const { assistant: assistantId, session: sessionId } = route.useSearch();
  const assistants = useQuery(listAssistantsOptions());
  const latest = useQuery(listSessionsOptions({ query: { limit: 1 } }));
  return (
    <Page isNarrow>
      <PageHeader title={texts.shell.start} below={words.subtitle} />
      <SimulatedNote />
      <BudgetNotice />
      <Loaded query={both(assistants, latest)} lines={6}>
        {([{ data }, { data: sessions }]) => (
          <Steps
            assistants={data}
            assistantId={assistantId}
            suggestedId={suggest(data, sessions[0])?.id}
            sessionId={sessionId}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** Returns the newest assistant if it is newer than the newest session, otherwise the assistant of that session. */
function suggest(assistants: readonly Assistant[], session: SessionListItem | undefined) {
  const [newest] = assistants.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  return newest && session && newest.created_at < session.created_at ? session.assistant : newest;
}

/** Shows which providers are simulated, as after `npm start` without keys. */
function SimulatedNote() {
  const { data } = useQuery(listProvidersOptions());
  const configured = data?.data.filter((provider) => provider.configured) ?? [];
  const simulated = configured.filter((provider) => provider.simulated);
  if (simulated.length === 0) return null;
  const names = simulated.map(({ provider }) => PROVIDER_NAMES[provider]);
  return (
    <p className={`note ${styles['simulated']}`} role="note">
      <FlaskConical size={14} aria-hidden />
      {words.simulated(names, names.length === configured.length)}
    </p>
  );
}

interface StepsProps {
  assistants: readonly Assistant[];
  assistantId: string | undefined;
  suggestedId: string | undefined;
  /** The session that was submitted last. */
  sessionId: string | undefined;
}

function Steps({ assistants, assistantId, suggestedId, sessionId }: StepsProps) {
  // Keeps the initial choice, even if a program submits a session later.
  const [preselectedId] = useState(suggestedId);
  const chosen = assistants.find(({ id }) => id === (assistantId ?? preselectedId)) ?? assistants[0];
  const isGone = assistantId !== undefined && assistants.length > 0 && chosen?.id !== assistantId;
  return (
    <>
      {isGone && (
        <p className="note" role="alert">
          {words.assistantGone}
        </p>
      )}
      <AssistantStep assistants={assistants} chosen={chosen} />
      {chosen && <WebhookStep key={`webhook ${chosen.id}`} assistant={chosen} />}
      {chosen && <ConversationStep assistant={chosen} />}
      <Suspense>{sessionId && <Outcome sessionId={sessionId} />}</Suspense>
      <Suspense>{chosen && <ProgramStep assistant={chosen} />}</Suspense>
    </>
  );
}
