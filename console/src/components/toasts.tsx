import { lazy, Suspense } from 'react';
import { toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';

const load = () => import('./overlays.ts');
const ToastList = lazy(async () => ({ default: (await load()).ToastList }));

/** The place where messages appear. It is loaded beside the page that is shown first. */
export const Toasts = () => (
  <Suspense>
    <ToastList />
  </Suspense>
);

type Message = Parameters<Awaited<ReturnType<typeof load>>['manager']['add']>[0];

const show = (message: Message) => void load().then(({ manager }) => manager.add(message));

/** Says shortly that something was done. */
export const say = (title: string): void => show({ title });

/** Says why something was not done; for actions that have no place of their own for it. */
export function sayFailure(error: unknown): void {
  const { kind, title, detail } = toFailure(error);
  const isAway = kind === 'away';
  show({
    title: isAway ? texts.problem.away : title,
    description: isAway ? texts.problem.awayDetail : detail,
    priority: 'high',
    timeout: 10_000,
  });
}
