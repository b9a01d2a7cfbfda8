/** Creates a batch: its sessions, action, settings and estimated cost. */
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { createBatchMutation } from 'conversation-analysis-client/react-query';
import type { BatchFilter, BatchInput } from 'conversation-analysis-client';
import { BATCH_ACTIONS, type BatchAction } from '../../../../contract/values/constants.ts';
import { readOverrides } from '../../analysis-settings/read-fields.ts';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { CheckField, Fields, Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
import { readForm } from '../../components/form-values.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { serverNow } from '../../format/clock.ts';
import { useMay } from '../../server/membership.ts';
import { toFailure } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';
import { BATCH_SCOPES, toBatchFilter, useFilterFacts } from '../../lists/batch-filter.ts';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import { BudgetNotice } from '../../budget/budget-panel.tsx';
import { Estimate, useEstimate, type CountedBatch } from './batch-estimate.tsx';
import { CURRENT, CUSTOM, ReanalysisFields } from './reanalysis-fields.tsx';

const route = getRouteApi('/inside/batches/new');
const words = texts.batches;
const hints = { ...words.actionHints };

/** Deleting more sessions than this requires typing their number. */
const TYPED_ABOVE = 20;

export function NewBatchPage() {
  const { action, ...search } = route.useSearch();
  const filter = toBatchFilter(search);
  const facts = useFilterFacts(filter);
  return (
    <Page isNarrow>
      <PageHeader title={words.make} above={<Link to="/batches">{texts.common.batches}</Link>} />
      <BudgetNotice />
      <Panel
        title={texts.common.sessions}
        actions={
          <Link to="/sessions" search={search}>
            {words.showSessions}
          </Link>
        }
      >
        {facts.length === 0 ? words.everything : <Facts facts={facts} />}
      </Panel>
      <BatchForm key={JSON.stringify(filter)} listed={filter} action={action} />
    </Page>
  );
}

/** Returns whether the error names inputs. */
const isInvalid = (error: unknown) => error != null && Boolean(toFailure(error).errors?.length);

function BatchForm({ listed, action }: { listed: BatchInput['filter']; action: BatchAction | undefined }) {
  const navigate = useNavigate();
  const { overrides } = useLocation().state;
  // Excludes sessions that are created after this form opened: the estimate does not count them.
  const [filter] = useState(() => ({ created_before: new Date(serverNow()).toISOString(), ...listed }));
  const assistantId = filter.assistant_id;
  const may = useMay();
  const options = optionsOf(
    BATCH_ACTIONS.filter((value) => isPossible(value, filter) && may(BATCH_SCOPES[value])),
    words.actions,
  );
  const asked = options.find(({ value }) => value === action)?.value;
  const [input, setInput] = useState<BatchInput>({
    ...withDefaults(asked ?? (assistantId === undefined ? 'retry' : 'reanalyze')),
    filter,
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
    const next = toBatchInput(readForm(form), filter);
    setInput(next.action === input.action ? next : { ...next, ...withDefaults(next.action) });
  };
  const isDeletion = input.action === 'delete';
  const isPaid = input.action === 'reanalyze' || input.action === 'retry';
  const submit = ({ name }: Record<string, string>) => {
    if (!estimate) return;
    const body = { ...estimate.input, ...(name && { name }) };
    if (isDeletion) setConfirming({ ...estimate, input: body });
    else start.mutate({ body });
  };
  return (
    <Panel>
      <Form
        error={start.error ?? (isInvalid(error) ? error : null)}
        onSubmit={submit}
        isEdited={overrides !== undefined}
      >
        <Fields onInput={update}>
          <SelectField
            name="action"
            label={words.action}
            hint={hints[input.action]}
            defaultValue={input.action}
            options={options}
          />
          {assistantId === undefined && isPaid && (
            <p>
              {words.needsAssistant} <ChooseAssistant />
            </p>
          )}
          {assistantId !== undefined && input.action === 'reanalyze' && (
            <ReanalysisFields assistantId={assistantId} settings={settingsOf(input)} overrides={overrides} />
          )}
          <TextField name="name" label={texts.labels.name} hint={words.nameHint} isOptional maxLength={200} />
          {isPaid && (
            <>
              <TextField
                name="max_cost_usd"
                label={words.maxCost}
                hint={words.maxCostHint}
                type="number"
                min={0}
                step="any"
                isOptional
              />
              <CheckField
                name="notify"
                label={words.notify}
                hint={words.notifyHint}
                checked={input.notify}
                onChange={update}
              />
            </>
          )}
        </Fields>
        <Estimate estimate={estimate} error={error} />
        <FormButtons
          submit={words.start[input.action]}
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
    </Panel>
  );
}

function ChooseAssistant() {
  const navigate = route.useNavigate();
  return (
    <Choice
      label={words.chooseAssistant}
      value=""
      options={[{ value: '', label: words.chooseAssistant }, ...useAssistantOptions()]}
      onChoose={(assistant_id) => void navigate({ search: (search) => ({ ...search, assistant_id }) })}
    />
  );
}

/** Returns whether the API accepts the action with this filter. */
function isPossible(
  action: BatchAction,
  { assistant_id, delivery_id, delivery_status, session_id }: BatchFilter,
): boolean {
  if (action === 'redeliver') return (delivery_id ?? session_id ?? delivery_status) !== undefined;
  return delivery_id === undefined && (action !== 'reanalyze' || assistant_id !== undefined);
}

/** By default, only a retry sends webhooks: its receivers still wait for a result. */
const withDefaults = (action: BatchAction) => ({ action, notify: action === 'retry' });

const settingsOf = ({ overrides, version }: BatchInput) => (overrides ? CUSTOM : (version?.toString() ?? CURRENT));

/** Returns the input for the values of the form. */
function toBatchInput(values: Record<string, string>, filter: BatchInput['filter']): BatchInput {
  const action = values['action'] as BatchAction;
  const limit = values['max_cost_usd'];
  const common = {
    action,
    filter,
    notify: values['notify'] !== undefined,
    ...(limit && { max_cost_usd: Number(limit) }),
  };
  const settings = values['settings'] ?? CURRENT;
  if (action !== 'reanalyze' || settings === CURRENT) return common;
  if (settings !== CUSTOM) return { ...common, version: Number(settings) };
  return { ...common, overrides: readOverrides(values, 'overrides.') };
}
