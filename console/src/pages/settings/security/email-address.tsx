import { useMutation } from '@tanstack/react-query';
import { requestEmailLinkMutation } from 'conversation-analysis-client/react-query';
import type { User } from 'conversation-analysis-client';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Form, FormButtons, TextField } from '../../../components/field.tsx';
import { Panel } from '../../../components/page.tsx';
import { showToast, showFailure } from '../../../components/toasts.tsx';
import { texts } from '../../../texts/index.ts';
import styles from './security.module.css';

const words = texts.security;

interface EmailAddressProps {
  user: User;
  /** Whether the installation sends emails. */
  sendsEmails: boolean;
}

/** Verifies the address, or changes it, with a link in an email. */
export function EmailAddress({ user: { email, email_verified: isVerified }, sendsEmails }: EmailAddressProps) {
  const [isChanging, setChanging] = useState(false);
  const request = useMutation({
    ...requestEmailLinkMutation(),
    onSuccess: (_, { body }) => {
      setChanging(false);
      showToast(words.sent(body?.email ?? email));
    },
  });
  return (
    <Panel title={words.email}>
      <div className="row apart">
        <p className={styles['address']}>
          {email} <span className="note nowrap">({isVerified ? words.verified : words.unverified})</span>
        </p>
        {sendsEmails && (
          <div className="row">
            {!isVerified && (
              <Button
                disabled={request.isPending}
                onClick={() => request.mutate({ body: { email } }, { onError: showFailure })}
              >
                {texts.confirmEmail.confirm}
              </Button>
            )}
            <Button onClick={() => setChanging(true)}>{words.changeEmail}</Button>
          </div>
        )}
      </div>
      {!sendsEmails && <p className="note">{words.noMail}</p>}
      <Dialog isOpen={isChanging} onClose={() => setChanging(false)} title={words.changeEmail}>
        <Form
          error={request.error}
          onSubmit={({ email: changed = '' }) => request.mutate({ body: { email: changed } })}
        >
          <TextField name="email" label={words.newEmail} hint={words.newEmailHint} type="email" required autoFocus />
          <FormButtons submit={texts.reset.send} isDisabled={request.isPending} onCancel={() => setChanging(false)} />
        </Form>
      </Dialog>
    </Panel>
  );
}
