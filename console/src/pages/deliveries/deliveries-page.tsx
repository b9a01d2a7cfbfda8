/** Sessions & Logs: every webhook delivery, the newest first. */
import { getRouteApi } from '@tanstack/react-router';
import { DELIVERY_FAILURES, DELIVERY_STATUSES, WEBHOOK_EVENTS } from '../../../../contract/constants.ts';
import { listDeliveries } from '../../../../clients/typescript/src/index.ts';
import type { DeliveryListItem } from '../../../../clients/typescript/src/index.ts';
import { ButtonLink } from '../../components/button.tsx';
import type { DeliveryEvent, SessionEvent } from '../../live/events.ts';
import { texts } from '../../texts/index.ts';
import { FilterChoice, ListFrame, RangeChoice } from '../lists/list-frame.tsx';
import { LiveTable } from '../lists/live-table.tsx';
import { useAssistantOptions } from '../lists/use-assistants.ts';
import { useFilterChange } from '../lists/use-list-search.ts';
import type { Told } from '../lists/use-live-list.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { RedeliverMany } from './redeliver-many.tsx';
import { parseDeliveriesSearch } from './search.ts';
import type { DeliveriesSearch } from './search.ts';

const route = getRouteApi('/inside/deliveries');
const idOf = ({ delivery_id }: DeliveryListItem) => delivery_id;

const toldBy = (event: SessionEvent | DeliveryEvent): Told<DeliveryListItem> | undefined => {
  if (!('delivery_id' in event)) return undefined;
  const { delivery_id: id, status, attempt, next_attempt_at } = event;
  return { id, now: { status, attempt_count: attempt, next_attempt_at } };
};

const read = async (query: Record<string, unknown>, signal: AbortSignal) =>
  (await listDeliveries({ query, signal, throwOnError: true })).data;

export function DeliveriesPage() {
  const search = route.useSearch();
  const change = useFilterChange('/deliveries', search, parseDeliveriesSearch);
  const toAssistants = <ButtonLink to="/assistants">{texts.shell.assistants}</ButtonLink>;
  return (
    <ListFrame
      tab="deliveries"
      actions={<RedeliverMany search={search} />}
      filters={<Filters search={search} change={change} />}
    >
      <LiveTable
        name="deliveries"
        search={search}
        read={read}
        idOf={idOf}
        toldBy={toldBy}
        columns={deliveryColumns}
        empty={{ title: texts.deliveries.none, detail: texts.deliveries.noneDetail, actions: toAssistants }}
      />
    </ListFrame>
  );
}

interface FiltersProps {
  search: DeliveriesSearch;
  change: (name: string, value: string | undefined) => void;
}

function Filters({ search, change }: FiltersProps) {
  const assistants = useAssistantOptions();
  const statuses = DELIVERY_STATUSES.map((value) => ({ value, label: texts.status[value] }));
  const events = WEBHOOK_EVENTS.map((value) => ({ value, label: value }));
  const failures = DELIVERY_FAILURES.map((value) => ({ value, label: texts.failures[value] }));
  const filter = (name: Exclude<keyof DeliveriesSearch, 'range'>) => ({ name, value: search[name], onChange: change });
  return (
    <>
      <RangeChoice search={search} onChange={change} />
      <FilterChoice {...filter('status')} label={texts.deliveries.status} options={statuses} />
      <FilterChoice {...filter('event')} label={texts.deliveries.event} options={events} />
      <FilterChoice {...filter('failure')} label={texts.deliveries.failure} options={failures} />
      <FilterChoice {...filter('assistant_id')} label={texts.sessions.assistant} options={assistants} />
    </>
  );
}
