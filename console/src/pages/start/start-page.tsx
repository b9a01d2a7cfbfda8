/** Submits a conversation or a folder of recordings. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Assistant, SessionListItem } from 'conversation-analysis-client';
import {
  listAssistantsOptions,
  listProvidersOptions,
  listSessionsOptions,
} from 'conversation-analysis-client/react-query';
import { ButtonLink } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PROVIDER_NAMES } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';
import { BudgetNotice } from '../../budget/budget-panel.tsx';
import { Automate } from './automate.tsx';
import { Outcome } from './outcome.tsx';
import { RecordingsForm } from './recordings-form.tsx';
import { TextForm } from './text-form.tsx';
import styles from './start.module.css';

const words = texts.start;
const route = getRouteApi('/inside/start');

/** The page of a new assistant, which leads back here. */
const NEW_ASSISTANT = {
  to: '/assistants/$assistantId',
  params: { assistantId: 'new' },
  state: { isFirstStep: true },
} as const;

export function StartPage() {
  const { assistant: assistantId, session: sessionId } = route.useSearch();
  const assistants = useQuery(listAssistantsOptions());
  const latest = useQuery(listSessionsOptions({ query: { limit: 1 } }));
  return (
    <Page isNarrow>
      <PageHeader title={texts.shell.start} />
      <BudgetNotice />
      <Loaded query={both(assistants, latest)} lines={6}>
        {([{ data }, { data: sessions }]) => (
          <Start
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

interface StartProps {
  assistants: readonly Assistant[];
  assistantId: string | undefined;
  suggestedId: string | undefined;
  /** The session that was submitted last. */
  sessionId: string | undefined;
}

function Start({ assistants, assistantId, suggestedId, sessionId }: StartProps) {
  const navigate = route.useNavigate();
  // Keeps the initial choice, even if a program submits a session later.
  const [preselectedId] = useState(suggestedId);
  const chosen = assistants.find(({ id }) => id === (assistantId ?? preselectedId)) ?? assistants[0];
  const isGone = assistantId !== undefined && assistants.length > 0 && chosen?.id !== assistantId;
  if (!chosen) return <Navigate {...NEW_ASSISTANT} replace />;
  const questions = chosen.fields?.map(({ name, title }) => title ?? name).join(', ') ?? texts.labels.none;
  return (
    <>
      {isGone && (
        <p className="note" role="alert">
          {words.assistantGone}
        </p>
      )}
      <Panel
        title={
          <span className={styles['head']}>
            <Choice
              label={texts.kinds.asst}
              value={chosen.id}
              options={assistants.map(({ id, name }) => ({ value: id, label: name }))}
              onChoose={(assistant) => void navigate({ search: { assistant }, replace: true })}
            />
            <span className="cut note" title={questions}>
              {questions}
            </span>
          </span>
        }
        actions={
          <div className="row">
            <ButtonLink to="/assistants/$assistantId" params={{ assistantId: chosen.id }} scope="assistants:write">
              {words.assistant.questions}
            </ButtonLink>
            <ButtonLink {...NEW_ASSISTANT} scope="assistants:write">
              {words.assistant.another}
            </ButtonLink>
          </div>
        }
      >
        <div className={`stack ${styles['wide']}`}>
          {chosen.type === 'text' ? (
            <TextForm assistantId={chosen.id} />
          ) : (
            <RecordingsForm key={chosen.id} assistantId={chosen.id} />
          )}
          <SimulatedNote />
        </div>
      </Panel>
      {sessionId && <Outcome sessionId={sessionId} />}
      <Automate key={chosen.id} assistant={chosen} />
    </>
  );
}

/** Says which providers are simulated, as after `npm start` without keys. */
function SimulatedNote() {
  const { data } = useQuery(listProvidersOptions());
  const configured = data?.data.filter((provider) => provider.configured) ?? [];
  const simulated = configured.filter((provider) => provider.simulated);
  if (simulated.length === 0) return null;
  const names = simulated.map(({ provider }) => PROVIDER_NAMES[provider]);
  return (
    <p className="note" role="note">
      {words.simulated(names, names.length === configured.length)}
    </p>
  );
}
