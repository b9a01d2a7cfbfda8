import { progress } from '@clack/prompts';

export interface Progress {
  /** Adds a finished file to the count. */
  advance(isDone: boolean): void;
  end(message: string): void;
}

/** Shows a progress bar if the output is a terminal and the total is known. Otherwise, shows only the final message. */
export function showProgress(total: number | undefined): Progress {
  const output = process.stderr;
  if (total === undefined || !output.isTTY)
    return { advance: () => undefined, end: (message) => void output.write(`${message}\n`) };
  const bar = progress({ output, max: total, style: 'heavy' });
  let [done, failed] = [0, 0];
  bar.start(`0 of ${total}`);
  return {
    advance(isDone) {
      if (isDone) done += 1;
      else failed += 1;
      bar.advance(1, `${done + failed} of ${total}${failed > 0 ? `, ${failed} without a result` : ''}`);
    },
    end: (message) => bar.stop(message),
  };
}
