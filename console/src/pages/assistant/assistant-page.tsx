/** One assistant: its settings form and its actions. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, useReducer } from 'react';
import { ChartColumn, ClipboardCheck, Copy, FlaskConical, History, ListTree, Plus, Send, Trash2 } from 'lucide-react';
import { deleteAssistant, type Assistant } from 'conversation-analysis-client';
import { duplicateAssistantMutation, testWebhookMutation } from 'conversation-analysis-client/react-query';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader, ParentLink } from '../../components/page-header.tsx';
import { Page, Skeleton } from '../../components/page.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { Id, Remarks } from '../../components/values.tsx';
import { lazyPart } from '../../server/load-file.ts';
import { assistantState } from '../../server/assistant.ts';
import { useMay } from '../../server/membership.ts';
import { isNotFound } from '../../server/problem.ts';
import { retirementOf } from '../../../../contract/values/providers.ts';
import { refresh } from '../../server/queries.ts';
import { Forbidden } from '../../shell/no-access.tsx';
import { NotFound } from '../../shell/fallbacks.tsx';
import { texts } from '../../texts/index.ts';
import { EditAssistant } from './edit-assistant.tsx';

const route = getRouteApi('/inside/assistants/$assistantId');

const NewAssistant = lazyPart(() => import('./new-assistant.tsx'), 'NewAssistant');

const toList = <ParentLink to="/assistants">{texts.shell.assistants}</ParentLink>;

export function AssistantPage() {
  const { assistantId } = route.useParams();
  const may = useMay();
  if (assistantId === 'new' && !may('assistants:write')) return <Forbidden scope="assistants:write" />;
  return (
    <Page>
      {assistantId === 'new' ? (
        <>
          <PageHeader title={texts.assistants.create} above={toList} />
          <Suspense fallback={<Skeleton lines={6} />}>
            <NewAssistant />
          </Suspense>
        </>
      ) : (
        <Existing id={assistantId} />
      )}
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
    <>
      <PageHeader
        title={assistant?.name ?? texts.kinds.asst}
        above={toList}
        below={<Id value={id} label={texts.assistant.id} />}
        actions={assistant && !isDeleted && <Actions assistant={assistant} />}
      />
      {assistant && <Retirements assistant={assistant} />}
      <Loaded query={state} lines={6}>
        {(latest) => <EditAssistant latest={latest} isDeleted={isDeleted} onLeave={leave} />}
      </Loaded>
    </>
  );
}

function Actions({ assistant: { id, name, version, fields, webhook_url } }: { assistant: Assistant }) {
  const navigate = useNavigate();
  const path = { id };
  const test = useMutation({
    ...testWebhookMutation(),
    onError: showFailure,
    onSuccess: ({ delivery_id }) =>
      void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: delivery_id } }),
  });
  const duplicate = useMutation({
    ...duplicateAssistantMutation(),
    onError: showFailure,
    onSuccess: (copy) => {
      void refresh('listAssistants');
      return navigate({ to: '/assistants/$assistantId', params: { assistantId: copy.id } });
    },
  });
  const remove = async () => {
    await deleteAssistant({ path, throwOnError: true });
    void refresh('listAssistants');
    await navigate({ to: '/assistants' });
  };
  return (
    <>
      <ButtonLink to="/assistants/$assistantId/versions" params={{ assistantId: id }}>
        <History size={14} aria-hidden />
        {texts.versions.of(version)}
      </ButtonLink>
      <ButtonLink to="/sessions" search={{ assistant_id: id }}>
        <ListTree size={14} aria-hidden />
        {texts.common.sessions}
      </ButtonLink>
      {fields && (
        <>
          <ButtonLink to="/assistants/$assistantId/results" params={{ assistantId: id }}>
            <ChartColumn size={14} aria-hidden />
            {texts.labels.results}
          </ButtonLink>
          <ButtonLink to="/experiments" search={{ assistant_id: id }}>
            <FlaskConical size={14} aria-hidden />
            {texts.common.experiments}
          </ButtonLink>
          <ButtonLink to="/review" search={{ assistant_id: id }} scope="reviews:write">
            <ClipboardCheck size={14} aria-hidden />
            {texts.shell.review}
          </ButtonLink>
        </>
      )}
      {webhook_url !== null && (
        <Button scope="webhooks:write" look="quiet" disabled={test.isPending} onClick={() => test.mutate({ path })}>
          <Send size={14} aria-hidden />
          {texts.assistant.test}
        </Button>
      )}
      <Button
        scope="assistants:write"
        look="quiet"
        disabled={duplicate.isPending}
        onClick={() => duplicate.mutate({ path })}
      >
        <Copy size={14} aria-hidden />
        {texts.assistant.duplicate}
      </Button>
      <ConfirmButton
        scope="assistants:write"
        isDanger
        title={texts.labels.deleteTitle(name)}
        detail={texts.assistant.deleteDetail}
        action={texts.session.actions.delete}
        run={remove}
      >
        <Trash2 size={14} aria-hidden />
        {texts.session.actions.delete}
      </ConfirmButton>
      <ButtonLink to="/start" search={{ assistant: id }} scope="requests:write" look="primary">
        <Plus size={14} aria-hidden />
        {texts.shell.start}
      </ButtonLink>
    </>
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
