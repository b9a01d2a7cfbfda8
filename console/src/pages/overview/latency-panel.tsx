import type { StatsTotals } from '../../../../clients/typescript/src/index.ts';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Duration } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import styles from './overview.module.css';

type Latency = StatsTotals['latency_ms'];
type Step = keyof Latency;

const STEPS: readonly Step[] = ['queue', 'transcription', 'analysis', 'total'];

/** How long each step took half of the time, and 19 times of 20. */
export const LatencyPanel = ({ latency }: { latency: Latency }) => (
  <section className={styles['section']}>
    <h2>{texts.overview.latency}</h2>
    <DataTable caption={texts.overview.latency} columns={toColumns(latency)} rows={STEPS} rowKey={(step) => step} />
    <p className={styles['note']}>{texts.overview.latencyNote}</p>
  </section>
);

const toColumns = (latency: Latency): Column<Step>[] => [
  { key: 'step', title: texts.overview.step, isWide: true, cell: (step) => texts.overview.steps[step] },
  { key: 'p50', title: 'p50', align: 'end', cell: (step) => <Duration ms={latency[step]?.p50 ?? null} /> },
  { key: 'p95', title: 'p95', align: 'end', cell: (step) => <Duration ms={latency[step]?.p95 ?? null} /> },
];
