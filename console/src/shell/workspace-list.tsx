import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workspace } from 'conversation-analysis-client';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { workspacesOptions } from '../server/membership.ts';
import { homeOf } from '../server/workspace.ts';
import { texts } from '../texts/index.ts';
import { NewWorkspace } from './new-workspace.tsx';
import styles from './shell.module.css';

const words = texts.workspaces;

/** Number of workspaces from which a filter is shown. */
const FILTERED_FROM = 6;

/** The user's workspaces. Links are page loads, which discard the data of the previous workspace. */
export function WorkspaceList({ current, onClose }: { current: Workspace | undefined; onClose: () => void }) {
  const { data: workspaces } = useQuery(workspacesOptions);
  const [text, setText] = useState('');
  const [isCreating, setCreating] = useState(false);
  if (isCreating) return <NewWorkspace onClose={onClose} />;
  const all = workspaces?.data ?? [];
  const matches = all.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <Dialog onClose={onClose} title={words.switch}>
      {all.length >= FILTERED_FROM && (
        <SearchBox
          label={words.filter}
          placeholder={words.filter}
          value={text}
          autoFocus
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <ul className={styles['workspaces']}>
        {matches.map(({ workspace_id, name, role }) => (
          <li key={workspace_id}>
            <a
              href={homeOf(workspace_id)}
              className={styles['link']}
              aria-current={workspace_id === current?.workspace_id ? 'page' : undefined}
            >
              <span className="cut" dir="auto" title={name}>
                {name}
              </span>
              <span className="note">{words.roles[role]}</span>
            </a>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button onClick={() => setCreating(true)}>{words.create}</Button>
      </div>
    </Dialog>
  );
}
