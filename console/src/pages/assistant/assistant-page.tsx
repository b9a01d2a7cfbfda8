/** One assistant: its settings form. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useReducer } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader, ParentLink } from '../../components/page-header.tsx';
import { Page, Skeleton } from '../../components/page.tsx';
import { Remarks } from '../../components/values.tsx';
import { AssistantFrame } from '../../lists/assistant-frame.tsx';
import { lazyPart } from '../../server/load-file.ts';
import { assistantState } from '../../server/assistant.ts';
import { useMay } from '../../server/membership.ts';
import { isNotFound } from '../../server/problem.ts';
import { retirementOf } from '../../../../contract/values/providers.ts';
import { Forbidden } from '../../shell/no-access.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { texts } from '../../texts/index.ts';
import { EditAssistant } from './edit-assistant.tsx';

const route = getRouteApi('/inside/assistants/$assistantId');

const NewAssistant = lazyPart(() => import('./new-assistant.tsx'), 'NewAssistant');

export function AssistantPage() {
  const { assistantId: id } = route.useParams();
  const may = useMay();
  if (id !== 'new') return <Existing id={id} />;
  if (!may('assistants:write')) return <Forbidden scope="assistants:write" />;
  return (
    <Page>
      <PageHeader
        title={texts.start.assistant.another}
        crumb={<ParentLink to="/assistants">{texts.shell.assistants}</ParentLink>}
      />
      <Suspense fallback={<Skeleton lines={6} />}>
        <NewAssistant />
      </Suspense>
    </Page>
  );
}

function Existing({ id }: { id: string }) {
  const state = useQuery(assistantState(id));
  const assistant = state.data?.assistant;
  const [isLeft, leave] = useReducer(() => true, false);
  const isDeleted = isNotFound(state.error);
  if (isDeleted && (isLeft || !assistant)) return <NotFound list="assistants" />;
  return (
    <AssistantFrame id={id} tab="settings">
      {assistant && <Retirements assistant={assistant} />}
      <Loaded query={state} lines={6}>
        {(latest) => <EditAssistant latest={latest} isDeleted={isDeleted} onLeave={leave} />}
      </Loaded>
    </AssistantFrame>
  );
}

/** Says when the provider ends a model of the assistant. */
function Retirements({ assistant: { llm_provider, llm_model, stt_provider, stt_model } }: { assistant: Assistant }) {
  const models = [
    { model: llm_model, day: retirementOf(llm_provider, llm_model) },
    { model: stt_model, day: stt_provider && retirementOf(stt_provider, stt_model) },
  ];
  return models.map(
    ({ model, day }) => day && <Remarks key={model}>{texts.assistant.retires(model ?? '', day)}</Remarks>,
  );
}
