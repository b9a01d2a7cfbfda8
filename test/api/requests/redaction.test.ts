import { SessionSchema, type Session } from '../../../contract/sessions/sessions.ts';
import { AssistantModel, type AssistantColumns } from '../../../db/models/assistant.ts';
import { ApiKeyModel } from '../../../db/models/api-key.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { field } from '../../activities/fields/fields.ts';
import { ANALYSIS, answerJson, answerWell } from '../../activities/providers/fake-provider.ts';
import { PROVIDERS } from '../../activities/providers/llm-providers.ts';
import { send, startTestApi } from '../../support/api.ts';
import { findRows } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createOwner, createSession, says, VOICE } from '../../support/factories.ts';
import { printHistory } from '../../support/history.ts';
import { recordedLog } from '../../support/log.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startTestService } from '../../support/service.ts';
import { untilWorkflowEnds, workflowOf } from '../../support/temporal.ts';
import { useStarted } from '../../support/use-started.ts';
import { submitVoice } from '../../support/voice.ts';

/** A card number that is dictated over several turns, its code, and a phone number. */
const DIALOGUE = [
  ['operator', 'Anna, could you read me the card number?'],
  ['client', 'It is four two seven six'],
  ['operator', 'uh-huh'],
  ['client', '3801 double four five nine 2073'],
  ['operator', 'And the security code?'],
  ['client', 'nine one four. Call me at +998 93 718 26 45.'],
] as const;
const PHONE = '+998 93 718 26 45';
const SECRETS = [
  'four two seven six',
  'double four',
  'five nine',
  '4276380144592073',
  '44592073',
  'nine one four',
  PHONE,
  '718 26 45',
  '937182645',
];
const REDACTED = [
  'Anna, could you read me the card number?',
  'It is [CARD_1]',
  'uh-huh',
  '[CARD_1]',
  'And the security code?',
  '[CODE_1]. Call me at [PHONE_1].',
];

const turnsOf = (dialogue: readonly (readonly [string, string])[]) => dialogue.map(([role, text]) => ({ role, text }));

const REDACTION = { entities: ['card', 'code', 'phone'], originals: 'seal', keep_audio: false } satisfies object;
type Redaction = NonNullable<AssistantColumns['redaction']>;

const ANSWER = {
  ...ANALYSIS,
  summary_text: 'Card [CARD_1], phone [PHONE_1].',
  fields: { paid: [true] },
  evidence: [{ field: 'paid', turn: 1, quote: 'It is [CARD_1]' }],
};

describe('Redaction', () => {
  const log = recordedLog();
  const webhooks = useStarted(() => startReceiver());
  const models = useStarted(() =>
    startReceiver((response, request) => {
      if (!request.path.endsWith('/transcriptions')) {
        return answerWell('openai', { text: JSON.stringify(ANSWER) })(response, request);
      }
      const segments = DIALOGUE.map(([, text], id) => ({ id, start: id, end: id + 1, text }));
      const text = segments.map((segment) => segment.text).join(' ');
      return answerJson(200, { text, language: 'english', duration: 6, segments })(response, request);
    }),
  );
  let isRecognizing = true;
  const recognizer = useStarted(() =>
    startReceiver((response, request) => {
      const { text } = JSON.parse(request.body.toString()) as { text: string };
      const start = text.indexOf('Anna');
      const found = start < 0 ? [] : [{ entity_type: 'PERSON', start, end: start + 4, score: 0.9 }];
      answerJson(isRecognizing ? 200 : 503, found)(response, request);
    }),
  );
  const service = useStarted(() =>
    startTestService({
      env: {
        OPENAI_BASE_URL: models.url + PROVIDERS.openai.basePath,
        WHISPER_BASE_URL: `${models.url}/v1`,
        REDACTION_URL: recognizer.url,
        REDACTION_LANGUAGES: 'en,ru,uz',
        SIMULATED_PROVIDERS: '',
      },
      log: log.log,
    }),
  );
  beforeEach(() => {
    isRecognizing = true;
    for (const { requests } of [models, webhooks, recognizer]) requests.length = 0;
  });

  const newOwner = (redaction: Redaction | null = REDACTION as Redaction, fields: Partial<AssistantColumns> = {}) =>
    createOwner({ redaction, llm_model: PROVIDERS.openai.model, ...fields });

  const submit = (
    { token, assistant }: Awaited<ReturnType<typeof newOwner>>,
    dialogue: readonly (readonly [string, string])[] = DIALOGUE,
    api: { url: string } = service.api,
    headers = {},
  ) =>
    send(api, 'submitTextRequest', {
      token,
      headers,
      body: { assistant_id: assistant.id, conversation: turnsOf(dialogue) },
    });

  const read = async (token: string, id: string, query = {}) =>
    (await send(service.api, 'getSession', { token, params: { id }, query })).body;

  const textsOf = ({ conversation }: Session) => conversation?.map(({ text }) => text);

  const run: Record<'text' | 'voice', (owner: Awaited<ReturnType<typeof newOwner>>) => Promise<Session>> = {
    text: async (owner) => SessionSchema.parse((await submit(owner)).body),
    voice: ({ token, assistant }) => submitVoice(service.api, { token, assistantId: assistant.id }),
  };

  for (const type of ['text', 'voice'] as const) {
    it(`leaves no digit and no word of a spoken card number anywhere: ${type}`, async () => {
      const owner = await newOwner(REDACTION as Redaction, {
        ...(type === 'voice' && VOICE),
        fields: [field('paid', 'boolean')],
        webhook_url: webhooks.url,
      });
      const session = await run[type](owner);
      expect(session).to.include({ status: 'completed', summary_text: ANSWER.summary_text });
      expect(textsOf(session)).to.deep.equal(REDACTED);
      expect(session.redaction).to.deep.include({ counts: { card: 1, code: 1, phone: 1 }, originals: 'sealed' });
      expect(session.raw_response).to.have.nested.property('evidence.paid.quotes[0].quote', 'It is [CARD_1]');
      await webhooks.until(1);
      await untilWorkflowEnds(session.session_id);
      expect(await findRows(SECRETS)).to.deep.equal([]);
      const { rows } = await SessionModel.knex().raw<{ rows: { words: string }[] }>(
        'select cast(words as text) as words from session_words where session_id = ?',
        [session.session_id],
      );
      expect(rows[0]?.words)
        .to.include("'phone'")
        .and.not.match(/'(?:double|seven|2073|3801)'/);
      const history = printHistory(await (await workflowOf(session.session_id)).fetchHistory());
      const sent = [...models.requests, ...webhooks.requests].map(({ body }) => body.toString('latin1'));
      for (const text of [history, log.text(), ...sent]) {
        for (const secret of SECRETS) expect(text).not.to.include(secret);
      }
      expect(sent.join()).to.include('Placeholders such as');
    });
  }

  it('deletes the recording at the end of the session, unless the assistant keeps it', async () => {
    for (const keep_audio of [false, true]) {
      const { token, assistant } = await newOwner({ ...REDACTION, keep_audio } as Redaction, VOICE);
      const { session_id: id } = await submitVoice(service.api, { token, assistantId: assistant.id });
      await untilWorkflowEnds(id);
      expect((await read(token, id)).audio).to.include({ available: keep_audio });
    }
  });

  it('returns the originals but cards and codes to a token with the scope, and records each time', async () => {
    const owner = await newOwner();
    const { session_id: id } = (await submit(owner)).body;
    const shown = await read(owner.token, id, { reveal: 'true' });
    expect(shown.summary_text).to.equal(`Card [CARD_1], phone ${PHONE}.`);
    expect(textsOf(shown)).to.deep.equal([...REDACTED.slice(0, -1), `[CODE_1]. Call me at ${PHONE}.`]);
    expect(textsOf(await read(owner.token, id))).to.deep.equal(REDACTED);
    await ApiKeyModel.query()
      .patch({ scopes: ['sessions:read', 'audit:read'] })
      .where({ workspace_id: owner.workspaceId });
    const refused = await send(service.api, 'getSession', {
      token: owner.token,
      params: { id },
      query: { reveal: 'true' },
    });
    expect([refused.status, refused.problem.code]).to.deep.equal([403, 'insufficient_scope']);
    const { data } = (await send(service.api, 'listAuditEvents', { token: owner.token })).body;
    const revealed = data.filter(({ action }) => action === 'originals_revealed');
    expect(revealed.map(({ object_id }) => object_id)).to.deep.equal([id]);
  });

  it('replaces names, also those of speakers, and replays what it stored', async () => {
    const owner = await newOwner({ ...REDACTION, entities: ['phone', 'name'] } as Redaction);
    const dialogue = [
      [PHONE, 'Anna speaking.'],
      ['client', `Is that ${PHONE}?`],
    ] as const;
    const headers = { 'Idempotency-Key': owner.user.id };
    for (const replayed of [null, 'true']) {
      const { body, headers: answered } = await submit(owner, dialogue, service.api, headers);
      expect(answered.get('Idempotent-Replayed')).to.equal(replayed);
      expect(body.conversation).to.deep.equal([
        { role: '[PHONE_1]', text: '[NAME_1] speaking.' },
        { role: 'client', text: 'Is that [PHONE_1]?' },
      ]);
    }
  });

  it('searches names in the language of the request, of the assistant, or else in the first one', async () => {
    const { token, assistant } = await newOwner({ ...REDACTION, entities: ['name'] } as Redaction);
    for (const [language, asked] of [
      ['ru', 'ru'],
      ['RU-ru', 'ru'],
      ['uzb', 'uz'],
      ['uz-Latn', 'uz'],
      ['de', 'en'],
      [undefined, 'en'],
    ] as const) {
      recognizer.requests.length = 0;
      const conversation = turnsOf(DIALOGUE);
      const body = { assistant_id: assistant.id, conversation, ...(language !== undefined && { language }) };
      await send(service.api, 'submitTextRequest', { token, body });
      const { language: sent } = JSON.parse(recognizer.requests[0]!.body.toString()) as { language: string };
      expect(sent, language).to.equal(asked);
    }
    await AssistantModel.query().findById(assistant.id).patch({ stt_language: 'ru' });
    for (const [language, asked] of [
      [undefined, 'ru'],
      ['uz', 'uz'],
    ] as const) {
      recognizer.requests.length = 0;
      const body = { assistant_id: assistant.id, conversation: turnsOf(DIALOGUE), ...(language && { language }) };
      const { body: stored } = await send(service.api, 'submitTextRequest', { token, body });
      expect(JSON.parse(recognizer.requests[0]!.body.toString())).to.include({ language: asked });
      const { assistant: frozen } = await SessionModel.query().findById(stored.session_id).throwIfNotFound();
      expect(frozen.stt_language, 'for a reanalysis').to.equal(asked);
    }
    const body = { assistant_id: assistant.id, conversation: turnsOf(DIALOGUE), language: 'Russian language' };
    const refused = await send(service.api, 'submitTextRequest', { token, body });
    expect([refused.status, refused.paths]).to.deep.equal([422, ['language']]);
  });

  it('stores and sends nothing if it fails', async () => {
    const broken = await startTestApi({
      env: { ...service.env, REDACTION_URL: '' },
      // The rules fail for every text.
      adjust: ({ redaction }) => void (redaction.regions = ['XX' as never]),
    });
    try {
      const owner = await newOwner();
      const names = await newOwner({ ...REDACTION, entities: ['name'] } as Redaction);
      const large = [...DIALOGUE, ...Array.from({ length: 11 }, () => ['client', 'a'.repeat(100_000)] as const)];
      isRecognizing = false;
      const answers = [
        await submit(owner, [['client', 'Double four. My phone is 901234567.']], broken),
        await submit(names, DIALOGUE, broken),
        await submit(names),
        await submit(owner, large),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([413, 503, 503, 413]);
      expect(JSON.stringify(answers.map(({ problem }) => problem))).not.to.match(/double four|901234567/i);
      for (const { workspaceId } of [owner, names]) {
        expect(await SessionModel.query().where({ workspace_id: workspaceId }).resultSize()).to.equal(0);
      }
      expect(models.requests).to.deep.equal([]);
      const body = { redaction: { entities: ['card', 'name'] } };
      const params = { id: owner.assistant.id };
      const refused = await send(broken, 'updateAssistant', { token: owner.token, params, body });
      expect([refused.status, refused.paths]).to.deep.equal([422, ['redaction.entities.1']]);
    } finally {
      await broken.stop();
    }
  });

  it('lets a recording wait for the recognizer before it pays for a transcript', async () => {
    const { token, assistant } = await newOwner({ ...REDACTION, entities: ['card', 'name'] } as Redaction, {
      ...VOICE,
      on_provider_outage: 'wait',
    });
    isRecognizing = false;
    const headers = { Prefer: 'respond-async' };
    const { session_id: id } = await submitVoice(service.api, { token, assistantId: assistant.id, headers });
    const waiting = await eventually(
      () => read(token, id),
      ({ waiting_for }) => waiting_for !== null,
    );
    expect(waiting.waiting_for).to.include({ provider: 'recognizer', reason: 'unavailable' });
    expect(await ProviderCallModel.findOfSession(id)).to.deep.equal([]);
    isRecognizing = true;
    const ended = await eventually(
      () => read(token, id),
      ({ completed_at }) => completed_at !== null,
    );
    expect(ended.status).to.equal('completed');
    expect(textsOf(ended)?.[0]).to.equal('[NAME_1], could you read me the card number?');
  });

  it('redacts an older conversation when it is analyzed again, and shares the originals with later analyses', async () => {
    const owner = await newOwner(null);
    const source = await createSession(owner.assistant, {
      status: 'completed',
      assistant_version: 1,
      conversation: says('Call me at +998 97 555 01 23.'),
    });
    const analyzeAgain = async (id: string) => {
      models.requests.length = 0;
      const { body } = await send(service.api, 'reanalyzeSession', { token: owner.token, params: { id }, body: {} });
      const session = SessionSchema.parse(body);
      expect(textsOf(session)).to.deep.equal(['Call me at [PHONE_1].']);
      expect(models.requests.map(({ body: sent }) => sent.toString()).join()).not.to.include('555 01 23');
      return session.session_id;
    };
    const change = { token: owner.token, params: { id: owner.assistant.id }, body: { redaction: REDACTION } };
    expect((await send(service.api, 'updateAssistant', change)).body).to.include({ version: 2 });
    const second = await analyzeAgain(await analyzeAgain(source.id));
    const revealed = await read(owner.token, second, { reveal: 'true' });
    expect(textsOf(revealed)).to.deep.equal(['Call me at +998 97 555 01 23.']);
  });
});
