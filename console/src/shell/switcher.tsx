import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '../server/load-file.ts';
import { workspacesOptions } from '../server/membership.ts';
import styles from './shell.module.css';

const WorkspaceButton = lazyPart(() => import('./workspace-button.tsx'), 'WorkspaceButton');

/** Shows the current workspace to users who have several. */
export function Switcher() {
  const { data: workspaces } = useQuery(workspacesOptions);
  if (workspaces === undefined || workspaces.data.length < 2) return null;
  return (
    <Suspense fallback={<div className={styles['switcher']} />}>
      <WorkspaceButton />
    </Suspense>
  );
}
