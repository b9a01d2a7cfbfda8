export interface Progress {
  /** Adds a finished file to the count. */
  advance(isDone: boolean): void;
  end(message: string): void;
}

/** Shows the number of finished files if the output is a terminal and the total is known. Otherwise, shows only the final message. */
export function showProgress(total: number | undefined): Progress {
  const output = process.stderr;
  const isShown = total !== undefined && output.isTTY;
  let [done, failed] = [0, 0];
  return {
    advance(isDone) {
      if (isDone) done += 1;
      else failed += 1;
      if (isShown) output.write(`\r${done + failed} of ${total}${failed > 0 ? `, ${failed} without a result` : ''}`);
    },
    end: (message) => void output.write(`${isShown ? '\n' : ''}${message}\n`),
  };
}
