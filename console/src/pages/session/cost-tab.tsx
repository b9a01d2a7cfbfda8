import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Session, TimelineEntry } from 'conversation-analysis-client';
import { getSessionTimelineOptions } from 'conversation-analysis-client/react-query';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Status } from '../../components/status.tsx';
import { Money, Nothing } from '../../components/values.tsx';
import { formatPosition } from '../../format/durations.ts';
import { formatNumber } from '../../format/numbers.ts';
import { modelName } from '../../format/providers.ts';
import { apiBase } from '../../server/workspace.ts';
import { STEPS } from '../../conversation/waterfall-row.tsx';
import { texts } from '../../texts/index.ts';

const route = getRouteApi('/inside/sessions/$sessionId');
const words = texts.session.costs;

const COLUMNS: readonly Column<TimelineEntry>[] = [
  { key: 'call', title: words.step, isWide: true, cell: (entry) => <Call entry={entry} /> },
  { key: 'cost', title: texts.sessions.cost, align: 'end', cell: ({ cost_usd }) => <Money usd={cost_usd} /> },
  { key: 'usage', title: texts.shell.usage, cell: ({ usage }) => <Usage usage={usage} /> },
];

/** A call, with a link to the provider's stored response. */
function Call({ entry: { step, attempt, status, provider, model, call_id } }: { entry: TimelineEntry }) {
  const { sessionId } = route.useParams();
  return (
    <>
      {words.call(STEPS[step], attempt)} <Status name={status} />
      <br />
      <small>{modelName(provider, model)}</small>{' '}
      {call_id !== null && (
        <small>
          <a href={`${apiBase()}/v1/sessions/${sessionId}/calls/${call_id}`} target="_blank" rel="noopener">
            JSON
          </a>
        </small>
      )}
    </>
  );
}

/** Each amount in a line of its own, because more columns do not fit beside the conversation. */
function Usage({ usage }: Pick<TimelineEntry, 'usage'>) {
  const { input_tokens, output_tokens, audio_seconds } = usage ?? {};
  const lines = [
    input_tokens !== undefined && `${texts.usage.inputTokens}: ${formatNumber(input_tokens)}`,
    output_tokens !== undefined && `${texts.usage.outputTokens}: ${formatNumber(output_tokens)}`,
    audio_seconds !== undefined && `${texts.sessions.audio}: ${formatPosition(audio_seconds)}`,
  ].filter((line) => line !== false);
  if (lines.length === 0) return <Nothing />;
  return lines.map((line) => (
    <div key={line} className="nowrap">
      {line}
    </div>
  ));
}

/** Usage and cost of each provider call, including failed and repeated calls. */
export function CostTab({ session }: { session: Session }) {
  const { data } = useQuery(getSessionTimelineOptions({ path: { id: session.session_id } }));
  const calls = (data?.data ?? []).filter(({ kind, step }) => kind === 'call' && step !== 'delivery');
  if (calls.length === 0) return <EmptyState title={words.nothing} />;
  return (
    <>
      <p>
        {texts.steps.total} <Money usd={session.total_cost} isKnown={session.cost_known} />
        {!session.cost_known && ` · ${texts.labels.atLeastWhy}`}
      </p>
      <DataTable
        caption={words.caption}
        columns={COLUMNS}
        rows={calls}
        rowKey={({ started_at, step }) => step + started_at}
      />
    </>
  );
}
