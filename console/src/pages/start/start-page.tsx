import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { listAssistantsOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Page, Skeleton } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { texts } from '../../texts/index.ts';
import { AssistantStep } from './assistant-step.tsx';
import { ConversationStep } from './conversation-step.tsx';
import { Outcome } from './outcome.tsx';
import { ProgramStep } from './program-step.tsx';
import { SimulatedNote } from './simulated-note.tsx';
import { WebhookStep } from './webhook-step.tsx';

const route = getRouteApi('/inside/start');

/** From nothing to a result in three steps; also where conversations and whole folders of recordings are submitted. */
export function StartPage() {
  const { assistant: assistantId, session: sessionId } = route.useSearch();
  const { data, error, refetch } = useQuery(listAssistantsOptions());
  const assistants = data?.data ?? [];
  const chosen = assistants.find(({ id }) => id === assistantId) ?? assistants[0];
  return (
    <Page isNarrow>
      <PageHeader title={texts.start.title} below={texts.start.subtitle} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      <SimulatedNote />
      {data && <AssistantStep assistants={assistants} chosen={chosen} />}
      {chosen && <WebhookStep key={`webhook ${chosen.id}`} assistant={chosen} />}
      {chosen && <ConversationStep key={`conversation ${chosen.id}`} assistant={chosen} />}
      {sessionId && <Outcome sessionId={sessionId} />}
      {chosen && <ProgramStep assistant={chosen} />}
    </Page>
  );
}
