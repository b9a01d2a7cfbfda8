/** Layout of the waterfall, in milliseconds and percent. */
import type { TimelineEntry } from 'conversation-analysis-client';

export interface Bar {
  entry: TimelineEntry;
  fromMs: number;
  /** End of the bar. For an open entry: now, or the time when it is due. */
  toMs: number;
  isOpen: boolean;
}

/** A part of the time axis. */
interface Segment {
  fromMs: number;
  toMs: number;
  /** Whether no call is running. */
  isIdle: boolean;
  startPercent: number;
  endPercent: number;
}

export interface Layout {
  bars: Bar[];
  totalMs: number;
  /** The share of the total time in which no call was running. */
  idleShare: number;
  percentOf: (ms: number) => number;
  /** Times since the start. */
  ticks: { ms: number; percent: number }[];
  /** The compressed segments. */
  gaps: Segment[];
}

/** Longest compressed wait, as a share of the time of all calls. */
const COMPRESSED_SHARE = 0.15;
/** Shorter pauses between two calls are not compressed. */
const MIN_GAP_MS = 1_000;
/** Labels are up to 70 pixels wide, also on a phone. */
const MAX_TICKS = 4;
const MIN_TICK_DISTANCE_PERCENT = 22;

/**
 * Returns the position of each bar.
 * @param now the server's time. Open bars end here or later.
 */
export function layOut(entries: readonly TimelineEntry[], now: number, isCompressed: boolean): Layout {
  const bars = entries.map((entry) => toBar(entry, now));
  const startMs = Math.min(...bars.map(({ fromMs }) => fromMs));
  const endMs = Math.max(startMs + 1, ...bars.map(({ toMs }) => toMs));
  const segments = findSegments(bars, startMs, endMs, isCompressed);
  const idle = segments.filter(({ isIdle }) => isIdle);
  const percentOf = (ms: number) => percentIn(segments, ms);
  return {
    bars,
    totalMs: endMs - startMs,
    idleShare: sumOf(idle) / (endMs - startMs),
    percentOf,
    ticks: isCompressed ? edgeTicks(segments, startMs) : evenTicks(startMs, endMs, percentOf),
    gaps: isCompressed ? idle : [],
  };
}

function toBar(entry: TimelineEntry, now: number): Bar {
  const fromMs = Date.parse(entry.started_at);
  if (entry.ended_at !== null) return { entry, fromMs, toMs: Date.parse(entry.ended_at), isOpen: false };
  const dueMs = entry.due_at === null ? now : Date.parse(entry.due_at);
  return { entry, fromMs, toMs: Math.max(fromMs, now, dueMs), isOpen: true };
}

type Span = Pick<Segment, 'fromMs' | 'toMs' | 'isIdle'>;

const sumOf = (spans: readonly Span[]) => spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);

/** Splits the axis into segments with and without a running call. `isCompressed` shortens idle segments. */
function findSegments(bars: readonly Bar[], startMs: number, endMs: number, isCompressed: boolean): Segment[] {
  const spans: Span[] = [];
  let atMs = startMs;
  const add = (toMs: number, isIdle: boolean) => {
    if (toMs > atMs) spans.push({ fromMs: atMs, toMs, isIdle });
    atMs = Math.max(atMs, toMs);
  };
  const calls = bars.filter(({ entry }) => entry.kind === 'call').toSorted((a, b) => a.fromMs - b.fromMs);
  for (const { fromMs, toMs } of calls) {
    add(fromMs, fromMs - atMs >= MIN_GAP_MS);
    add(toMs, false);
  }
  add(endMs, endMs - atMs >= MIN_GAP_MS);
  const maxIdleMs = isCompressed ? (sumOf(spans.filter(({ isIdle }) => !isIdle)) || 1) * COMPRESSED_SHARE : Infinity;
  const widths = spans.map((span) => Math.min(sumOf([span]), span.isIdle ? maxIdleMs : Infinity));
  const total = widths.reduce((sum, width) => sum + width, 0);
  let startPercent = 0;
  return spans.map((span, index) => {
    const segment = { ...span, startPercent, endPercent: startPercent + ((widths[index] ?? 0) / total) * 100 };
    startPercent = segment.endPercent;
    return segment;
  });
}

function percentIn(segments: readonly Segment[], ms: number): number {
  const segment = segments.find(({ toMs }) => ms <= toMs) ?? segments.at(-1);
  if (!segment) return 0;
  const { fromMs, toMs, startPercent, endPercent } = segment;
  const share = (Math.min(Math.max(ms, fromMs), toMs) - fromMs) / (toMs - fromMs);
  return startPercent + share * (endPercent - startPercent);
}

const TICK_STEPS_MS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  1_000,
  2_000,
  5_000,
  10_000,
  15_000,
  30_000,
  ...[1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1_440].map((minutes) => minutes * 60_000),
];

function evenTicks(startMs: number, endMs: number, percentOf: (ms: number) => number): Layout['ticks'] {
  const stepMs = TICK_STEPS_MS.find((step) => (endMs - startMs) / step <= MAX_TICKS) ?? 86_400_000;
  return Array.from({ length: Math.floor((endMs - startMs) / stepMs) + 1 }, (_, index) => ({
    ms: index * stepMs,
    percent: percentOf(startMs + index * stepMs),
  }));
}

/** Returns a tick at the start of each busy segment, because even ticks make no sense on a compressed axis. */
function edgeTicks(segments: readonly Segment[], startMs: number): Layout['ticks'] {
  const ticks: Layout['ticks'] = [];
  for (const { fromMs, startPercent, isIdle } of segments) {
    if (isIdle || startPercent - (ticks.at(-1)?.percent ?? -100) < MIN_TICK_DISTANCE_PERCENT) continue;
    ticks.push({ ms: fromMs - startMs, percent: startPercent });
  }
  return ticks;
}

/** Timelines with more calls show only the first and the last ones. */
const MAX_CALLS = 12;
const FIRST_CALLS = 4;
const LAST_CALLS = 3;

/** Returns the bars in three parts. The middle part, which is hidden at first, is empty unless there are many calls. */
export function foldBars(bars: readonly Bar[]): {
  first: readonly Bar[];
  middle: readonly Bar[];
  last: readonly Bar[];
} {
  const calls = bars.flatMap(({ entry }, index) => (entry.kind === 'call' ? [index] : []));
  if (calls.length <= MAX_CALLS) return { first: bars, middle: [], last: [] };
  // Each part ends with a call, so a wait stays in the same part as the call after it.
  const from = (calls[FIRST_CALLS - 1] ?? 0) + 1;
  const to = (calls.at(-LAST_CALLS - 1) ?? 0) + 1;
  return { first: bars.slice(0, from), middle: bars.slice(from, to), last: bars.slice(to) };
}
