/** The list of webhook deliveries, newest first. */
import { getRouteApi } from '@tanstack/react-router';
import { DELIVERY_FAILURES, DELIVERY_STATUSES, WEBHOOK_EVENTS } from '../../../../contract/values/constants.ts';
import { countDeliveries, listDeliveries, type DeliveryListItem } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { texts } from '../../texts/index.ts';
import { useAssistantOptions } from '../../lists/assistant-options.ts';
import type { Filter } from '../../lists/batch-filter.ts';
import { FilterBar, useFilterChange } from '../../lists/filter-bar.tsx';
import { LiveTable } from '../../lists/live-table.tsx';
import { RangeChoice } from '../../lists/range-choice.tsx';
import { RedeliverLink } from '../../lists/redeliver-link.tsx';
import { toQuery } from '../../lists/search.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { SendNow } from './send-now.tsx';

const route = getRouteApi('/inside/deliveries');
const idOf = ({ delivery_id }: DeliveryListItem) => delivery_id;

/** A pending delivery is sent now, an ended one again. */
const actionsOf = (ids: readonly string[], rows: readonly DeliveryListItem[] = []) => {
  const pending = rows.filter(({ status }) => status === 'pending').map(idOf);
  return (
    <>
      {pending.length > 0 && <SendNow ids={pending} />}
      <ButtonLink
        to="/batches/new"
        search={{ action: 'redeliver', reanalysis: 'any', delivery_id: [...ids] }}
        scope="webhooks:write"
      >
        {texts.deliveries.redeliver}
      </ButtonLink>
    </>
  );
};

const words = texts.deliveries;
const toAssistants = <ButtonLink to="/assistants">{texts.shell.assistants}</ButtonLink>;

export function DeliveriesPage() {
  const search = route.useSearch();
  const change = useFilterChange('/deliveries');
  const filters: Filter[] = [
    { name: 'status', options: optionsOf(DELIVERY_STATUSES, texts.status) },
    { name: 'event', label: words.event, options: WEBHOOK_EVENTS.map((value) => ({ value, label: value })) },
    { name: 'failure', label: words.failure, options: optionsOf(DELIVERY_FAILURES, texts.failures) },
    { name: 'assistant_id', options: useAssistantOptions() },
  ];
  return (
    <LiveTable
      name="deliveries"
      search={search}
      toQuery={toQuery}
      list={listDeliveries}
      count={countDeliveries}
      idOf={idOf}
      columns={deliveryColumns}
      actionsOf={actionsOf}
      empty={{ title: words.none, detail: words.noneDetail, actions: toAssistants }}
      frame={{
        actions: <RedeliverLink search={search} />,
        first: <RangeChoice search={search} onChange={change} />,
        filters: <FilterBar filters={filters} search={search} onChange={change} label={texts.lists.filters} />,
        tools: null,
      }}
    />
  );
}
