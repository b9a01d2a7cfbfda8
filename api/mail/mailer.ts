/** Sends emails in plain text through the SMTP server of the installation. docs/sign-in.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Config } from '../../runtime/settings/config.ts';
import { isLoopback } from '../../runtime/network/loopback.ts';
import { mailEnded } from '../../runtime/telemetry/events.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Returns whether the server accepted the email, after up to three tries within a minute. Requests do not wait for it. */
  send(mail: Mail): Promise<boolean>;
  /** Ends the pauses between tries, and waits for running ones. */
  stop(): Promise<void>;
}

export function createMailer({ url, from, timeoutMs, retryDelaysMs }: NonNullable<Config['mail']>, log: Log): Mailer {
  const isLocal = isLoopback(new URL(url).hostname);
  const transport = createTransport({
    url,
    // Without it, a password is sent in clear to a server that offers no STARTTLS.
    requireTLS: !isLocal,
    // The certificate of a server on loopback is rarely valid for a loopback name.
    ignoreTLS: isLocal,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const stopping = new AbortController();
  const running = new Set<Promise<boolean>>();

  async function deliver({ to, subject, text }: Mail): Promise<boolean> {
    for (const delayMs of [...retryDelaysMs, undefined]) {
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
        return true;
      } catch (error) {
        const { code, responseCode: response_code } = error as { code?: string; responseCode?: number };
        // The message of the error can contain addresses.
        log.warn({ code, response_code }, 'could not send an email');
        if (delayMs === undefined || (response_code ?? 0) >= 500) return false;
        await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return false;
      }
    }
    return false;
  }

  return {
    async send(mail) {
      const sending = deliver(mail);
      running.add(sending);
      const isSent = await sending;
      running.delete(sending);
      mailEnded.publish({ outcome: isSent ? 'sent' : 'failed' });
      return isSent;
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
