/** A batch before it begins: what it takes, what it does, what it costs. */
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { SyntheticEvent } from 'react';
import { createBatchMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { BatchInput } from '../../../../clients/typescript/src/index.ts';
import { BATCH_ACTIONS } from '../../../../contract/constants.ts';
import { sayFilter, toBatchFilter } from '../../batches/batch-filter.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { CheckField, Fields, Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
import { readForm } from '../../components/read-form.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { useAssistantOptions } from '../lists/use-assistants.ts';
import { Estimate, useEstimate } from './batch-estimate.tsx';
import { CHANGED, PRESENT, toBatchInput } from './batch-input.ts';
import { ReanalysisFields } from './reanalysis-fields.tsx';

const route = getRouteApi('/inside/batches/new');
const words = texts.batches;

export function NewBatchPage() {
  const search = route.useSearch();
  const filter = useMemo(() => toBatchFilter(search), [search]);
  const assistants = useAssistantOptions();
  const facts = sayFilter(filter, (id) => assistants.find(({ value }) => value === id)?.label);
  return (
    <Page isNarrow>
      <PageHeader title={words.newTitle} above={<Link to="/batches">{texts.lists.batches}</Link>} />
      <Panel
        title={words.filter}
        actions={
          <Link to="/sessions" search={search}>
            {words.showSessions}
          </Link>
        }
      >
        {facts.length === 0 ? words.everything : <Facts facts={facts} />}
      </Panel>
      <BatchForm key={JSON.stringify(filter)} filter={filter} />
    </Page>
  );
}

function BatchForm({ filter }: { filter: BatchInput['filter'] }) {
  const navigate = useNavigate();
  const assistantId = filter.assistant_id;
  const [input, setInput] = useState<BatchInput>({ action: assistantId === undefined ? 'retry' : 'reanalyze', filter });
  const [isAsking, setAsking] = useState(false);
  const { data: estimate, error } = useEstimate(input);
  const start = useMutation({
    ...createBatchMutation(),
    onSuccess: (made) =>
      'batch_id' in made && navigate({ to: '/batches/$batchId', params: { batchId: made.batch_id } }),
  });
  const follow = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    const form = currentTarget.closest('form');
    if (form) setInput(toBatchInput(readForm(form), filter));
  };
  const isDeletion = input.action === 'delete';
  const submit = (values: Record<string, string>) =>
    isDeletion ? setAsking(true) : start.mutate({ body: toBatchInput(values, filter) });
  const options = BATCH_ACTIONS.map((value) => ({ value, label: words.actions[value] }));
  return (
    <Panel>
      <Form error={start.error} onSubmit={submit}>
        <Fields onInput={follow}>
          <SelectField
            name="action"
            label={words.action}
            hint={words.actionHints[input.action]}
            defaultValue={input.action}
            options={assistantId === undefined ? options.filter(({ value }) => value !== 'reanalyze') : options}
          />
          {assistantId === undefined && <p>{words.needsAssistant}</p>}
          {assistantId !== undefined && input.action === 'reanalyze' && (
            <ReanalysisFields assistantId={assistantId} settings={settingsOf(input)} />
          )}
          {!isDeletion && (
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
              <CheckField name="notify" label={words.notify} hint={words.notifyHint} />
            </>
          )}
        </Fields>
        <Estimate estimate={estimate} error={error} />
        <FormButtons>
          <Button type="submit" look={isDeletion ? 'danger' : 'primary'} disabled={start.isPending || !estimate?.total}>
            {words.start[input.action]}
          </Button>
        </FormButtons>
      </Form>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle(formatNumber(estimate?.total ?? 0))}
        detail={texts.session.actions.deleteDetail}
        action={words.start.delete}
        isDanger
        isBusy={start.isPending}
        error={start.error}
        onConfirm={() => start.mutate({ body: input })}
      />
    </Panel>
  );
}

const settingsOf = ({ overrides, version }: BatchInput) => (overrides ? CHANGED : (version?.toString() ?? PRESENT));
