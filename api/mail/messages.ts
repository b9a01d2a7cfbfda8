/** The texts of emails about an account. */
import type { Mail } from './mailer.ts';

type Text = Omit<Mail, 'to'>;

/** Returns a link to a page of the console. */
export const linkTo = (page: 'reset' | 'email' | 'invitation' | 'shared', publicUrl: string, token: string) =>
  `${publicUrl}/console/${page}#${token}`;

export const resetText = (url: string): Text => ({
  subject: 'Reset your password',
  text: `Somebody requested a new password for your account. To set it, open this link within an hour:

${url}

If you did not request this, ignore this email. Your password does not change.
`,
});

export const confirmText = (url: string): Text => ({
  subject: 'Verify your email address',
  text: `To confirm this email address, log in to your account and open this link within an hour:

${url}

If you have no account, ignore this email.
`,
});

/** Names nothing that the inviter can choose freely, so that nobody can send texts of their own to strangers. */
export const invitationText = (inviter: string, url: string): Text => ({
  subject: 'Invitation to a workspace',
  text: `${inviter} invites you to a workspace. To accept, open this link within 7 days:

${url}

If you do not know the sender, ignore this email.
`,
});

/** @param change a sentence in the past tense. */
export const noticeText = (change: string): Text => ({
  subject: 'Security notice',
  text: `${change}

If you did not expect this, reset your password and contact the operator of this installation.
`,
});
