import { useQuery } from '@tanstack/react-query';
import { useMatches, useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { both, Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { savePreferences } from '../format/preferences.ts';
import { useEventStream } from '../live/events.ts';
import { findUnaddressed, loginFor } from '../server/entry.ts';
import { lazyPart } from '../server/load-file.ts';
import { loginOptions } from '../server/login.ts';
import { useMay, useWorkspace, workspacesOptions } from '../server/membership.ts';
import { isUnauthorized } from '../server/problem.ts';
import { addressedWorkspace, history } from '../server/workspace.ts';

const NotMember = lazyPart(() => import('./no-access.tsx'), 'NotMember');
const Forbidden = lazyPart(() => import('./no-access.tsx'), 'Forbidden');

/** Shows the page if the user is a member of the workspace and the role has the page's scope. */
export function Gate({ children }: { children: ReactNode }) {
  const workspace = useWorkspace();
  const scope = useMatches({ select: (matches) => matches.at(-1)?.staticData.scope }) ?? 'members:read';
  const isAllowed = useMay()(scope);
  const access = both(useQuery(loginOptions), useQuery(workspacesOptions));
  const isOpen = useAddress(access);
  useEventStream(isAllowed && isOpen && workspace !== undefined);
  if (!isOpen) {
    return (
      <Page>
        <Loaded query={{ ...access, data: undefined }} lines={6}>
          {() => null}
        </Loaded>
      </Page>
    );
  }
  if (isAllowed) return children;
  return workspace ? <Forbidden scope={scope} /> : <NotMember />;
}

type Access = ReturnType<
  typeof both<Parameters<typeof findUnaddressed>[1], { data: Parameters<typeof findUnaddressed>[0][number][] }>
>;

/** Returns whether the page can be shown. Opens the login page, or adds the workspace to the URL. */
function useAddress({ data, error }: Access): boolean {
  const router = useRouter();
  // The router does not see the part of the URL that names the workspace.
  useSyncExternalStore(history.subscribe, addressedWorkspace);
  const current = useWorkspace()?.workspace_id;
  const missing = data && findUnaddressed(data[1].data, data[0])?.workspace_id;
  const needsLogin = data === undefined && isUnauthorized(error);
  useEffect(() => {
    const { latestLocation } = router;
    if (needsLogin && latestLocation.pathname !== '/login')
      void router.navigate({ ...loginFor(latestLocation), replace: true });
    if (missing !== undefined) history.replace(`/console/w/${missing}${latestLocation.href}`);
    else if (current !== undefined) savePreferences({ workspace: current, isLoggedIn: true });
  }, [router, needsLogin, missing, current]);
  return data !== undefined && missing === undefined;
}
