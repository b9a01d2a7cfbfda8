import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { loginOptions } from '../server/login.ts';
import { texts } from '../texts/index.ts';
import { Dialog } from './dialog.tsx';
import { Form, FormButtons, PasswordField } from './field.tsx';

interface PasswordDialogProps {
  title: string;
  detail: ReactNode;
  /** The label of the button, a verb. */
  action: string;
  run: (body: { current_password?: string }) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the password of a user who has one, before an action that can't be undone. */
export function PasswordDialog({ title, detail, action, run, onClose }: PasswordDialogProps) {
  const { data: user } = useQuery(loginOptions);
  const act = useMutation({ mutationFn: run });
  return (
    <Dialog onClose={onClose} title={title}>
      <Form error={act.error} onSubmit={(values) => act.mutate(values)}>
        {detail}
        {user?.has_password && <PasswordField name="current_password" label={texts.inputs.currentPassword} autoFocus />}
        <FormButtons submit={action} look="danger" isDisabled={act.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
