/** Several experiments of one assistant: a column each, a row for each field. */
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getBatchAccuracyOptions } from 'conversation-analysis-client/react-query';
import type { BatchAccuracy, BatchSummary, FieldVerdict } from 'conversation-analysis-client';
import { printSettings, useBatchTitle } from '../../lists/batch-filter.ts';
import { comparable, labelOf, printFixed } from '../../lists/verdicts.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { Money, Nothing } from '../../components/values.tsx';
import { useFieldTitles } from '../../fields/field-title.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { formatShare } from '../../format/shares.ts';
import { texts } from '../../texts/index.ts';

const words = texts.experiment;

interface Row {
  key: string;
  title: ReactNode;
  cell: (batch: BatchSummary, report: BatchAccuracy | undefined) => ReactNode;
}

export function SideBySide({ assistantId, batches }: { assistantId: string; batches: readonly BatchSummary[] }) {
  const titleOf = useFieldTitles(assistantId);
  const nameOf = useBatchTitle();
  const reports = useQueries({
    queries: batches.map(({ batch_id: id, ended_at }) => ({
      ...getBatchAccuracyOptions({ path: { id } }),
      enabled: ended_at !== null,
    })),
  });
  const names = [...new Set(reports.flatMap(({ data }) => data?.fields.map(({ name }) => name) ?? []))];
  const rows: Row[] = [
    {
      key: 'differs',
      title: words.differs,
      cell: (batch) => (
        <Link to="/batches/$batchId" params={{ batchId: batch.batch_id }}>
          {batch.differs === null ? nameOf(batch) : printSettings(batch.differs) || words.used}
        </Link>
      ),
    },
    ...names.map((name) => ({
      key: `field ${name}`,
      title: <bdi>{titleOf(name)}</bdi>,
      cell: (_: BatchSummary, report: BatchAccuracy | undefined) => (
        <FieldCell field={report?.fields.find((field) => field.name === name)} />
      ),
    })),
    { key: 'sessions', title: words.reviewed, cell: (_, report) => report && formatNumber(report.sessions) },
    { key: 'cost', title: texts.sessions.cost, cell: ({ cost_usd }) => <Money usd={cost_usd} /> },
  ];
  const columns: Column<Row>[] = [
    { key: 'title', title: texts.session.fields.field, cell: ({ title }) => title },
    ...batches.map((batch, place) => ({
      key: batch.batch_id,
      title: nameOf(batch),
      cell: ({ cell }: Row) => cell(batch, reports[place]?.data),
    })),
  ];
  return (
    <Panel title={words.sideBySide} isFlush>
      <DataTable caption={words.sideBySide} columns={columns} rows={rows} rowKey={({ key }) => key} />
    </Panel>
  );
}

function FieldCell({ field }: { field: FieldVerdict | undefined }) {
  if (!field) return <Nothing />;
  const [shown] = comparable([field]);
  return (
    <>
      {labelOf(field)}
      {shown && (
        <span className="note">
          {' '}
          {formatShare(shown.before.share ?? 0)} → {formatShare(shown.after.share ?? 0)} ({printFixed(shown)})
        </span>
      )}
    </>
  );
}
