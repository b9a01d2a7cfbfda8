/** Runs before pages that require a login: checks the login and opens the workspace. */
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
 * Loads the user's workspaces and login. If the workspace has other members, adds its ID to the URL, because for them a
 * URL without an ID opens a different workspace.
 */
export async function openWorkspace({ location, preload }: Entry & { preload: boolean }): Promise<void> {
  const reading = queryClient.query({ ...workspacesOptions, staleTime: 'static' });
  // Without a login both requests fail, and requireLogin handles the failure.
  reading.catch(() => undefined);
  await requireLogin({ location });
  const [user, { data }] = [await queryClient.query({ ...loginOptions, staleTime: 'static' }), await reading];
  const workspace = findWorkspace(data, user);
  if (workspace && workspace.members > 1 && addressedWorkspace() === undefined && !preload)
    history.replace(`/console/w/${workspace.workspace_id}${location.href}`);
}
