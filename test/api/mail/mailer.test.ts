import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createMailer } from '../../../api/mail/mailer.ts';
import { mailEnded } from '../../../runtime/telemetry/events.ts';
import { recordedLog } from '../../support/log.ts';
import { startSmtp } from '../../support/smtp.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const MAIL = { to: 'ada@example.com', subject: 'Reset', text: 'https://calls.example.com/#the-secret' };

describe('The mailer', () => {
  async function sendTo(url: string, { mail = MAIL, timeoutMs = 20_000 } = {}) {
    const { log, text, find } = recordedLog();
    const outcomes: string[] = [];
    const end = mailEnded.subscribe(({ outcome }) => outcomes.push(outcome));
    const settings = { url, from: 'Calls <calls@example.com>', timeoutMs, retryDelaysMs: [10, 10] };
    const mailer = createMailer(settings, log);
    const isSent = await mailer.send(mail);
    await mailer.stop();
    end();
    expect(text(), 'the log has neither link nor address').not.to.match(/the-secret|ada@example/);
    expect(outcomes).to.deep.equal([isSent ? 'sent' : 'failed']);
    return { isSent, tries: find('could not send').length };
  }

  /** A TCP server that does not speak SMTP. */
  async function startTcp(onConnection: (socket: Socket) => void) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onConnection(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    };
    return stopAfterTest(Promise.resolve({ port: (server.address() as AddressInfo).port, stop }));
  }

  it('delivers plain text', async () => {
    const smtp = await stopAfterTest(startSmtp());
    expect(await sendTo(smtp.env.SMTP_URL)).to.deep.equal({ isSent: true, tries: 0 });
    expect(smtp.mails.map(({ to }) => to)).to.deep.equal([['ada@example.com']]);
    expect(smtp.mails[0]?.source)
      .to.match(/From: Calls <calls@example.com>/)
      .and.match(/Content-Type: text\/plain/);
    expect(smtp.mails[0]?.source).to.contain('#the-secret');
  });

  it('tries three times if the server is down, silent, closes the connection, or reports a temporary failure', async () => {
    const gone = await startSmtp();
    await gone.stop();
    const silent = await startTcp(() => undefined);
    const closing = await startTcp((socket) => socket.end());
    const busy = await stopAfterTest(
      startSmtp({
        onMailFrom: (_from, _session, done) => done(Object.assign(new Error('later'), { responseCode: 451 })),
      }),
    );
    for (const { port } of [gone, silent, closing, busy]) {
      const timeoutMs = port === silent.port ? 50 : 20_000;
      expect(await sendTo(`smtp://127.0.0.1:${port}`, { timeoutMs })).to.deep.equal({ isSent: false, tries: 3 });
    }
  });

  it('does not retry permanent failures', async () => {
    const refusing = await stopAfterTest(
      startSmtp({
        onRcptTo: (_to, _session, done) => done(Object.assign(new Error('unknown'), { responseCode: 550 })),
      }),
    );
    expect(await sendTo(refusing.env.SMTP_URL)).to.deep.equal({ isSent: false, tries: 1 });
  });

  it('sends no password without TLS, except to loopback', async () => {
    const passwords: unknown[] = [];
    const smtp = await stopAfterTest(
      startSmtp({
        hideSTARTTLS: true,
        allowInsecureAuth: true,
        onAuth({ password }, _session, done) {
          passwords.push(password);
          done(null, { user: 'u' });
        },
      }),
    );
    // 0.0.0.0 reaches this machine, but is not a loopback address.
    expect((await sendTo(`smtp://u:secret@0.0.0.0:${smtp.port}`)).isSent).to.equal(false);
    expect(passwords).to.deep.equal([]);
    expect((await sendTo(`smtp://u:secret@127.0.0.1:${smtp.port}`)).isSent).to.equal(true);
    expect(passwords).to.deep.equal(['secret']);
  });

  it('does not let line breaks add headers or recipients', async () => {
    const smtp = await stopAfterTest(startSmtp());
    const subject = 'Reset\r\nBcc: eve@example.com\r\n\r\nbody';
    const to = 'ada@example.com\r\nRCPT TO:<eve@example.com>';
    for (const fields of [{ subject }, { to }]) await sendTo(smtp.env.SMTP_URL, { mail: { ...MAIL, ...fields } });
    expect(smtp.mails.flatMap((mail) => mail.to)).not.to.include('eve@example.com');
    expect(smtp.mails[0]?.source).not.to.match(/^Bcc:/m);
  });
});
