import { texts } from '../texts/index.ts';
import { formatDecimal } from './numbers.ts';

const units = texts.units;

/** Returns "420 ms", "3.2 s", "2 min 5 s", "1 h 3 min" or "2 d 4 h". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ${units.ms}`;
  if (ms < 10_000) return `${formatDecimal(ms / 1_000)} ${units.s}`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} ${units.s}`;
  if (seconds < 3_600) return join(Math.floor(seconds / 60), units.min, seconds % 60, units.s);
  if (seconds < 86_400)
    return join(Math.floor(seconds / 3_600), units.h, Math.floor((seconds % 3_600) / 60), units.min);
  return join(Math.floor(seconds / 86_400), units.d, Math.floor((seconds % 86_400) / 3_600), units.h);
}

const join = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

/** Returns a position in a recording: "0:07", "12:30", "1:02:03". */
export function formatPosition(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3_600);
  const rest = `${hours > 0 ? two(Math.floor((whole % 3_600) / 60)) : Math.floor(whole / 60)}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Returns the remaining time: "0:27", "9:58"; at least "0:00". */
export const formatCountdown = (ms: number) => formatPosition(Math.ceil(Math.max(0, ms) / 1_000));
