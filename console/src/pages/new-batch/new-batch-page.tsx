/** Creates a batch: its sessions, action, settings and estimated cost. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { createBatchMutation, getAssistantOptions } from 'conversation-analysis-client/react-query';
import type { Assistant, BatchFilter, BatchInput, BatchOverrides } from 'conversation-analysis-client';
import type { BatchAction } from '../../../../contract/values/constants.ts';
import { changesOf, findChangedFields, nameOf, type Tested } from '../../analysis-settings/changed-settings.ts';
import { SettingsDiff } from '../../analysis-settings/settings-diff.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Option } from '../../components/choice.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { CheckField, Fields, Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
import { readForm } from '../../components/form-values.ts';
import { PageHeader, ParentLink } from '../../components/page-header.tsx';
import { Page, Panel, Skeleton } from '../../components/page.tsx';
import { serverNow } from '../../format/clock.ts';
import { useMay } from '../../server/membership.ts';
import { toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';
import { BATCH_SCOPES, listOfBatch, toBatchFilter, useFilterLine } from '../../lists/batch-filter.ts';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { BudgetNotice } from '../../budget/budget-panel.tsx';
import { Estimate, useEstimate, type CountedBatch } from './batch-estimate.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Unsaved settings of an assistant that a new batch tests. */
    overrides?: BatchOverrides;
  }
}

const route = getRouteApi('/inside/batches/new');
const words = texts.batches;

/** Deleting more sessions than this requires typing their number. */
const TYPED_ABOVE = 20;

export function NewBatchPage() {
  const { action: asked, ...search } = route.useSearch();
  const isTest = useLocation().state.overrides !== undefined;
  const filter = toBatchFilter(search);
  const may = useMay();
  const action = asked ?? (filter.assistant_id === undefined ? 'retry' : 'reanalyze');
  const line = useFilterLine(filter);
  const others = useAssistantOptions().filter(({ value }) => value !== filter.assistant_id);
  const list = listOfBatch(action);
  return (
    <Page isNarrow>
      <PageHeader
        title={isTest ? texts.testing.other : words.actions[action]}
        crumb={<ParentLink to={`/${list}`}>{texts.common[list]}</ParentLink>}
      />
      <BudgetNotice />
      <Panel
        title={
          // What is deleted is shown whole. Otherwise one line, because the names in it arrive late.
          <span className={action === 'delete' ? undefined : 'cut'} title={line}>
            {line}
          </span>
        }
        actions={
          action !== 'redeliver' && (
            <Link to="/sessions" search={search}>
              {texts.common.showSessions}
            </Link>
          )
        }
      >
        {(action !== 'analyze' || others.length > 0) && isPossible(action, filter) && may(BATCH_SCOPES[action]) ? (
          <BatchForm key={JSON.stringify(filter)} listed={filter} action={action} others={others} />
        ) : (
          <EmptyState title={texts.common.notFoundDetail} />
        )}
      </Panel>
    </Page>
  );
}

/** Returns whether the error names inputs. */
const isInvalid = (error: unknown) => error != null && Boolean(toFailure(error).errors?.length);

interface BatchFormProps {
  listed: BatchInput['filter'];
  action: BatchAction;
  /** The assistants that can follow. */
  others: readonly Option[];
}

function BatchForm({ listed, action, others }: BatchFormProps) {
  const navigate = useNavigate();
  const { overrides } = useLocation().state;
  // Excludes sessions that are created after this form opened: the estimate does not count them.
  const [filter] = useState(() => ({ created_before: new Date(serverNow()).toISOString(), ...listed }));
  const assistantId = filter.assistant_id;
  const { data: assistant, isLoading } = useQuery({
    ...getAssistantOptions({ path: { id: assistantId ?? '' } }),
    enabled: assistantId !== undefined,
  });
  const [input, setInput] = useState<BatchInput>({
    action,
    // Only a retry sends webhooks by itself: its receivers still wait for a result.
    notify: action === 'retry',
    filter,
    ...(action === 'analyze' && others[0] && { assistant_id: others[0].value }),
    ...(overrides && { overrides }),
  });
  const [confirming, setConfirming] = useState<CountedBatch>();
  const { data: estimate, error } = useEstimate(input);
  const start = useMutation({
    ...createBatchMutation(),
    onSuccess: (created) =>
      'batch_id' in created && navigate({ to: '/batches/$batchId', params: { batchId: created.batch_id } }),
  });
  const update = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    const form = currentTarget.closest('form');
    if (!form) return;
    const { notify, economy, max_cost_usd: limit, assistant_id } = readForm(form);
    const { max_cost_usd: _, economy: _former, ...rest } = input;
    const chosen = { ...(economy && { economy: true }), ...(limit && { max_cost_usd: Number(limit) }) };
    setInput({ ...rest, notify: notify !== undefined, ...chosen, ...(assistant_id && { assistant_id }) });
  };
  const changes = assistant && overrides && changesOf(assistant, overrides);
  const named = changes && nameOf(assistant, changes);
  const isDeletion = action === 'delete';
  const isPaid = action === 'reanalyze' || action === 'retry' || action === 'analyze';
  const submit = ({ name }: Record<string, string>) => {
    if (!estimate) return;
    const given = name || named;
    const body = { ...estimate.input, ...(given && { name: given }) };
    if (isDeletion) setConfirming({ ...estimate, input: body });
    else start.mutate({ body });
  };
  // The settings are above the inputs, which would move.
  if (isLoading) return <Skeleton lines={12} />;
  return (
    <>
      <Form
        error={start.error ?? (isInvalid(error) ? error : null)}
        onSubmit={submit}
        isEdited={overrides !== undefined}
      >
        <Fields onInput={update}>
          <p className="note">{words.actionHints[action]}</p>
          {changes && <Changes assistant={assistant} changes={changes} />}
          {action === 'reanalyze' && (
            <TextField
              name="name"
              label={texts.settingTitles.name}
              placeholder={named}
              isOptional
              maxLength={LIMITS.name}
            />
          )}
          {action === 'analyze' && (
            <SelectField name="assistant_id" label={texts.assistant.followUps.assistant} options={others} />
          )}
          {isPaid && <PaidFields {...input} onChange={update} />}
        </Fields>
        <Estimate
          estimate={estimate}
          error={error}
          version={action === 'reanalyze' && !changes ? assistant?.version : undefined}
        />
        <FormButtons
          submit={changes ? words.startTest : words.start[action]}
          look={isDeletion ? 'danger' : 'primary'}
          isDisabled={start.isPending || !estimate?.total}
        />
      </Form>
      {confirming && (
        <ConfirmDialog
          onClose={() => setConfirming(undefined)}
          title={words.deleteTitle(confirming.total)}
          detail={words.deleteDetail}
          action={words.start.delete}
          typed={confirming.total > TYPED_ABOVE ? String(confirming.total) : undefined}
          isDanger
          isBusy={start.isPending}
          error={start.error}
          onConfirm={() => start.mutate({ body: confirming.input })}
        />
      )}
    </>
  );
}

interface PaidFieldsProps extends BatchInput {
  onChange: (event: SyntheticEvent<HTMLElement>) => void;
}

const PaidFields = ({ action, notify, economy = false, onChange }: PaidFieldsProps) => (
  <details>
    <summary className="note">{texts.assistant.more}</summary>
    <Fields>
      <TextField
        name="max_cost_usd"
        label={words.maxCost}
        hint={words.maxCostHint}
        type="number"
        min={0}
        step="any"
        isOptional
      />
      {action !== 'retry' && (
        <CheckField
          name="economy"
          label={texts.settingTexts.values['economy']?.['flex'] ?? ''}
          hint={texts.settingTexts.hints['economy']}
          checked={economy}
          onChange={onChange}
        />
      )}
      <CheckField name="notify" label={words.notify} hint={words.notifyHint} checked={notify} onChange={onChange} />
    </Fields>
  </details>
);

/** What the tested settings change, and the fields whose question changed: their reviews answer another question. */
function Changes({ assistant, changes }: { assistant: Assistant; changes: Tested }) {
  const titles = changes.fields === undefined ? [] : findChangedFields(assistant, changes.fields);
  return (
    <>
      <SettingsDiff assistant={assistant} changes={changes} />
      {titles.length > 0 && <p className="note">{texts.experiment.otherQuestion(titles.join(', '))}</p>}
    </>
  );
}

/** Returns whether the API accepts the action with this filter. */
function isPossible(
  action: BatchAction,
  { assistant_id, delivery_id, delivery_status, session_id }: BatchFilter,
): boolean {
  if (action === 'redeliver') return (delivery_id ?? session_id ?? delivery_status) !== undefined;
  return delivery_id === undefined && (!['reanalyze', 'score'].includes(action) || assistant_id !== undefined);
}
