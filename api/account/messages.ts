/** The texts of emails about an account. */
import type { Mail } from '../mailer.ts';

type Text = Omit<Mail, 'to'>;

const link = (publicUrl: string, page: string, token: string) => `${publicUrl}/console/${page}#${token}`;

export const linkTo = {
  reset: (publicUrl: string, token: string) => link(publicUrl, 'reset', token),
  email: (publicUrl: string, token: string) => link(publicUrl, 'email', token),
};

export const resetText = (url: string): Text => ({
  subject: 'Reset your password',
  text: `Somebody asked to reset the password of your account. To set a new password, open this link within an hour:

${url}

If it was not you, ignore this email. Your password stays the same.
`,
});

export const confirmText = (url: string): Text => ({
  subject: 'Confirm your email address',
  text: `To confirm that this is the email address of your account, log in and open this link within an hour:

${url}

If you have no account, ignore this email.
`,
});

/** @param change a sentence in the past tense. */
export const noticeText = (change: string): Text => ({
  subject: 'Your account has changed',
  text: `${change}

If it was not you, reset your password and contact the operator of this installation.
`,
});
