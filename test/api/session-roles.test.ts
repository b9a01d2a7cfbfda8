import { expect } from 'chai';
import { createAssistant, updateAssistant } from '../../contract/assistants.ts';
import { createBatch } from '../../contract/batches.ts';
import type { Problem } from '../../contract/errors.ts';
import { listProviders } from '../../contract/service.ts';
import { reanalyzeSession, setSessionRoles } from '../../contract/session-operations.ts';
import { getSession } from '../../contract/sessions.ts';
import type { Session } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { send } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { fixture, toneWav } from '../support/audio.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant as createRow, createSession, createUser } from '../support/factories.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { addVoiceAssistant, sendVoice, submitVoice } from '../support/voice.ts';

const BY_VOICE = { stt_provider: 'elevenlabs' };
const BY_CHANNEL = { ...BY_VOICE, channel_roles: ['operator', 'client'] };
const SWAPPED = { 'speaker 1': 'client', 'speaker 2': 'operator' };
const SAID = [
  'Good morning, this is Anna from customer care. How can I help you?',
  'Hello. I ordered a coffee machine',
];

describe('Who is who in a recording', () => {
  let service: TestService;
  let token: string;
  let userId: string;
  before(async function () {
    this.timeout(0);
    service = await startTestService();
    const owner = await createUser();
    [token, userId] = [owner.token, owner.user.id];
  });
  after(() => service.stop());

  const analyze = async (settings: object, recording?: Uint8Array): Promise<Session> => {
    const { id: assistantId } = await addVoiceAssistant(service.api, token, settings);
    return submitVoice(service.api, { token, assistantId, ...(recording && { recording }) });
  };
  const read = async (id: string) => (await send(service.api, getSession, { token, params: { id } })).body;
  const say = (id: string, map: unknown, as = token) =>
    send(service.api, setSessionRoles, { token: as, params: { id }, body: { map } });
  const reanalyze = async (id: string) =>
    ((await send(service.api, reanalyzeSession, { token, params: { id }, body: {} })) as Answer<Session>).body;
  const create = (settings: object) =>
    send(service.api, createAssistant, {
      token,
      body: { name: 'Calls', type: 'voice', llm_provider: 'openai', system_prompt: 'Summarise.', ...settings },
    });
  const errorsOf = ({ problem: { code, errors = [] } }: { problem: Problem }) => [
    code,
    ...errors.map(({ path, message }) => `${path}: ${message}`),
  ];

  describe('is told by the model', () => {
    let session: Session;
    before(async () => {
      session = await analyze({ ...BY_VOICE, llm_provider: 'anthropic' });
    });

    it("with the speaker's words, in the one call of the analysis, and turns stay as they are", () => {
      const { roles, conversation } = session;
      expect(roles).to.deep.include({ source: 'model', map: { 'speaker 1': 'operator', 'speaker 2': 'client' } });
      const [operator] = roles!.evidence['speaker 1']!.quotes;
      expect(operator).to.deep.equal({
        turn: 0,
        quote: SAID[0]!.slice(0, -1),
        match: 'exact',
        start_s: 0.4,
        end_s: 3.9,
      });
      expect(conversation!.slice(0, 2).map(({ role }) => role)).to.deep.equal(['speaker 1', 'speaker 2']);
      expect(session.raw_response).not.to.have.property('roles');
      expect(session.cost_breakdown.map(({ step, calls }) => [step, calls])).to.deep.equal([
        ['transcription', 1],
        ['analysis', 1],
      ]);
    });

    it('and is put right by a person, who can also take it back', async () => {
      const { status, body } = await say(session.session_id, SWAPPED);
      expect(status).to.equal(200);
      expect(body.roles).to.deep.equal({ source: 'person', map: SWAPPED, evidence: {} });
      expect(await read(session.session_id)).to.deep.equal({ ...session, roles: body.roles });
      const part = await say(session.session_id, { 'speaker 2': 'other' });
      expect(part.body.roles?.map).to.deep.equal({ 'speaker 1': null, 'speaker 2': 'other' });
      expect((await say(session.session_id, null)).body).to.deep.equal(session);
    });

    it('after which a reanalysis goes by the person, asks no more, and keeps it', async () => {
      await say(session.session_id, SWAPPED);
      const again = await reanalyze(session.session_id);
      expect(again.roles).to.deep.equal({ source: 'person', map: SWAPPED, evidence: {} });
      expect(again.summary_text).to.contain('between client and operator about');
      expect(again.conversation).to.deep.equal(session.conversation);
      await say(session.session_id, null);
      const asked = await reanalyze(session.session_id);
      expect(asked.roles).to.deep.equal(session.roles);
      expect(asked.summary_text).to.contain('between speaker 1 and speaker 2 about');
    });

    it('but is not known where its words are made up', async () => {
      const { roles } = await analyze({ ...BY_VOICE, system_prompt: 'Summarise. [quote invented]' });
      expect(roles?.map).to.deep.equal({ 'speaker 1': null, 'speaker 2': null });
      expect(roles?.evidence['speaker 1']).to.deep.equal({ dropped: 1, quotes: [] });
    });
  });

  it('is not asked for where nobody tells voices apart', async () => {
    expect((await analyze({ stt_provider: 'whisper' })).roles).to.equal(null);
  });

  describe('that a person tells', () => {
    it('names speakers of the session and roles that there are', async () => {
      const { session_id } = await analyze(BY_VOICE);
      expect(errorsOf(await say(session_id, { 'speaker 9': 'client' }))).to.deep.equal([
        'validation_failed',
        'map.speaker 9: is no speaker of this session, which has speaker 1, speaker 2',
      ]);
      expect(errorsOf(await say(session_id, { 'speaker 1': 'boss' }))[1]).to.match(/^map\.speaker 1: /);
      expect(errorsOf(await say(session_id, undefined))[1]).to.match(/^map: /);
      expect((await read(session_id)).roles?.source).to.equal('model');
      const { token: stranger } = await createUser();
      expect((await say(session_id, SWAPPED, stranger)).problem.code).to.equal('not_found');
    });

    it('is of a recording that has been transcribed, and whose session has ended', async () => {
      const text = await createSession(await createRow(userId), { status: 'completed', completed_at: new Date() });
      const voice = await createRow(userId, { type: 'voice', stt_provider: 'whisper' });
      const early = await createSession(voice, { status: 'failed', completed_at: new Date(), conversation: null });
      const running = await createSession(voice, { status: 'analyzing' });
      for (const { id } of [text, early, running]) {
        expect((await say(id, { operator: 'client' })).problem.code).to.equal('conflict');
        expect(await SessionModel.query().findById(id)).to.include({ person_roles: null });
      }
      await SessionModel.query().deleteById(running.id);
    });
  });

  describe('is told by the channels', () => {
    it('of a recording that has one for each: turns have their roles, and no model is asked', async () => {
      const session = await analyze(BY_CHANNEL, toneWav({ channels: 2 }));
      expect(session).to.deep.include({
        status: 'completed',
        roles: { source: 'channels', map: { operator: 'operator', client: 'client' }, evidence: {} },
      });
      expect(session.assistant.channel_roles).to.deep.equal(BY_CHANNEL.channel_roles);
      const turns = session.conversation!;
      expect(turns.map(({ role }) => role)).to.deep.equal(
        Array.from({ length: 7 }, (_, index) => BY_CHANNEL.channel_roles[index % 2]),
      );
      expect(turns[0]).to.include({ text: SAID[0], start_s: 0.4 });
      expect(turns[1]?.text).to.contain(SAID[1]);
      expect(session.transcript?.duration_s).to.equal(31.5);
      const [call] = await VendorCallModel.findOfSession(session.session_id);
      expect(call?.usage).to.deep.equal({ audio_seconds: 63 });
      const again = await reanalyze(session.session_id);
      expect(again.roles).to.deep.equal(session.roles);
    });

    it('and so does a batch, which keeps what persons say as well, and asks of the others anew', async () => {
      const sessions = [
        await analyze(BY_CHANNEL, toneWav({ channels: 2 })),
        await analyze(BY_VOICE),
        await analyze(BY_VOICE),
      ];
      const [byChannel, byPerson, byModel] = sessions.map(({ session_id }) => session_id);
      await say(byPerson!, SWAPPED);
      for (const { assistant_id } of sessions) {
        await send(service.api, createBatch, { token, body: { action: 'reanalyze', filter: { assistant_id } } });
      }
      const again = async (id: string) => {
        const { roles, channel_roles, error } = await eventually(
          async () => {
            const row = await SessionModel.query().findOne({ source_session_id: id });
            return { roles: row?.knownRoles, error: row?.error, ...row?.assistant, status: row?.status };
          },
          ({ status }) => status === 'completed' || status === 'failed',
        );
        return { error, channel_roles, roles };
      };
      const expected = async (id: string) => ({
        ...{ error: null, channel_roles: (await read(id)).assistant.channel_roles },
        roles: (await read(id)).roles,
      });
      for (const id of [byChannel!, byPerson!, byModel!]) expect(await again(id)).to.deep.equal(await expected(id));
    });

    for (const [name, recording, found] of [
      ['one channel', fixture('tone.mp3'), 'has 1 channel;'],
      ['three channels', toneWav({ channels: 3 }), 'has 3 channels;'],
    ] as const) {
      it(`and a recording of ${name} is refused before anybody is asked`, async () => {
        const { id: assistantId } = await addVoiceAssistant(service.api, token, BY_CHANNEL);
        const answer = await sendVoice(service.api, { token, assistantId, recording });
        expect(errorsOf(answer)).to.deep.equal([
          'validation_failed',
          `audio_file: ${found} the assistant's channel_roles name 2`,
        ]);
        expect(await SessionModel.query().where({ assistant_id: assistantId }).resultSize()).to.equal(0);
      });
    }

    it('but where only the vendor finds another number, the session fails for good, and what it cost stays', async () => {
      const { id: assistantId } = await addVoiceAssistant(service.api, token, BY_CHANNEL);
      const recording = toneWav({ channels: 2 });
      const request = { token, assistantId, recording, fileName: 'call [vendor channels=1].wav' };
      const { problem } = await sendVoice(service.api, request);
      const session = await read((problem as Problem & { session_id: string }).session_id);
      expect(session.error).to.include({ code: 'bad_input', stage: 'transcription', retryable: false });
      expect(session.error?.message).to.contain('found 1 channels');
      expect(session.total_cost).to.be.greaterThan(0);
    });
  });

  describe('by channels needs a vendor that transcribes them apart', () => {
    it('which is said of each', async () => {
      const { data } = (await send(service.api, listProviders, { token })).body;
      const channels = Object.fromEntries(data.map(({ provider, max_channels }) => [provider, max_channels]));
      expect(channels).to.include({ elevenlabs: 5, whisper: 1, aisha: 1, openai: null });
    });

    for (const stt_provider of ['whisper', 'aisha']) {
      it(`and so not ${stt_provider}, neither at first nor as a fallback`, async () => {
        const first = await create({ ...BY_CHANNEL, stt_provider });
        const reason = `${stt_provider} has no multichannel mode; elevenlabs has`;
        expect(errorsOf(first)).to.deep.equal(['validation_failed', `channel_roles: ${reason}`]);
        const second = await create({ ...BY_CHANNEL, fallback: { stt_provider } });
        expect(errorsOf(second)).to.deep.equal(['validation_failed', `fallback.stt_provider: ${reason}`]);
      });
    }

    it('also after a change, of the one or of the other', async () => {
      const { id } = (await create(BY_CHANNEL)).body;
      const change = (body: object) => send(service.api, updateAssistant, { token, params: { id }, body });
      expect(errorsOf(await change({ stt_provider: 'aisha' }))[1]).to.match(/^channel_roles: aisha has no/);
      const plain = await change({ stt_provider: 'aisha', channel_roles: null });
      expect(plain.body).to.include({ channel_roles: null, version: 2 });
      expect(errorsOf(await change({ channel_roles: ['a', 'b'] }))[1]).to.match(/^channel_roles: aisha has no/);
      expect((await change({ stt_provider: 'elevenlabs', channel_roles: ['a', 'b'] })).body.version).to.equal(3);
    });

    for (const [what, settings, path] of [
      ['one channel', { channel_roles: ['operator'] }, 'channel_roles'],
      ['more than any vendor takes', { channel_roles: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'channel_roles'],
      ['the same role twice', { channel_roles: ['client', 'client'] }, 'channel_roles'],
      ['a role without a name', { channel_roles: ['', 'client'] }, 'channel_roles.0'],
      ['a text', { type: 'text', stt_provider: null }, 'channel_roles'],
    ] as const) {
      it(`and not ${what}`, async () => {
        const { problem } = await create({ ...BY_CHANNEL, ...settings });
        expect([problem.code, problem.errors?.[0]?.path]).to.deep.equal(['validation_failed', path]);
      });
    }
  });
});
