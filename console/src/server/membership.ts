/** The user's workspaces, and the permissions in the workspace of the page. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { listWorkspacesOptions } from 'conversation-analysis-client/react-query';
import type { User, Workspace } from 'conversation-analysis-client';
import { hasRoleScope, PERSONAL_SCOPES, type Scope } from '../../../contract/values/scopes.ts';
import { loginOptions } from './login.ts';
import { addressedWorkspace, PERSONAL_API } from './workspace.ts';

const MAX_WORKSPACES = 200;

export const workspacesOptions = queryOptions({
  ...listWorkspacesOptions({ baseUrl: PERSONAL_API, query: { limit: MAX_WORKSPACES } }),
  // Many components read the role. After a failure, the page has one button that tries again.
});

export const findWorkspace = (workspaces: readonly Workspace[], user: User) =>
  workspaces.find(({ workspace_id }) => workspace_id === (addressedWorkspace() ?? user.default_workspace_id));

/** Returns the workspace of the page; undefined if the user is not a member. */
export function useWorkspace(): Workspace | undefined {
  const { data: user } = useQuery(loginOptions);
  const { data: workspaces } = useQuery(workspacesOptions);
  return user && workspaces && findWorkspace(workspaces.data, user);
}

/** Returns a function that returns whether the user's role in the workspace has a scope. */
export function useMay(): (scope: Scope) => boolean {
  const role = useWorkspace()?.role;
  const { errorUpdateCount } = useQuery(workspacesOptions);
  // Every role can read the members. The navigation stays when the role can't be loaded.
  const isShown = (scope: Scope) =>
    role ? hasRoleScope(role, scope) : errorUpdateCount > 0 && scope === 'members:read';
  return (scope) => PERSONAL_SCOPES.includes(scope) || isShown(scope);
}
