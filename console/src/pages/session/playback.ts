/** The recording that is played, and where in the conversation it is. What follows it is told; nothing is rendered anew. */
import type { Turn } from '../../../../clients/typescript/src/index.ts';

export interface Playback {
  /**
   * Takes the player's element.
   * @param element null when the player goes.
   */
  attach(element: HTMLAudioElement | null): void;
  toggle(): void;
  seek(seconds: number): void;
  playFrom(seconds: number): void;
  skip(seconds: number): void;
  setSpeed(speed: number): void;
  /** Runs the listener at each change of the position; returns what ends that. */
  onPosition(listener: (seconds: number, turn: number) => void): () => void;
}

export const SPEEDS: readonly number[] = [0.75, 1, 1.25, 1.5, 2];

/** Returns the speed that is so many steps away; the slowest and the fastest stay. */
export const nextSpeed = (speed: number, steps: number): number =>
  SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(speed) + steps))] ?? speed;

export function createPlayback(turns: readonly Turn[]): Playback {
  const starts = turns.map((turn) => turn.start_s ?? 0);
  const listeners = new Set<(seconds: number, turn: number) => void>();
  let audio: HTMLAudioElement | null = null;
  const tell = () => {
    if (!audio) return;
    const turn = findTurn(starts, audio.currentTime);
    for (const listener of listeners) listener(audio.currentTime, turn);
  };
  const events = ['timeupdate', 'seeking', 'seeked'] as const;
  const seek = (seconds: number) => {
    if (audio) audio.currentTime = Math.max(0, seconds);
  };
  return {
    seek,
    attach(element) {
      for (const event of events) audio?.removeEventListener(event, tell);
      audio = element;
      for (const event of events) audio?.addEventListener(event, tell);
    },
    toggle() {
      if (!audio) return;
      if (audio.paused) void audio.play();
      else audio.pause();
    },
    playFrom(seconds) {
      seek(seconds);
      // Rejected where the recording is gone; then the words are shown all the same.
      audio?.play().catch(() => undefined);
    },
    skip: (seconds) => seek((audio?.currentTime ?? 0) + seconds),
    setSpeed(speed) {
      if (audio) audio.playbackRate = speed;
    },
    onPosition(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns the last turn that has begun; -1 before the first. */
function findTurn(starts: readonly number[], seconds: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
