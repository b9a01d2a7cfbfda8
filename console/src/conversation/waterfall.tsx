import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Timeline as TimelineData, TimelineEntry } from 'conversation-analysis-client';
import { getSessionTimelineOptions } from 'conversation-analysis-client/react-query';
import { Button } from '../components/button.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/page.tsx';
import { useNow } from '../format/clock.ts';
import { formatDuration } from '../format/durations.ts';
import { usePollWhile } from '../live/events.ts';
import { useKeys } from '../components/use-keys.ts';
import { texts } from '../texts/index.ts';
import { foldBars, layOut, type Bar, type Layout } from './waterfall-layout.ts';
import { nameOf, Row, STEPS } from './waterfall-row.tsx';
import styles from './waterfall.module.css';

const words = texts.session.waterfall;

/** Shorter waits are hidden. */
const MIN_WAIT_MS = 5;

interface WaterfallProps {
  sessionId: string;
  isUnfinished: boolean;
  /** Shows one line unless an entry failed or is waiting. */
  isFolded?: boolean;
  /** The timeline will probably be expanded, so its placeholder is as tall as an expanded one. */
  isLong?: boolean;
}

/** The calls and waits of a session on one time axis, from the queue to the webhook. */
export function Waterfall({ sessionId, isUnfinished, isFolded = false, isLong = !isFolded }: WaterfallProps) {
  const timeline = useQuery({
    ...getSessionTimelineOptions({ path: { id: sessionId } }),
    refetchInterval: usePollWhile<TimelineData>((data) => isUnfinished || (data?.data.some(isOpen) ?? false)),
  });
  if (!timeline.data) {
    return (
      <Panel title={words.title} isLine={!isLong}>
        <Loaded query={timeline} lines={isLong ? 8 : 1}>
          {() => null}
        </Loaded>
      </Panel>
    );
  }
  const entries = timeline.data.data.filter(
    ({ kind, duration_ms }) => kind === 'call' || duration_ms === null || duration_ms >= MIN_WAIT_MS,
  );
  if (entries.length === 0) {
    return (
      <Panel title={words.title} isLine={isFolded}>
        {words.nothingYet}
      </Panel>
    );
  }
  return isFolded ? <FoldedTimeline entries={entries} /> : <Timeline entries={entries} />;
}

const isOpen = ({ ended_at }: TimelineEntry) => ended_at === null;

const needsAttention = ({ status, step }: TimelineEntry) =>
  status === 'failed' || status === 'lost' || (status === 'waiting' && step !== 'queue');

const keyOf = (entry: TimelineEntry) =>
  [entry.kind, entry.step, entry.attempt, entry.delivery_id, entry.started_at].join(' ');

/** Shows one line. It expands on click, and if an entry failed or waits. */
function FoldedTimeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const [wasExpanded, setExpanded] = useState<boolean>();
  const isExpanded = wasExpanded ?? entries.some(needsAttention);
  const now = useNow(!isExpanded && entries.some(isOpen));
  const fold = (
    <Button size="small" look="quiet" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
      {isExpanded ? words.fold : words.unfold}
    </Button>
  );
  if (isExpanded) return <Timeline entries={entries} fold={fold} />;
  const shown = entries.filter(({ kind, step }) => kind === 'call' || step === 'queue');
  return (
    <Panel title={words.title} actions={fold} isLine>
      <ol className={styles['folded']}>
        {shown.map((entry) => (
          <li key={keyOf(entry)}>
            {entry.attempt > 1 ? nameOf(entry) : (entry.alert ?? STEPS[entry.step])}{' '}
            <b>{formatDuration(entry.duration_ms ?? Math.max(0, now - Date.parse(entry.started_at)))}</b>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Timeline({ entries, fold }: { entries: readonly TimelineEntry[]; fold?: ReactNode }) {
  const now = useNow(entries.some(isOpen));
  const layout = layOut(entries, now);
  useKeys(focusFailedRow);
  return (
    <Panel title={words.title} actions={fold} isFlush>
      <div className={styles['waterfall']}>
        <Axis layout={layout} />
        <Rows layout={layout} now={now} />
        <Legend />
      </div>
    </Panel>
  );
}

/** Focuses the next (key n) or previous (key p) failed row. Returns whether there is one. */
function focusFailedRow(key: string): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('#content [data-failed]')];
  if ((key !== 'n' && key !== 'p') || rows.length === 0) return false;
  const current = rows.findIndex((row) => row === document.activeElement);
  const next = key === 'n' ? current + 1 : Math.max(current, 0) - 1;
  rows.at(next % rows.length)?.focus();
  return true;
}

/** Ticks beyond this position have no label, because it would not fit. */
const LAST_LABEL_PERCENT = 78;

const Axis = ({ layout }: { layout: Layout }) => (
  <div className={styles['axis']} aria-hidden>
    <span />
    <div className={styles['ticks']}>
      {layout.ticks
        .filter(({ percent }) => percent <= LAST_LABEL_PERCENT)
        .map(({ percent, ms }) => (
          <span key={ms} style={{ left: `${percent}%` }}>
            {ms === 0 ? '0' : formatDuration(ms)}
          </span>
        ))}
    </div>
    <span className={styles['figure']}>{words.duration}</span>
    <span className={styles['figure']}>{texts.sessions.cost}</span>
  </div>
);

/** The first and the last rows, and a button for the rows between them. */
function Rows({ layout, now }: { layout: Layout; now: number }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const { first, middle, last } = foldBars(layout.bars);
  const rowOf = (bar: Bar) => <Row key={keyOf(bar.entry)} bar={bar} layout={layout} now={now} />;
  const Chevron = isUnfolded ? ChevronDown : ChevronRight;
  return (
    <ol>
      {first.map(rowOf)}
      {middle.length > 0 && (
        <li className={styles['fold']}>
          <Button size="small" look="quiet" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            <Chevron size={14} aria-hidden />
            {words.moreAttempts(middle.filter(({ entry }) => entry.kind === 'call').length)}
          </Button>
        </li>
      )}
      {isUnfolded && middle.map(rowOf)}
      {last.map(rowOf)}
    </ol>
  );
}

const LOOKS = { good: texts.status.succeeded, bad: texts.status.failed, info: texts.status.running, ...words.looks };

const Legend = () => (
  <ul className={`row ${styles['legend']}`} aria-label={words.legend}>
    {(['good', 'bad', 'info', 'warn', 'wait'] as const).map((look) => (
      <li key={look}>
        <span className={`${styles['bar']} ${styles['swatch']} ${styles[look]}`} data-shape aria-hidden />
        {LOOKS[look]}
      </li>
    ))}
  </ul>
);
