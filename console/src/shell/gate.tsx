import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEventStream } from '../live/events.ts';
import { lazyComponent } from '../server/load-file.ts';
import { useMay, useWorkspace } from '../server/membership.ts';

const NotMember = lazyComponent(() => import('./no-access.tsx'), 'NotMember');
const Forbidden = lazyComponent(() => import('./no-access.tsx'), 'Forbidden');

/** Shows the page if the user is a member of the workspace and the role has the page's scope. */
export function Gate({ children }: { children: ReactNode }) {
  const workspace = useWorkspace();
  const scope = useMatches({ select: (matches) => matches.at(-1)?.staticData.scope }) ?? 'members:read';
  const isAllowed = useMay()(scope);
  useEventStream(isAllowed && workspace !== undefined);
  if (isAllowed) return children;
  return workspace ? <Forbidden scope={scope} /> : <NotMember />;
}
