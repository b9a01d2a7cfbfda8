/** Toasts: short messages. The list of toasts is loaded after the first page. */
import { Suspense } from 'react';
import { lazyPart, loadFile } from '../server/load-file.ts';
import { toFailure } from '../server/problem.ts';

const load = () => import('./toast-list.tsx');
const ToastList = lazyPart(load, 'ToastList');

export const Toasts = () => (
  <Suspense>
    <ToastList />
  </Suspense>
);

type Message = Parameters<Awaited<ReturnType<typeof load>>['manager']['add']>[0];

/** A message with the same title replaces the earlier one. */
async function show(title: string, message: Message = {}): Promise<void> {
  const { manager, isMounted } = await loadFile(load);
  await isMounted;
  manager.add({ id: title, title, ...message });
}

export const showToast = (title: string): void => void show(title);

/** Shows a toast with the reason why an action failed. */
export function showFailure(error: unknown): void {
  const { title, detail } = toFailure(error);
  void show(title, { description: detail, priority: 'high', timeout: 10_000 });
}
