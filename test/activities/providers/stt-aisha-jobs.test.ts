import type { SttAnswer, SttRequest } from '../../../activities/providers/stt/provider.ts';
import type { ProviderJob } from '../../../activities/providers/policy/record-call.ts';
import { errorOf } from '../../support/error-of.ts';
import { answerJson, providerFailure, useFakeServer, type ProviderBehavior } from './fake-provider.ts';
import { AUDIO, memoryJob, readForm, sttProvider, sttRequest } from './stt-call.ts';
import { AISHA_RESULT, AISHA_TURNS, TEXT } from './stt-providers.ts';

const V1 = 'POST /api/v1/stt/post/';
const V2 = 'POST /api/v2/stt/post/';
const poll = (id: number | string) => `GET /api/v2/stt/get/${id}/`;

const submitted = answerJson(202, { id: 31, task_id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', status: 'PENDING' });
const pending = answerJson(200, { id: 31, status: 'PENDING', transcript: null });
const success = answerJson(200, { id: 31, status: 'SUCCESS', ...AISHA_RESULT });

describe('A long recording at aisha', () => {
  const server = useFakeServer();

  const ask = (job: ProviderJob, fields: Partial<SttRequest> = {}, timeoutMs = 20_000): Promise<SttAnswer> =>
    sttProvider('aisha', { baseUrl: server.url, timeoutMs }).transcribe(sttRequest({ durationS: 300, ...fields }), job);

  const asked = () => server.requests.map(({ method, path }) => `${method} ${path}`);

  /** Sets the responses to the polls. The last one is repeated. */
  const behaveWhenAsked = (...behaviors: ProviderBehavior[]) => server.behave(submitted, ...behaviors);

  it('is submitted once with its file, and polled until it is done', async () => {
    behaveWhenAsked(pending, answerJson(200, { id: 31, status: 'STARTED' }), pending, success);
    const job = memoryJob();
    const { transcript, turns, usage } = await ask(job, { language: 'uz' });
    expect(asked()).to.deep.equal([V2, poll(31), poll(31), poll(31), poll(31)]);
    expect(job.saved).to.deep.equal(['31']);
    expect(transcript).to.deep.equal({ text: TEXT, language: null, duration_s: AISHA_RESULT.duration });
    expect(turns).to.deep.equal(AISHA_TURNS);
    expect(usage).to.deep.equal({ audio_seconds: AISHA_RESULT.duration });
    const { fields, files } = await readForm(server.requests[0]!);
    expect(fields).to.have.deep.members([
      ['language', 'uz'],
      ['has_diarization', 'true'],
    ]);
    expect(files[0]!.field).to.equal('audio');
    expect(files[0]!.bytes.equals(AUDIO)).to.equal(true);
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).to.deep.equal(Array(5).fill('test-key'));
  });

  it('that was submitted before a crash, of any length, is only polled', async () => {
    behaveWhenAsked(() => undefined);
    const job = memoryJob();
    await providerFailure(ask(job, {}, 600), 'aisha');
    expect(asked()).to.deep.equal([V2, poll(31)]);
    for (const durationS of [300, 5]) {
      server.behave(success);
      expect((await ask(memoryJob(job.saved[0]), { durationS })).transcript.text).to.equal(TEXT);
      expect(asked()).to.deep.equal([poll(31)]);
    }
  });

  it('has its job ID stored before the first poll, and fails if that is not possible', async () => {
    behaveWhenAsked(success);
    const requestsAtSave: number[] = [];
    await ask({ id: null, save: async () => void requestsAtSave.push(server.requests.length) });
    expect(requestsAtSave).to.deep.equal([1]);
    behaveWhenAsked(success);
    const fault = new Error('no database');
    expect(await errorOf(ask({ id: null, save: () => Promise.reject(fault) }))).to.equal(fault);
    expect(asked()).to.deep.equal([V2]);
  });

  describe('poll', () => {
    const HICCUPS: [string, ProviderBehavior][] = [
      ...[400, 401, 403, 404, 408, 422, 429, 500, 502, 503, 529].map((status): [string, ProviderBehavior] => [
        `HTTP ${status}`,
        answerJson(status, { detail: 'secret words' }),
      ]),
      ['a page of HTML', answerJson(200, '<html>')],
      ['an empty body', answerJson(200, '')],
      ['an unknown status', answerJson(200, { id: 31, status: 'REVIEWING' })],
      ['a status that is no text', answerJson(200, { id: 31, status: 7 })],
      ['a reset', (response) => response.socket?.resetAndDestroy()],
    ];
    for (const [title, behavior] of HICCUPS) {
      it(`that meets ${title} is repeated`, async () => {
        behaveWhenAsked(behavior, pending, behavior, success);
        expect((await ask(memoryJob())).transcript.text).to.equal(TEXT);
        expect(asked()).to.deep.equal([V2, poll(31), poll(31), poll(31), poll(31)]);
      });
    }

    it('is not repeated before the Retry-After', async () => {
      behaveWhenAsked(answerJson(429, {}, { 'Retry-After': '1' }), success);
      await ask(memoryJob());
      const [, first, second] = server.requests.map(({ at }) => at);
      expect(second! - first!).to.be.at.least(1_000);
    });

    it('that fails until the timeout keeps the job, unless the provider does not know it', async () => {
      for (const [status, fault, isFinal] of [
        [401, 'unavailable', false],
        [402, 'unavailable', false],
        [403, 'unavailable', false],
        [500, 'unavailable', false],
        [404, undefined, true],
      ] as const) {
        // By method, because a poll of the previous job may still arrive.
        const refused = answerJson(status, { detail: 'secret words' });
        server.behave((response, request) => (request.method === 'POST' ? submitted : refused)(response, request));
        const error = await providerFailure(ask(memoryJob(), {}, 1_500), 'aisha');
        expect([error.isFinal, error.details.httpStatus]).to.deep.equal([isFinal, status]);
        if (fault) expect(error.fault).to.equal(fault);
      }
    });

    it('that is pending at the timeout is a temporary failure', async () => {
      behaveWhenAsked(pending);
      const error = await providerFailure(ask(memoryJob(), {}, 300), 'aisha');
      expect([error.fault, error.isFinal]).to.deep.equal(['timeout', false]);
    });

    it('ends with the reason of its cancellation', async () => {
      const controller = new AbortController();
      const reason = new Error('canceled by hand');
      behaveWhenAsked((response, request) => {
        pending(response, request);
        controller.abort(reason);
      });
      expect(await errorOf(ask(memoryJob(), { signal: controller.signal }))).to.equal(reason);
    });
  });

  for (const status of ['FAILED', 'FAILURE', 'ERROR', 'failed']) {
    it(`that ends as ${status} is final, and keeps what the provider said`, async () => {
      behaveWhenAsked(pending, answerJson(200, { id: 31, status, detail: 'no speech for test-key' }));
      const error = await providerFailure(ask(memoryJob()), 'aisha');
      expect([error.fault, error.isFinal]).to.deep.equal(['bad_input', true]);
      expect(error.reply()?.message).to.equal('no speech for ***');
      expect(asked()).to.deep.equal([V2, poll(31), poll(31)]);
    });
  }

  for (const body of ['', '[]', '{}', '{"id":null}', '{"id":"../../x"}', '{"id":-1}']) {
    it(`that is accepted with the invalid body ${body || '(empty)'} is incomplete, without a job`, async () => {
      server.behave(answerJson(200, body));
      const job = memoryJob();
      expect((await providerFailure(ask(job), 'aisha')).fault).to.equal('incomplete');
      expect(job.saved).to.deep.equal([]);
    });
  }
});

describe('A recording for aisha', () => {
  const server = useFakeServer();

  async function paths(durationS: number | null, ...behaviors: ProviderBehavior[]): Promise<string[]> {
    server.behave(...behaviors);
    await sttProvider('aisha', { baseUrl: server.url }).transcribe(sttRequest({ durationS }), memoryJob());
    return server.requests.map(({ method, path }) => `${method} ${path}`);
  }

  const tooLong = (body: unknown) => answerJson(403, body);

  it('of up to 120 s or of unknown length is transcribed immediately', async () => {
    const now = answerJson(200, { id: 7, ...AISHA_RESULT });
    expect(await paths(120, now)).to.deep.equal([V1]);
    expect(await paths(null, now)).to.deep.equal([V1]);
  });

  it('of more than 120 s becomes a job', async () => {
    expect(await paths(120.001, submitted, success)).to.deep.equal([V2, poll(31)]);
  });

  for (const body of [
    { detail: 'audio_duration_use_v2' },
    { error: { code: 'audio_duration_use_v2' } },
    { detail: 'Audio 2 daqiqadan uzun' },
  ]) {
    it(`becomes a job after the response ${JSON.stringify(body)}`, async () => {
      expect(await paths(null, tooLong(body), submitted, success)).to.deep.equal([V1, V2, poll(31)]);
    });
  }

  it('is transcribed with speakers only if it is long enough', async () => {
    const now = answerJson(200, { id: 7, ...AISHA_RESULT });
    for (const [durationS, expected] of [
      [14.9, 'false'],
      [15, 'true'],
      [null, 'false'],
    ] as const) {
      await paths(durationS, now);
      expect((await readForm(server.requests[0]!)).fields).to.deep.include(['has_diarization', expected]);
    }
  });
});
