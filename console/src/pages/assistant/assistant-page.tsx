/** One assistant: its form, and what can be done with it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ChartColumn, Copy, History, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  createAssistantMutation,
  deleteAssistantMutation,
  duplicateAssistantMutation,
  getAssistantOptions,
  testWebhookMutation,
  updateAssistantMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Assistant } from '../../../../clients/typescript/src/index.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { say, sayFailure } from '../../components/toasts.tsx';
import { Id } from '../../components/values.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { AssistantForm } from './assistant-form.tsx';
import { hideSecret, toInput, toPatch } from './assistant-input.ts';

const route = getRouteApi('/inside/assistants/$assistantId');

const toList = <Link to="/assistants">{texts.assistants.title}</Link>;

export function AssistantPage() {
  const { assistantId } = route.useParams();
  return (
    <Page isNarrow>{assistantId === 'new' ? <NewAssistant /> : <Existing key={assistantId} id={assistantId} />}</Page>
  );
}

function NewAssistant() {
  const navigate = useNavigate();
  const create = useMutation({
    ...createAssistantMutation(),
    onSuccess: ({ id }) => {
      void refresh('listAssistants');
      say(texts.assistant.created);
      return navigate({ to: '/assistants/$assistantId', params: { assistantId: id }, replace: true });
    },
  });
  return (
    <>
      <PageHeader title={texts.assistants.create} above={toList} />
      <AssistantForm
        action={texts.assistants.create}
        error={create.error}
        isBusy={create.isPending}
        toCall={(values) => ({ method: 'POST', path: '/v1/assistants', body: hideSecret(toInput(values)) })}
        onSubmit={(values) => create.mutate({ body: toInput(values) })}
      />
    </>
  );
}

function Existing({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(getAssistantOptions({ path: { id } }));
  const update = useMutation({
    ...updateAssistantMutation(),
    onSuccess: () => {
      void refresh('getAssistant', 'listAssistants', 'listAssistantVersions');
      say(texts.account.saved);
    },
  });
  if (!data) {
    return (
      <>
        <PageHeader title={texts.assistant.title} above={toList} />
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={6} />}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={data.name}
        above={toList}
        below={<Id value={id} label={texts.assistant.id} />}
        actions={<Actions assistant={data} />}
      />
      <AssistantForm
        key={data.updated_at}
        assistant={data}
        action={texts.account.save}
        error={update.error}
        isBusy={update.isPending}
        toCall={(values) => ({
          ...{ method: 'PATCH', path: `/v1/assistants/${id}` },
          body: hideSecret(toPatch(values, data)),
        })}
        onSubmit={(values) => update.mutate({ path: { id }, body: toPatch(values, data) })}
      />
    </>
  );
}

function Actions({ assistant: { id, name, version, fields, webhook_url } }: { assistant: Assistant }) {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const path = { id };
  const test = useMutation({
    ...testWebhookMutation(),
    onError: sayFailure,
    onSuccess: ({ delivery_id }) =>
      void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: delivery_id } }),
  });
  const duplicate = useMutation({
    ...duplicateAssistantMutation(),
    onError: sayFailure,
    onSuccess: (copy) => {
      void refresh('listAssistants');
      return navigate({ to: '/assistants/$assistantId', params: { assistantId: copy.id } });
    },
  });
  const remove = useMutation({
    ...deleteAssistantMutation(),
    onSuccess: () => {
      void refresh('listAssistants');
      return navigate({ to: '/assistants' });
    },
  });
  return (
    <>
      <CopyCurl path={`/v1/assistants/${id}`} />
      <ButtonLink to="/assistants/$assistantId/versions" params={{ assistantId: id }}>
        <History size={14} aria-hidden />
        {texts.versions.of(version)}
      </ButtonLink>
      {fields && (
        <ButtonLink to="/assistants/$assistantId/results" params={{ assistantId: id }}>
          <ChartColumn size={14} aria-hidden />
          {texts.results.title}
        </ButtonLink>
      )}
      {webhook_url !== null && (
        <Button disabled={test.isPending} onClick={() => test.mutate({ path })}>
          <Send size={14} aria-hidden />
          {texts.assistant.test}
        </Button>
      )}
      <Button disabled={duplicate.isPending} onClick={() => duplicate.mutate({ path })}>
        <Copy size={14} aria-hidden />
        {texts.assistant.duplicate}
      </Button>
      <Button onClick={() => setDeleting(true)}>
        <Trash2 size={14} aria-hidden />
        {texts.assistant.delete}
      </Button>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={texts.assistant.deleteTitle(name)}
        detail={texts.assistant.deleteDetail}
        action={texts.assistant.delete}
        isDanger
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ path })}
      />
    </>
  );
}
