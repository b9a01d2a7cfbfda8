/** What happens before pages that require a login. */
import { redirect } from '@tanstack/react-router';
import { clean } from '../search/parse.ts';
import { loginOptions } from './login.ts';
import { findWorkspace, workspacesOptions } from './membership.ts';
import { isUnauthorized } from './problem.ts';
import { queryClient } from './queries.ts';
import { addressedWorkspace, history, returnPath } from './workspace.ts';

interface Entry {
  location: { href: string; publicHref: string };
}

/** Redirects visitors without a login to the login page and back. */
export async function requireLogin({ location }: Entry): Promise<void> {
  try {
    await queryClient.query({ ...loginOptions, staleTime: 'static' });
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    const next = location.href === '/' ? undefined : returnPath(location);
    redirect({ to: '/login', search: clean({ next }), throw: true });
  }
}

/**
 * Reads the user's workspaces, and the login at the same time. If the workspace has other members, the address gets its ID:
 * for them, an address without one means another workspace.
 */
export async function openWorkspace({ location, preload }: Entry & { preload: boolean }): Promise<void> {
  const reading = queryClient.query({ ...workspacesOptions, staleTime: 'static' });
  // Without a login, both fail.
  reading.catch(() => undefined);
  await requireLogin({ location });
  const [user, { data }] = [await queryClient.query({ ...loginOptions, staleTime: 'static' }), await reading];
  const workspace = findWorkspace(data, user);
  if (workspace && workspace.members > 1 && addressedWorkspace() === undefined && !preload)
    history.replace(`/console/w/${workspace.workspace_id}${location.href}`);
}
