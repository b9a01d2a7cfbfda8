import { expect } from 'chai';
import type { SttAnswer, SttRequest } from '../../../activities/vendors/stt/provider.ts';
import type { VendorJob } from '../../../activities/vendors/record-call.ts';
import { answerJson, startFakeServer } from './fake-vendor.ts';
import type { FakeServer, VendorBehaviour } from './fake-vendor.ts';
import { AUDIO, memoryJob, readForm, sttFailure, sttProvider, sttRequest } from './stt-call.ts';
import { AISHA_RESULT, AISHA_TURNS, TEXT } from './stt-vendors.ts';

const V1 = 'POST /api/v1/stt/post/';
const V2 = 'POST /api/v2/stt/post/';
const poll = (id: number | string) => `GET /api/v2/stt/get/${id}/`;

const submitted = answerJson(202, { id: 31, task_id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed', status: 'PENDING' });
const pending = answerJson(200, { id: 31, status: 'PENDING', transcript: null });
const success = answerJson(200, { id: 31, status: 'SUCCESS', ...AISHA_RESULT });

describe('A long recording at aisha', () => {
  let server: FakeServer;
  beforeEach(async () => {
    server = await startFakeServer();
  });
  afterEach(() => server.stop());

  const ask = (job: VendorJob, fields: Partial<SttRequest> = {}, timeoutMs = 20_000): Promise<SttAnswer> =>
    sttProvider('aisha', { baseUrl: server.url, timeoutMs }).transcribe(sttRequest({ durationS: 300, ...fields }), job);

  const asked = () => server.requests.map(({ method, path }) => `${method} ${path}`);

  /** The given behaviours in turn for the questions about the job; the last one stays. */
  const behaveWhenAsked = (...behaviours: VendorBehaviour[]) => server.behave(submitted, ...behaviours);

  it('is submitted once with its file, and asked for until it is done', async () => {
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

  it('that was submitted before a crash is only asked for, never submitted again', async () => {
    behaveWhenAsked(() => undefined);
    const job = memoryJob();
    await sttFailure(ask(job, {}, 1_500), 'aisha');
    expect(asked()).to.deep.equal([V2, poll(31)]);
    server.behave(success);
    expect((await ask(memoryJob(job.saved[0]))).transcript.text).to.equal(TEXT);
    expect(asked()).to.deep.equal([poll(31)]);
  });

  it('of a short length with a job of its own is only asked for, too', async () => {
    server.behave(success);
    await ask(memoryJob('31'), { durationS: 5 });
    expect(asked()).to.deep.equal([poll(31)]);
  });

  it('has its id stored before anything is asked', async () => {
    behaveWhenAsked(success);
    const requestsAtSave: number[] = [];
    await ask({ id: null, save: async () => void requestsAtSave.push(server.requests.length) });
    expect(requestsAtSave).to.deep.equal([1]);
  });

  it("whose id can't be stored fails with that fault, which is not the vendor's", async () => {
    behaveWhenAsked(success);
    const fault = new Error('no database');
    const thrown = await ask({ id: null, save: () => Promise.reject(fault) }).catch((error: unknown) => error);
    expect(thrown).to.equal(fault);
    expect(asked()).to.deep.equal([V2]);
  });

  describe('question for a job', () => {
    const HICCUPS: [string, VendorBehaviour][] = [
      ...[400, 401, 403, 404, 408, 422, 429, 500, 502, 503, 529].map((status): [string, VendorBehaviour] => [
        `HTTP ${status}`,
        answerJson(status, { detail: 'secret words' }),
      ]),
      ['a page of HTML', answerJson(200, '<html>')],
      ['an empty body', answerJson(200, '')],
      ['an unknown status', answerJson(200, { id: 31, status: 'REVIEWING' })],
      ['a status that is no text', answerJson(200, { id: 31, status: 7 })],
      ['a reset', (response) => response.socket?.resetAndDestroy()],
    ];
    for (const [title, behaviour] of HICCUPS) {
      it(`that meets ${title} is asked again`, async () => {
        behaveWhenAsked(behaviour, pending, behaviour, success);
        expect((await ask(memoryJob())).transcript.text).to.equal(TEXT);
        expect(asked()).to.deep.equal([V2, poll(31), poll(31), poll(31), poll(31)]);
      });
    }

    it('is not repeated before the Retry-After of the one before', async () => {
      behaveWhenAsked(answerJson(429, {}, { 'Retry-After': '1' }), success);
      await ask(memoryJob());
      const [, first, second] = server.requests.map(({ at }) => at);
      expect(second! - first!).to.be.at.least(1_000);
    });

    for (const status of [401, 402, 403, 500]) {
      it(`that meets HTTP ${status} until the time is over gives that fault, and keeps the job`, async () => {
        behaveWhenAsked(answerJson(status, { detail: 'secret words' }));
        const error = await sttFailure(ask(memoryJob(), {}, 1_500), 'aisha');
        expect([error.fault, error.isFinal, error.details.httpStatus]).to.deep.equal(['unavailable', false, status]);
      });
    }

    it('of which the vendor knows nothing until the time is over gives the job up', async () => {
      behaveWhenAsked(answerJson(404, { detail: 'Not found.' }));
      expect((await sttFailure(ask(memoryJob(), {}, 1_500), 'aisha')).isFinal).to.equal(true);
    });

    it('that is pending until the time is over is a time-out, to be tried again', async () => {
      behaveWhenAsked(pending);
      const error = await sttFailure(ask(memoryJob(), {}, 300), 'aisha');
      expect([error.fault, error.isFinal]).to.deep.equal(['timeout', false]);
    });

    it('ends with its own reason when it is cancelled', async () => {
      const controller = new AbortController();
      const reason = new Error('canceled by hand');
      behaveWhenAsked((response, request) => {
        pending(response, request);
        controller.abort(reason);
      });
      const thrown = await ask(memoryJob(), { signal: controller.signal }).catch((error: unknown) => error);
      expect(thrown).to.equal(reason);
    });
  });

  for (const status of ['FAILED', 'FAILURE', 'ERROR', 'failed']) {
    it(`that ends as ${status} is final`, async () => {
      behaveWhenAsked(pending, answerJson(200, { id: 31, status, detail: 'secret words' }));
      const error = await sttFailure(ask(memoryJob()), 'aisha');
      expect([error.fault, error.isFinal]).to.deep.equal(['bad_input', true]);
      expect(asked()).to.deep.equal([V2, poll(31), poll(31)]);
    });
  }

  for (const body of ['', '[]', '{}', '{"id":null}', '{"id":"../../x"}', '{"id":-1}']) {
    it(`that is taken with ${body || 'nothing'} as its answer is the vendor's fault, and no job`, async () => {
      server.behave(answerJson(200, body));
      const job = memoryJob();
      expect((await sttFailure(ask(job), 'aisha')).fault).to.equal('unavailable');
      expect(job.saved).to.deep.equal([]);
    });
  }
});

describe('The length of a recording for aisha', () => {
  let server: FakeServer;
  beforeEach(async () => {
    server = await startFakeServer();
  });
  afterEach(() => server.stop());

  async function paths(durationS: number | null, ...behaviours: VendorBehaviour[]): Promise<string[]> {
    server.behave(...behaviours);
    await sttProvider('aisha', { baseUrl: server.url }).transcribe(sttRequest({ durationS }), memoryJob());
    return server.requests.map(({ method, path }) => `${method} ${path}`);
  }

  const tooLong = (body: unknown) => answerJson(403, body);

  it('up to 120 s, or unknown, asks for the transcript at once', async () => {
    const now = answerJson(200, { id: 7, ...AISHA_RESULT });
    expect(await paths(120, now)).to.deep.equal([V1]);
    expect(await paths(null, now)).to.deep.equal([V1]);
  });

  it('above 120 s makes a job', async () => {
    expect(await paths(120.001, submitted, success)).to.deep.equal([V2, poll(31)]);
  });

  for (const body of [
    { detail: 'audio_duration_use_v2' },
    { error: { code: 'audio_duration_use_v2' } },
    { detail: 'Audio 2 daqiqadan uzun' },
  ]) {
    it(`makes a job when the vendor says ${JSON.stringify(body)}`, async () => {
      expect(await paths(null, tooLong(body), submitted, success)).to.deep.equal([V1, V2, poll(31)]);
    });
  }

  it('asks for speakers only where they can be told apart', async () => {
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
