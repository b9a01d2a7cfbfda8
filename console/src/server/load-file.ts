/** Loads files of the console when they are first needed. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { ping, untilReachable, watch } from './connection.ts';

/**
 * Returns a component that loads its file when it is first shown. If the file no longer exists, for example after a
 * deployment, the router reloads the console once.
 */
export const lazyComponent: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadFile(load), name);

/** Loads a file. Waits while the server is unreachable. Rejects if the server responds and the file can't be loaded. */
export async function loadFile<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await watch(load());
  } catch (error) {
    if (await ping()) {
      // The router reloads if the message starts like this. Vite's message for a missing style sheet is different.
      throw new TypeError(`Failed to fetch dynamically imported module: ${String(error)}`, { cause: error });
    }
    await untilReachable();
    return loadFile(load);
  }
}
