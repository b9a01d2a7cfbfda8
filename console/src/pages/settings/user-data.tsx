/** Exports all data of the user, and deletes the account. See docs/decisions.md, "Leaving". */
import { useState } from 'react';
import { Button, ButtonAnchor } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { PasswordDialog } from '../../components/password-dialog.tsx';
import { deleteAccount } from '../../server/login.ts';
import { apiBase } from '../../server/workspace.ts';
import { texts } from '../../texts/index.ts';
import styles from './settings.module.css';

const words = texts.account.data;

export function UserData() {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Panel title={words.title}>
      <div className={`row ${styles['head']}`}>
        <p>{words.exportDetail}</p>
        <ButtonAnchor href={`${apiBase()}/user/me/export`} download>
          {words.export}
        </ButtonAnchor>
      </div>
      <div className={`row ${styles['head']}`}>
        <p>{words.deleteDetail}</p>
        <Button data-danger="" onClick={() => setDeleting(true)}>
          {words.delete}
        </Button>
      </div>
      {isDeleting && (
        <PasswordDialog
          title={words.question}
          detail={
            <ul className={styles['list']}>
              {words.consequences.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          }
          action={words.delete}
          run={deleteAccount}
          onClose={() => setDeleting(false)}
        />
      )}
    </Panel>
  );
}
