import { ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { useKeys } from '../components/use-keys.ts';
import { useWorkspace } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import { WorkspaceList } from './workspace-list.tsx';
import styles from './shell.module.css';

const words = texts.workspaces;

/** Shows the workspace, and opens the list of workspaces. */
export function WorkspaceButton() {
  const current = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  useKeys((key) => {
    if (key === 'w') setOpen(true);
    return key === 'w';
  });
  return (
    <>
      <button type="button" className={styles['switcher']} aria-keyshortcuts="w" onClick={() => setOpen(true)}>
        <span className="visually-hidden">{words.switch}: </span>
        <span className={styles['who']}>
          <strong className="cut" dir="auto" title={current?.name}>
            {current?.name ?? texts.labels.none}
          </strong>
          {current && <span>{words.roles[current.role]}</span>}
        </span>
        <ChevronsUpDown size={14} aria-hidden />
      </button>
      {isOpen && <WorkspaceList current={current} onClose={() => setOpen(false)} />}
    </>
  );
}
