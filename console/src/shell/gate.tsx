import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEventStream } from '../live/events.ts';
import { lazyComponent } from '../server/load-file.ts';
import { useMay, useWorkspace } from '../server/membership.ts';

const Outside = lazyComponent(() => import('./closed.tsx'), 'Outside');
const Forbidden = lazyComponent(() => import('./closed.tsx'), 'Forbidden');

/** Shows the page to roles with its scope. The page of a removed member ends. */
export function Gate({ children }: { children: ReactNode }) {
  const workspace = useWorkspace();
  const may = useMay();
  const scope = useMatches({ select: (matches) => matches.at(-1)?.staticData.scope }) ?? 'members:read';
  if (!may(scope)) return workspace ? <Forbidden scope={scope} /> : <Outside />;
  return (
    <>
      {workspace && <EventStream />}
      {children}
    </>
  );
}

function EventStream() {
  useEventStream();
  return null;
}
