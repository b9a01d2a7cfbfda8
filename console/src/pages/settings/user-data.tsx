/** Exports all data of the user, and deletes the account. See docs/decisions.md, "Leaving". */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ButtonAnchor } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, PasswordField } from '../../components/field.tsx';
import { Panel } from '../../components/page.tsx';
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
        <Button look="danger" onClick={() => setDeleting(true)}>
          {words.delete}
        </Button>
      </div>
      {isDeleting && <DeleteAccount onClose={() => setDeleting(false)} />}
    </Panel>
  );
}

function DeleteAccount({ onClose }: { onClose: () => void }) {
  const remove = useMutation({ mutationFn: deleteAccount });
  return (
    <Dialog onClose={onClose} title={words.question}>
      <ul className={styles['list']}>
        {words.consequences.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Form error={remove.error} onSubmit={({ current_password = '' }) => remove.mutate({ current_password })}>
        <PasswordField name="current_password" label={texts.inputs.currentPassword} autoFocus />
        <FormButtons submit={words.delete} look="danger" isDisabled={remove.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
