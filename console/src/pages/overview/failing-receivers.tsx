import type { FailingReceiver } from 'conversation-analysis-client';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Section } from '../../components/page.tsx';
import type { OverviewRange } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';
import { words } from './words.ts';
import { CountLink } from './failing-assistants.tsx';

/** Hosts that did not accept deliveries, including those that are being retried. */
export const FailingReceivers = ({
  receivers,
  range,
}: {
  receivers: readonly FailingReceiver[];
  range: OverviewRange;
}) => (
  <Section title={words.receivers}>
    {receivers.length === 0 ? (
      <p className="note">{words.noFailingReceivers}</p>
    ) : (
      <DataTable caption={words.receivers} columns={columnsOf(range)} rows={receivers} rowKey={({ host }) => host} />
    )}
  </Section>
);

export const wordLastFailure = ({ last_failure, last_status_code }: FailingReceiver) =>
  texts.failures[last_failure] + (last_failure === 'http_status' ? ` (HTTP ${last_status_code})` : '');

const columnsOf = (range: OverviewRange): Column<FailingReceiver>[] => [
  {
    key: 'host',
    title: words.host,
    isWide: true,
    cell: (receiver) => (
      <>
        <span className="cut" title={receiver.host}>
          {receiver.host}
        </span>
        <span className="note">{wordLastFailure(receiver)}</span>
      </>
    ),
  },
  countColumn('failed', 'failed', range),
  countColumn('retrying', 'pending', range),
];

const countColumn = (
  name: 'failed' | 'retrying',
  status: 'failed' | 'pending',
  range: OverviewRange,
): Column<FailingReceiver> => ({
  key: name,
  title: words.receiverCounts[name],
  align: 'end',
  cell: ({ host, assistant_ids, ...counts }) => (
    <CountLink
      to="/deliveries"
      // The deliveries list has no filter by host, so the link filters by assistant, which usually has one receiver.
      search={{ status, range, ...(assistant_ids.length === 1 && { assistant_id: assistant_ids[0] }) }}
      count={counts[name]}
      label={`${words.receiverCounts[name]}, ${host}`}
    />
  ),
});
