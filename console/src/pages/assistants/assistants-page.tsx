/** All assistants in a table, those with failures first. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AudioLines, Bot, MessageSquareText, Plus } from 'lucide-react';
import {
  getAssistantAccuracyOptions,
  getStatsOptions,
  listAssistantsOptions,
} from 'conversation-analysis-client/react-query';
import type { AccuracyReport, Assistant } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page } from '../../components/page.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { startOf } from '../../format/times.ts';
import { RightIn } from '../../lists/right-in.tsx';
import { usePeriod } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';

const words = texts.assistants;
const range = '7d' as const;

/** Number of rows with the accuracy, which takes a request each. */
const MAX_ACCURACIES = 24;

interface Row {
  assistant: Assistant;
  /** The last 7 days; undefined until loaded. */
  week: { sessions: number; failed: number; deliveries: number; undelivered: number } | undefined;
  accuracy: AccuracyReport | undefined;
}

export function AssistantsPage() {
  const assistants = useQuery(listAssistantsOptions());
  const { timezone, ...period } = usePeriod(range);
  const stats = useQuery(
    getStatsOptions({ query: { from: startOf(period.from), interval: 'day', timezone, group_by: 'assistant' } }),
  );
  const weekOf = (id: string): Row['week'] => {
    const days = stats.data?.data.filter(({ assistant_id }) => assistant_id === id);
    const sum = (counts: number[] = []) => counts.reduce((total, count) => total + count, 0);
    return (
      days && {
        sessions: sum(days.flatMap(({ sessions }) => Object.values(sessions))),
        failed: sum(days.map(({ sessions }) => sessions.failed)),
        deliveries: sum(days.flatMap((day) => [day.deliveries.delivered, day.deliveries.pending, day.undelivered])),
        undelivered: sum(days.flatMap((day) => [day.deliveries.pending, day.undelivered])),
      }
    );
  };
  const rows = (assistants.data?.data ?? [])
    .map((assistant) => ({ assistant, week: weekOf(assistant.id) }))
    .sort(
      ({ week: a }, { week: b }) =>
        (b?.failed ?? 0) - (a?.failed ?? 0) ||
        (b?.undelivered ?? 0) - (a?.undelivered ?? 0) ||
        (b?.sessions ?? 0) - (a?.sessions ?? 0),
    );
  const asked = rows.filter(({ assistant }) => assistant.fields?.length).slice(0, MAX_ACCURACIES);
  const month = usePeriod('30d');
  const accuracies = useQueries({
    queries: asked.map(({ assistant: { id } }) => getAssistantAccuracyOptions({ path: { id }, query: month })),
  });
  const refused = [stats, ...accuracies].find(({ error }) => error);
  const create = (
    <ButtonLink scope="assistants:write" to="/assistants/$assistantId" params={{ assistantId: 'new' }} look="primary">
      <Plus size={14} aria-hidden />
      {words.create}
    </ButtonLink>
  );
  return (
    <Page>
      <PageHeader title={texts.shell.assistants} actions={create} />
      {refused && <Problem error={refused.error} onRetry={() => void refused.refetch()} />}
      <Loaded query={{ ...assistants, data: stats.isPending ? undefined : assistants.data }} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={Bot} title={words.none} detail={words.noneDetail} actions={create} />
          ) : (
            <DataTable
              caption={texts.shell.assistants}
              columns={COLUMNS}
              rows={rows.map((row) => ({ ...row, accuracy: accuracies[asked.indexOf(row)]?.data }))}
              rowKey={({ assistant }) => assistant.id}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

const COLUMNS: Column<Row>[] = [
  {
    key: 'name',
    title: texts.labels.name,
    isWide: true,
    cell: ({ assistant: { id, name, type, description } }) => {
      const Icon = type === 'voice' ? AudioLines : MessageSquareText;
      return (
        <span title={description ?? undefined}>
          <Icon size={14} role="img" aria-label={texts.types[type]} />{' '}
          <Link to="/assistants/$assistantId" params={{ assistantId: id }} dir="auto" data-row-link>
            {name}
          </Link>
        </span>
      );
    },
  },
  {
    key: 'sessions',
    title: words.week,
    align: 'end',
    cell: ({ assistant: { id }, week }) =>
      week && (
        <Link to="/sessions" search={{ assistant_id: id, range }}>
          {formatNumber(week.sessions)}
        </Link>
      ),
  },
  {
    key: 'failed',
    title: texts.status.failed,
    align: 'end',
    cell: ({ assistant: { id }, week }) =>
      week &&
      (week.failed === 0 ? (
        0
      ) : (
        <Link to="/sessions" search={{ assistant_id: id, range, status: 'failed' }} className="bad">
          {formatNumber(week.failed)}
        </Link>
      )),
  },
  {
    key: 'undelivered',
    title: words.undelivered,
    align: 'end',
    isSecondary: true,
    cell: ({ assistant: { id }, week }) =>
      week &&
      (week.deliveries === 0 ? (
        <Nothing />
      ) : week.undelivered === 0 ? (
        0
      ) : (
        <Link to="/deliveries" search={{ assistant_id: id, range }} className="warn nowrap">
          {texts.batches.of(formatNumber(week.undelivered), formatNumber(week.deliveries))}
        </Link>
      )),
  },
  {
    key: 'right',
    title: words.right,
    align: 'end',
    cell: ({ accuracy }) => accuracy && <RightIn report={accuracy} />,
  },
  {
    key: 'questions',
    title: texts.settingTitles.fields,
    align: 'end',
    isSecondary: true,
    cell: ({ assistant }) => assistant.fields?.length ?? 0,
  },
  {
    key: 'changed',
    title: words.changed,
    align: 'end',
    isSecondary: true,
    cell: ({ assistant }) => <Time at={assistant.updated_at} />,
  },
];
