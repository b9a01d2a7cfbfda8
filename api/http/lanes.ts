import pLimit from 'p-limit';

export interface Lanes {
  /** Runs `work` as soon as fewer than the bound are running under this key; others wait in order. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Bounds in this process how much runs at once under one key; a key that nobody uses takes no memory. */
export function createLanes(concurrency: number): Lanes {
  const lanes = new Map<string, { limit: ReturnType<typeof pLimit>; users: number }>();
  return {
    async run(key, work) {
      const lane = lanes.get(key) ?? { limit: pLimit(concurrency), users: 0 };
      lanes.set(key, lane);
      lane.users += 1;
      try {
        return await lane.limit(work);
      } finally {
        lane.users -= 1;
        if (lane.users === 0) lanes.delete(key);
      }
    },
  };
}
