/** Requests in the forms that clients, languages and proxies produce. */
import { Busboy } from '@fastify/busboy';
import type { Session } from '../../../contract/sessions/sessions.ts';
import { moment } from '../../../contract/values/schemas.ts';
import { watchPartNames } from '../../../api/http/part-name.ts';
import { sanitizeFileName } from '../../../runtime/audio/file-name.ts';
import { send, sendRaw } from '../../support/api.ts';
import { BOUNDARY, FORM_TYPE } from '../../support/multipart.ts';
import { createAssistant as storeAssistant, createSession, createUser, says } from '../../support/factories.ts';
import { useSharedService } from '../../support/shared-service.ts';

describe('Other clients', () => {
  const service = useSharedService();
  let user: Awaited<ReturnType<typeof createUser>>;
  before(async () => {
    user = await createUser();
  });

  describe('send times', () => {
    const UTC = '2026-11-21T03:00:00.000Z';
    const FORMS: Record<string, string> = {
      'RFC 3339': '2026-11-21T08:00:00+05:00',
      'with an unencoded plus': '2026-11-21T08:00:00 05:00',
      'in lower case': '2026-11-21t03:00:00z',
      'with a blank': '2026-11-21 08:00:00+05:00',
      'with nanoseconds': '2026-11-21T03:00:00.000000000Z',
      "with .NET's ticks": '2026-11-21T08:00:00.0000000+05:00',
      "as Java's ZonedDateTime": '2026-11-21T08:00:00+05:00[Asia/Tashkent]',
      "as Go's String()": '2026-11-21 08:00:00 +0500 UZT',
      "as Ruby's to_s": '2026-11-21 08:00:00 +0500',
      "as Ruby's to_s in UTC": '2026-11-21 03:00:00 UTC',
      'without a colon in the offset': '2026-11-21T08:00:00+0500',
      'with hours as offset': '2026-11-21T08:00+05',
      'with a decimal comma': '2026-11-21T08:00:00,000+05:00',
      'with a far offset': '2026-11-22T02:59:00+23:59',
      'with an unknown offset': '2026-11-21T03:00:00-00:00',
    };
    for (const [form, value] of Object.entries(FORMS)) {
      it(`${form}: ${value}`, () => expect(moment().parse(value)).to.equal(UTC));
    }

    it('and are told the form of any other', async () => {
      const { token } = user;
      for (const value of [
        '2026-11-21',
        '2026-11-21T08:00:00',
        '2026-02-30T00:00:00Z',
        '21.11.2026',
        '1763690400',
        '',
      ]) {
        const { status, problem } = await sendRaw(
          service.api,
          'GET',
          `/v1/sessions?created_after=${encodeURIComponent(value)}`,
          { token },
        );
        expect([status, problem.errors?.[0]?.path], value).to.deep.equal([422, 'created_after']);
        expect(problem.errors?.[0]?.message, value).to.contain('2026-11-21T05:00:00+05:00');
      }
      const { status } = await sendRaw(service.api, 'GET', '/v1/sessions?created_after=2026-11-21T08:00:00+05:00', {
        token,
      });
      expect(status).to.equal(200);
    });
  });

  it('send null for what they do not set', async () => {
    const { token } = user;
    const assistant = await send(service.api, 'createAssistant', {
      token,
      body: {
        name: 'Review',
        type: 'text',
        llm_provider: 'openai',
        system_prompt: 'Summarize.',
        fields: [
          { name: 'score', type: 'number', description: 'How good?', minimum: null, maximum: null, options: null },
        ],
        alerts: null,
        webhook_url: null,
      },
    });
    expect(assistant.status).to.equal(201);
    const conversation = [{ role: 'client', text: 'Hello?', start_s: null, end_s: null }] as never;
    const submitted = await send(service.api, 'submitTextRequest', {
      token,
      body: { assistant_id: assistant.body.id, conversation, metadata: null as never },
    });
    expect(submitted.status).to.equal(200);
    const batch = await send(service.api, 'createBatch', {
      token,
      body: {
        action: 'retry',
        filter: { assistant_id: assistant.body.id, status: null, q: null },
        notify: null,
        dry_run: true,
      },
    });
    expect(batch.status).to.equal(200);
    const missing = await send(service.api, 'createAssistant', { token, body: { name: null, fields: [null] } });
    expect(missing.paths).to.include.members(['name', 'type', 'fields.0']);
  });

  it('send no body where every member is optional', async () => {
    const session = await createSession(await storeAssistant(user.workspaceId), {
      status: 'completed',
      conversation: says('Hello?'),
      completed_at: new Date(),
    });
    for (const headers of [
      {},
      { 'Content-Type': 'application/json' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    ] as Record<string, string>[]) {
      const answer = await sendRaw(service.api, 'POST', `/v1/sessions/${session.id}/reanalyze`, {
        token: user.token,
        headers,
      });
      expect(answer.status, JSON.stringify(headers)).to.equal(200);
      expect((answer.body as Session).session_id).not.to.equal(session.id);
    }
  });

  it('get entity tags that a proxy has changed', async () => {
    const { token } = user;
    const { id } = await storeAssistant(user.workspaceId);
    const params = { id };
    for (const change of [
      (tag: string) => tag,
      (tag: string) => `W/${tag}`,
      (tag: string) => tag.replace(/"$/, '-gzip"'),
      (tag: string) => `W/${tag.replace(/"$/, '--gzip"')}`,
      (tag: string) => `${tag}-gzip`,
      (tag: string) => `"other", W/${tag}`,
    ]) {
      const { headers } = await send(service.api, 'getAssistant', { token, params });
      const tag = change(headers.get('etag') ?? '');
      const patch = (ifMatch: string) =>
        send(service.api, 'updateAssistant', {
          token,
          params,
          body: { description: tag },
          headers: { 'If-Match': ifMatch },
        });
      expect((await patch(tag)).status, tag).to.equal(200);
      expect((await patch(tag)).status, `${tag} of a former version`).to.equal(412);
    }
  });

  /** File names as clients send them, one character per byte, and as they are stored. */
  const utf8 = (text: string) => Buffer.from(text).toString('latin1');
  const EXTENDED = "filename*=utf-8''%D0%B7%D0%B2%D0%BE%D0%BD%D0%BE%D0%BA.wav";
  const NAMES: Record<string, string> = {
    'filename="=?utf-8?B?0LfQstC+0L3QvtC6Lndhdg==?="': 'звонок.wav',
    'filename="=?UTF-8?Q?=D0=B7=D0=B2_1.wav?="': 'зв 1.wav',
    'filename="=?windows-1251?B?5+Lu7e7qLndhdg==?="': 'звонок.wav',
    'filename="=?utf-8?B?0LfQsg==?= =?utf-8?B?0L7Quy53YXY=?="': 'звол.wav',
    'filename="=?unknown?B?0LfQsg==?=.wav"': '=unknownB0LfQsg===.wav',
    [`filename="${utf8('звонок 1.wav')}"`]: 'звонок 1.wav',
    [`filename=${utf8('звонок.wav')}`]: 'звонок.wav',
    'filename=my call.wav': 'my call.wav',
    [EXTENDED]: 'звонок.wav',
    [`filename="x.wav"; ${EXTENDED}`]: 'звонок.wav',
    [`${EXTENDED}; filename="x.wav"`]: 'звонок.wav',
    [`filename="=?utf-8?B?0LfQstC+0L3QvtC6Lndhdg==?="; ${EXTENDED}`]: 'звонок.wav',
    [`FILENAME*="UTF-8'ru'%D0%B7%D0%B2.wav"`]: 'зв.wav',
    [`filename*=UTF-8''${utf8('зв.wav')}`]: 'зв.wav',
    "filename*=windows-1251''%E7%E2.wav": 'зв.wav',
    "filename*=cp1251''%E7%E2.wav": 'зв.wav',
    'filename="x.wav"; filename*=utf-8\'\'%zz.wav': 'x.wav',
    'filename="x.wav"; filename*=utf-8\'\'%E7.wav': 'x.wav',
    'filename="x.wav"; filename*=unknown\'\'%E7.wav': 'x.wav',
    "filename*=utf-8''100%25.wav": '100%.wav',
    'filename="\xe7\xe2\xee\xed\xee\xea \xb9 1.wav"': 'звонок № 1.wav',
    'filename="caf\xe9 na\xefve.wav"': 'café naïve.wav',
    'filename="C:\\calls\\a.wav"': 'a.wav',
    'filename="a\\"b; c=d.wav"': 'ab; c=d.wav',
  };
  for (const [sent, name] of Object.entries(NAMES)) {
    it(`send file names as ${sent}`, async () => {
      const parser = new Busboy({ headers: { 'content-type': FORM_TYPE } });
      const nameOf = watchPartNames(parser);
      const form = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="audio_file"; ${sent}\r\n\r\n\r\n--${BOUNDARY}--\r\n`;
      const read = new Promise<string>((resolve) =>
        parser.on('file', (_name, file) => {
          file.resume();
          resolve(nameOf());
        }),
      );
      parser.end(Buffer.from(form, 'latin1'));
      expect(sanitizeFileName(await read, 'audio/wav')).to.equal(name);
    });
  }
});
