/** Loads files of the console when they are first needed. */
import { CatchBoundary, lazyRouteComponent } from '@tanstack/react-router';
import { createElement, lazy, type ComponentType, type ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import { ping, untilReachable, watch } from './connection.ts';

/**
 * Returns a page that loads its texts and its file when it is first shown. If a file no longer exists, for example after a
 * deployment, the router reloads the console once.
 */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => loadFile(load), name);
}

/**
 * Returns a part of a page that loads its file, and texts that the page does not have, when it is first shown. If the file can't be loaded, the rest of the page stays,
 * with what somebody typed.
 */
export function lazyPart<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  type Props = Module[Name] extends (props: infer Given) => ReactNode ? Given & object : never;
  const Part = lazy(async () => ({ default: (await loadFile(load))[name] as ComponentType<Props> }));
  return (props: Props) => {
    const part = createElement(Part as unknown as ComponentType<Props>, props);
    return createElement(CatchBoundary, { getResetKey: () => String(name), errorComponent: NotLoaded, children: part });
  };
}

const NotLoaded = () =>
  createElement('p', { role: 'alert', className: 'note' }, `${texts.shell.broke}. ${texts.shell.brokeDetail}`);

const loading = new Set<Promise<unknown>>();
/** Ends after a reload began, or after the user canceled it. */
let reloading: Promise<void> | undefined;
const RELOAD_MS = 2_000;

/**
 * Reloads the page once all files are loaded. WebKit never stops running a file that arrives while its page ends, because
 * the files import one with a top-level `await`.
 */
export async function reloadPage(): Promise<void> {
  while (loading.size > 0) await Promise.allSettled(loading);
  reloading = new Promise((resolve) => void setTimeout(resolve, RELOAD_MS));
  location.reload();
}

/**
 * Loads texts, then a file, whose constants may contain them. Waits while the server is unreachable. Rejects if the server responds and a file can't be loaded.
 */
export async function loadFile<Module>(load: () => Promise<Module>): Promise<Module> {
  await reloading;
  const file = load();
  const forget = () => loading.delete(file);
  loading.add(file);
  void file.then(forget, forget);
  try {
    return await watch(file);
  } catch (error) {
    if (await ping()) {
      // The router reloads if the message starts like this. Vite's message for a missing style sheet is different.
      throw new TypeError(`Failed to fetch dynamically imported module: ${String(error)}`, { cause: error });
    }
    await untilReachable();
    return loadFile(load);
  }
}
