/** A real mail server on loopback that stores what it receives. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { eventually } from './eventually.ts';

export interface ReceivedMail {
  to: string[];
  /** Headers and body. */
  source: string;
}

export async function startSmtp(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onData(stream, { envelope: { rcptTo } }, done) {
      void text(stream).then((source) => {
        // Quoted-printable wraps long lines.
        mails.push({ to: rcptTo.map(({ address }) => address), source: source.replaceAll(/=\r\n/g, '') });
        done();
      }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    port,
    mails,
    /** Settings for an API that uses this server. */
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Calls <calls@example.com>',
      PUBLIC_URL: 'https://calls.example.com',
    },
    /** Returns the `count`th email to the address. */
    async mailTo(address: string, count = 1): Promise<string> {
      const find = () => mails.filter(({ to }) => to.includes(address))[count - 1]?.source;
      return (await eventually(find, (mail) => mail !== undefined)) as string;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Returns the token in the link of an email. */
export function tokenIn(source: string): string {
  const token = /#([\w-]{43})/.exec(source)?.[1];
  if (token === undefined) throw new Error(`the email has no link: ${source}`);
  return token;
}
