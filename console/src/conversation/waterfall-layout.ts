/** Layout of the waterfall, in milliseconds and percent. */
import type { TimelineEntry } from 'conversation-analysis-client';

export interface Bar {
  entry: TimelineEntry;
  fromMs: number;
  /** End of the bar. For an open entry: now, or the time when it is due. */
  toMs: number;
  isOpen: boolean;
}

export interface Layout {
  bars: Bar[];
  percentOf: (ms: number) => number;
  /** Times since the start. */
  ticks: { ms: number; percent: number }[];
}

const TICK_STEPS_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1_440].map((minutes) => minutes * 60_000),
];

/** Labels are up to 70 pixels wide, also on a phone. */
const MAX_TICKS = 4;

/**
 * Returns the position of each bar.
 * @param now the server's time. Open bars end here or later.
 */
export function layOut(entries: readonly TimelineEntry[], now: number): Layout {
  const bars = entries.map((entry) => toBar(entry, now));
  const startMs = Math.min(...bars.map(({ fromMs }) => fromMs));
  const endMs = Math.max(startMs + 1, ...bars.map(({ toMs }) => toMs));
  const percentOf = (ms: number) => ((ms - startMs) / (endMs - startMs)) * 100;
  const stepMs = TICK_STEPS_MS.find((step) => (endMs - startMs) / step <= MAX_TICKS) ?? 86_400_000;
  const ticks = Array.from({ length: Math.floor((endMs - startMs) / stepMs) + 1 }, (_, index) => ({
    ms: index * stepMs,
    percent: percentOf(startMs + index * stepMs),
  }));
  return { bars, percentOf, ticks };
}

function toBar(entry: TimelineEntry, now: number): Bar {
  const fromMs = Date.parse(entry.started_at);
  if (entry.ended_at !== null) return { entry, fromMs, toMs: Date.parse(entry.ended_at), isOpen: false };
  const dueMs = entry.due_at === null ? now : Date.parse(entry.due_at);
  return { entry, fromMs, toMs: Math.max(fromMs, now, dueMs), isOpen: true };
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
