/** What happens when a page that requires a login opens. */
import { redirect } from '@tanstack/react-router';
import type { User, Workspace } from 'conversation-analysis-client';
import { readPreferences } from '../format/preferences.ts';
import { clean } from '../search/parse.ts';
import { loginOptions } from './login.ts';
import { findWorkspace } from './membership.ts';
import { isUnauthorized } from './problem.ts';
import { queryClient } from './queries.ts';
import { addressedWorkspace, history, returnPath } from './workspace.ts';

/** Returns the login page, which leads back to the page. */
export const loginFor = (location: { href: string; publicHref: string }) => ({
  to: '/login' as const,
  search: clean({ next: location.href === '/' ? undefined : returnPath(location) }),
});

/** Redirects visitors without a login to the login page and back. */
export async function requireLogin({ location }: { location: Parameters<typeof loginFor>[0] }): Promise<void> {
  try {
    await queryClient.query({ ...loginOptions, staleTime: 'static' });
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    redirect({ ...loginFor(location), throw: true });
  }
}

/** The workspace that this browser opened last, when the page was loaded. */
const { workspace: last } = readPreferences();
const isStart = /^\/console\/?$/;

/**
 * Returns the workspace whose ID is missing in the URL: the last one on the start page, or one with other members, because
 * for them a URL without an ID opens a different workspace.
 */
export function findUnaddressed(workspaces: readonly Workspace[], user: User): Workspace | undefined {
  if (addressedWorkspace() !== undefined) return undefined;
  const isLast = ({ workspace_id }: Workspace) => workspace_id === last && isStart.test(history.location.pathname);
  const opened = workspaces.find(isLast) ?? findWorkspace(workspaces, user);
  return opened && (opened.members > 1 || opened.workspace_id !== user.default_workspace_id) ? opened : undefined;
}
