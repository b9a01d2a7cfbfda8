/** The program of the processes of a task pool. Its argument is the module whose function `run` does the tasks. */
import type { RunTask, TaskMessage } from './task-pool.ts';

const send = (message: TaskMessage) => process.send?.(message);

const { run } = (await import(process.argv[2] ?? '')) as { run: RunTask };

process.on('message', (task) => {
  send({ kind: 'began' });
  void Promise.resolve(run(task as never, (progress) => send({ kind: 'progress', value: progress }))).then((value) =>
    send({ kind: 'result', value }),
  );
});

// The process that started this one ends it, after it has received the results.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
