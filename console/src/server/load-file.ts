/** Loads the console's own files, which are fetched when they are first needed. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { ping, untilReachable, watch } from './connection.ts';

/**
 * Returns a component whose file is loaded when it is first shown. If the file no longer exists, as after a deploy, the
 * router reloads the console once.
 */
export const lazyComponent: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadFile(load), name);

/** Loads a file. Waits while the server is unreachable. Rejects if the server responds and the file can't be loaded. */
export async function loadFile<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await watch(load());
  } catch (error) {
    if (await ping()) {
      // The router reloads for a message with this beginning. For a missing style sheet, Vite's message is another.
      throw new TypeError(`Failed to fetch dynamically imported module: ${String(error)}`, { cause: error });
    }
    await untilReachable();
    return loadFile(load);
  }
}
