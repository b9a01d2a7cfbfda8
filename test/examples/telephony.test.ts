import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SessionModel } from '../../db/models/session.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/api.ts';
import { toneWav } from '../support/audio.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { newFolder } from '../support/new-folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { runCommand } from '../support/run-command.ts';
import { useSharedService } from '../support/shared-service.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';

const ACCOUNT = 'AC0123456789abcdef0123456789abcdef';
const SECRET = 'a-secret-of-the-account';

describe('The recipes for telephone systems', () => {
  const service = useSharedService();
  let environment: Record<string, string>;
  let assistant_id: string;
  beforeEach(async () => {
    const { token } = await createUser();
    const body = { name: 'Calls', type: 'voice', llm_provider: 'openai', system_prompt: 'Summarize.' } as const;
    assistant_id = (await send(service.api, 'createAssistant', { token, body })).body.id;
    const key = { name: 'telephone', scopes: ['requests:write' as const] };
    const API_TOKEN = (await send(service.api, 'createKey', { token, body: key })).body.token;
    environment = {
      API_URL: service.api.url,
      API_TOKEN,
      ASSISTANT_ID: assistant_id,
    };
  });

  const sessions = async () => SessionModel.query().where({ assistant_id });

  it('Twilio: a signed callback makes one session, whose recording is downloaded with the credentials of the account', async () => {
    const media = await stopAfterTest(startReceiver((response) => response.end(toneWav({ channels: 1 }))));
    const port = await freePort();
    const PUBLIC_URL = `http://127.0.0.1:${port}/recordings`;
    const own = { PUBLIC_URL, TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: SECRET, PORT: String(port) };
    const program = spawn('python3', ['examples/twilio_receiver.py'], {
      env: { ...process.env, ...environment, ...own },
    });
    try {
      await once(createInterface(program.stdout), 'line');
      const form = {
        AccountSid: ACCOUNT,
        CallSid: 'CA5b1e3c2f9d8a7b6c5d4e3f2a1b0c9d8e',
        RecordingSid: 'RE557ce644e5ab84fa21cc21112e22c485',
        RecordingUrl: `${media.url}/2010-04-01/Accounts/${ACCOUNT}/Recordings/RE557ce644e5ab84fa21cc21112e22c485`,
        RecordingStatus: 'completed',
        RecordingDuration: '12',
        RecordingChannels: '2',
        RecordingStartTime: 'Thu, 26 Nov 2026 10:00:00 +0000',
        RecordingSource: 'DialVerb',
        RecordingTrack: 'both',
        ErrorCode: '0',
      };
      const call = async (fields: Record<string, string>, secret = SECRET) => {
        const signed =
          PUBLIC_URL +
          Object.entries(fields)
            .toSorted()
            .map((pair) => pair.join(''))
            .join('');
        const signature = createHmac('sha1', secret).update(signed).digest('base64');
        const headers = { 'X-Twilio-Signature': signature };
        return (await fetch(PUBLIC_URL, { method: 'POST', headers, body: new URLSearchParams(fields) })).status;
      };
      expect(await call(form, 'another')).to.equal(403);
      expect(await call({ ...form, RecordingStatus: 'absent' })).to.equal(204);
      expect(await sessions()).to.deep.equal([]);
      expect([await call(form), await call(form)]).to.deep.equal([204, 204]);
      await media.until(1);
      const [{ path, headers }] = media.requests as [(typeof media.requests)[0]];
      expect(path).to.equal(`${new URL(form.RecordingUrl).pathname}.wav?RequestedChannels=2`);
      expect(headers.authorization).to.equal(`Basic ${btoa(`${ACCOUNT}:${SECRET}`)}`);
      const [session] = await eventually(sessions, (rows) => rows[0]?.status === 'completed');
      expect(session?.metadata).to.deep.equal({ call_sid: form.CallSid, recording_sid: form.RecordingSid });
      expect(await sessions()).to.have.length(1);
    } finally {
      program.kill();
    }
  });

  it('Asterisk and FreeSWITCH: the command at the end of a call submits its file, once if it is repeated', async () => {
    const file = join(newFolder(), '1795253402.17.wav');
    writeFileSync(file, toneWav({ channels: 1 }));
    const args = [file, '1795253402.17'];
    for (const time of ['first', 'again']) {
      const { code, output, errors } = await runCommand('examples/submit-call.sh', args, environment);
      expect([code, errors], time).to.deep.equal([0, '']);
      expect(JSON.parse(output)).to.deep.include({ metadata: { call_id: '1795253402.17' } });
    }
    await eventually(sessions, (rows) => rows[0]?.status === 'completed');
    expect(await sessions()).to.have.length(1);
    const { code, output } = await runCommand('examples/submit-call.sh', args, { ...environment, API_TOKEN: 'wrong' });
    expect([code, output]).to.satisfy(
      ([status, text]: [number, string]) => status !== 0 && text.includes('unauthorized'),
    );
  });
});
