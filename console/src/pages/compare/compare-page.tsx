import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import {
  getAssistantOptions,
  getSessionOptions,
  updateAssistantMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page, Panel, Skeleton } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { say } from '../../components/toasts.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { Diff } from '../session/settings-tab.tsx';
import { CompareTable } from './compare-table.tsx';
import { OtherSession } from './other-session.tsx';

const route = getRouteApi('/inside/sessions/$sessionId/compare');
const words = texts.compare;

/** Two analyses of a conversation beside each other. */
export function ComparePage() {
  const { sessionId } = route.useParams();
  const { with: otherId } = route.useSearch();
  const navigate = useNavigate();
  const one = useQuery(getSessionOptions({ path: { id: sessionId } }));
  const other = useQuery({ ...getSessionOptions({ path: { id: otherId ?? '' } }), enabled: otherId !== undefined });
  const error = one.error ?? other.error;
  const choose = (id: string) =>
    void navigate({ to: '/sessions/$sessionId/compare', params: { sessionId }, search: { with: id } });
  return (
    <Page>
      <PageHeader
        title={words.title}
        above={
          <Link to="/sessions/$sessionId" params={{ sessionId }}>
            {one.data?.assistant.name ?? texts.session.title}
          </Link>
        }
      />
      <OtherSession
        key={otherId}
        sessionId={sessionId}
        sourceId={one.data?.source_session_id}
        otherId={otherId}
        onChoose={choose}
      />
      {error && <Problem error={error} />}
      {!error && otherId === undefined && <EmptyState title={words.choose} detail={words.chooseWhy} />}
      {!error && otherId !== undefined && (!one.data || !other.data) && <Skeleton lines={8} />}
      {one.data && other.data && <Comparison one={one.data} other={other.data} />}
    </Page>
  );
}

function Comparison({ one, other }: { one: Session; other: Session }) {
  const isSamePrompt = one.assistant.system_prompt === other.assistant.system_prompt;
  return (
    <>
      <CompareTable sessions={[one, other]} />
      {isSamePrompt ? (
        <p>{words.samePrompt}</p>
      ) : (
        <Panel title={words.promptDiff} actions={<TakePrompt session={other} />}>
          <Diff label={words.promptDiff} before={one.assistant.system_prompt} after={other.assistant.system_prompt} />
        </Panel>
      )}
    </>
  );
}

/** Makes the prompt of the second session the assistant's own, for every conversation to come. */
function TakePrompt({ session: { assistant } }: { session: Session }) {
  const [isAsking, setAsking] = useState(false);
  const { data: present } = useQuery(getAssistantOptions({ path: { id: assistant.id } }));
  const taking = useMutation({
    ...updateAssistantMutation(),
    onSuccess: async () => {
      setAsking(false);
      say(words.taken);
      await refresh('getAssistant', 'listAssistants');
    },
  });
  // Deleted, or it has this prompt already.
  if (!present || present.system_prompt === assistant.system_prompt) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{words.take}</Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.takeTitle}
        detail={words.takeDetail(present.name)}
        action={words.take}
        isBusy={taking.isPending}
        error={taking.error}
        onConfirm={() =>
          taking.mutate({ path: { id: assistant.id }, body: { system_prompt: assistant.system_prompt } })
        }
      />
    </>
  );
}
