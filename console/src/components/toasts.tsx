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

/** Says shortly that something was done. */
export function say(title: string): void {
  void load().then(({ manager }) => manager.add({ title }));
}

/** Says why something was not done; for actions that have no place of their own for it. */
export function sayFailure(error: unknown): void {
  const { kind, title, detail } = toFailure(error);
  const isAway = kind === 'away';
  const message = {
    title: isAway ? texts.problem.away : title,
    description: isAway ? texts.problem.awayDetail : detail,
    priority: 'high' as const,
    timeout: 10_000,
  };
  void load().then(({ manager }) => manager.add(message));
}
