import type { UserModel } from '../../db/models/user.ts';
import type { Config } from '../../runtime/settings/config.ts';
import { refusal } from '../errors.ts';
import type { Mailer } from './mailer.ts';
import { noticeText } from './messages.ts';

interface SendDeps {
  config: Pick<Config, 'publicUrl'>;
  mailer: Mailer | undefined;
}

/** Throws `mail_unavailable` without `SMTP_URL`. */
export function requireMailer({ mailer, config }: SendDeps): { mailer: Mailer; publicUrl: string } {
  if (mailer && config.publicUrl !== undefined) return { mailer, publicUrl: config.publicUrl };
  throw refusal('mail_unavailable');
}

/** Mails a notice of a change. Only to a proven address, so that nobody can have strangers mailed. */
export function notify({ mailer }: Pick<SendDeps, 'mailer'>, user: UserModel, change: string): void {
  if (user.email_verified_at !== null) void mailer?.send({ to: user.email, ...noticeText(change) });
}
