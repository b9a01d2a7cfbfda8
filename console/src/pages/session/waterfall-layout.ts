/** Where the bars of a waterfall lie: pure, in milliseconds and percent. */
import type { TimelineEntry } from '../../../../clients/typescript/src/index.ts';

export interface Bar {
  entry: TimelineEntry;
  fromMs: number;
  /** Of what goes on: now, or when it is to end. */
  toMs: number;
  isOpen: boolean;
}

/** A part of the axis; an idle one may be drawn shorter than it is. */
interface Segment {
  fromMs: number;
  toMs: number;
  isIdle: boolean;
  startPercent: number;
  endPercent: number;
}

export interface Tick {
  percent: number;
  /** Since the beginning. */
  ms: number;
}

export interface Gap {
  startPercent: number;
  endPercent: number;
  ms: number;
}

export interface Layout {
  bars: Bar[];
  startMs: number;
  totalMs: number;
  /** The share of the whole in which nothing but waiting happened. */
  idleShare: number;
  idleMs: number;
  percentOf: (ms: number) => number;
  ticks: Tick[];
  /** The idle parts that are drawn shorter; empty unless compressed. */
  gaps: Gap[];
}

/** A compressed wait takes at most so much of what the calls take. */
const COMPRESSED_SHARE = 0.15;
/** Shorter pauses between two calls stay as they are. */
const MIN_GAP_MS = 1_000;
const TICKS = 5;

/**
 * Returns where each bar stands.
 * @param now the server's time, up to which what goes on is drawn.
 */
export function layOut(entries: readonly TimelineEntry[], now: number, isCompressed: boolean): Layout {
  const bars = entries.map((entry) => toBar(entry, now));
  const startMs = Math.min(...bars.map((bar) => bar.fromMs));
  const endMs = Math.max(startMs + 1, ...bars.map((bar) => bar.toMs));
  const segments = weigh(findSegments(bars, startMs, endMs), isCompressed);
  const idle = segments.filter((segment) => segment.isIdle);
  const idleMs = idle.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const percentOf = (ms: number) => percentIn(segments, ms);
  return {
    bars,
    startMs,
    totalMs: endMs - startMs,
    idleShare: idleMs / (endMs - startMs),
    idleMs,
    percentOf,
    ticks: isCompressed ? edgeTicks(segments, startMs) : evenTicks(startMs, endMs, percentOf),
    gaps: isCompressed
      ? idle.map(({ fromMs, toMs, startPercent, endPercent }) => ({ startPercent, endPercent, ms: toMs - fromMs }))
      : [],
  };
}

function toBar(entry: TimelineEntry, now: number): Bar {
  const fromMs = Date.parse(entry.started_at);
  if (entry.ended_at !== null) return { entry, fromMs, toMs: Date.parse(entry.ended_at), isOpen: false };
  const dueMs = entry.due_at === null ? now : Date.parse(entry.due_at);
  return { entry, fromMs, toMs: Math.max(fromMs, now, dueMs), isOpen: true };
}

/** Cuts the time into parts with a call under way and parts without one. */
function findSegments(
  bars: readonly Bar[],
  startMs: number,
  endMs: number,
): Omit<Segment, 'startPercent' | 'endPercent'>[] {
  const calls = bars.filter(({ entry }) => entry.kind === 'call').sort((a, b) => a.fromMs - b.fromMs);
  const segments: Omit<Segment, 'startPercent' | 'endPercent'>[] = [];
  let atMs = startMs;
  const add = (toMs: number, isIdle: boolean) => {
    if (toMs > atMs) segments.push({ fromMs: atMs, toMs, isIdle });
    atMs = Math.max(atMs, toMs);
  };
  for (const { fromMs, toMs } of calls) {
    add(fromMs, fromMs - atMs >= MIN_GAP_MS);
    add(toMs, false);
  }
  add(endMs, endMs - atMs >= MIN_GAP_MS);
  return segments;
}

function weigh(segments: readonly Omit<Segment, 'startPercent' | 'endPercent'>[], isCompressed: boolean): Segment[] {
  const lengthOf = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => toMs - fromMs;
  const busyMs = segments.filter(({ isIdle }) => !isIdle).reduce((sum, each) => sum + lengthOf(each), 0) || 1;
  const weights = segments.map((each) =>
    isCompressed && each.isIdle ? Math.min(lengthOf(each), busyMs * COMPRESSED_SHARE) : lengthOf(each),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let before = 0;
  return segments.map((segment, index) => {
    const startPercent = (before / total) * 100;
    before += weights[index] ?? 0;
    return { ...segment, startPercent, endPercent: (before / total) * 100 };
  });
}

function percentIn(segments: readonly Segment[], ms: number): number {
  const segment = segments.find(({ toMs }) => ms <= toMs) ?? segments.at(-1);
  if (!segment) return 0;
  const { fromMs, toMs, startPercent, endPercent } = segment;
  const share = (Math.min(Math.max(ms, fromMs), toMs) - fromMs) / (toMs - fromMs || 1);
  return startPercent + share * (endPercent - startPercent);
}

const STEPS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .flatMap((ms) => [ms])
  .concat(
    [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400].map((s) => s * 1_000),
  );

function evenTicks(startMs: number, endMs: number, percentOf: (ms: number) => number): Tick[] {
  const stepMs = STEPS_MS.find((step) => (endMs - startMs) / step <= TICKS) ?? 86_400_000;
  const count = Math.floor((endMs - startMs) / stepMs);
  return Array.from({ length: count + 1 }, (_, index) => ({
    ms: index * stepMs,
    percent: percentOf(startMs + index * stepMs),
  }));
}

/** Returns ticks at the edges of what was cut, where time is not even, as far as there is room for them. */
function edgeTicks(segments: readonly Segment[], startMs: number): Tick[] {
  const ticks: Tick[] = [];
  for (const { fromMs, startPercent, isIdle } of segments) {
    if (isIdle || startPercent - (ticks.at(-1)?.percent ?? -100) < 10) continue;
    ticks.push({ ms: fromMs - startMs, percent: startPercent });
  }
  return ticks;
}
