import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useKeys } from '../palette/use-keys.ts';
import { lazyComponent } from '../server/load-file.ts';
import { useWorkspace, workspacesOptions } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import styles from './shell.module.css';

const WorkspaceList = lazyComponent(() => import('./workspace-list.tsx'), 'WorkspaceList');
const words = texts.workspaces;

/** Shows the workspace, and opens the list of workspaces, for users with more than one. */
export function Switcher() {
  const { data: workspaces } = useQuery(workspacesOptions);
  const current = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const isNeeded = workspaces !== undefined && workspaces.data.length > 1;
  useKeys((key) => {
    const isOurs = key === 'w' && isNeeded;
    if (isOurs) setOpen(true);
    return isOurs;
  });
  if (!isNeeded) return null;
  return (
    <>
      <button type="button" className={styles['switcher']} aria-keyshortcuts="w" onClick={() => setOpen(true)}>
        <span className="only-said">{words.switch}: </span>
        <span className={styles['who']}>
          <strong className="cut" dir="auto">
            {current?.name ?? texts.common.none}
          </strong>
          {current && <span>{words.roles[current.role]}</span>}
        </span>
        <ChevronsUpDown size={14} aria-hidden />
      </button>
      <Suspense>{isOpen && <WorkspaceList current={current} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
