import type { Problem } from '../../../contract/errors/problem.ts';
import type { Session } from '../../../contract/sessions/sessions.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { send, type Answer } from '../../support/api.ts';
import { fixture, toneWav } from '../../support/audio.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant as createRow, createSession, createUser } from '../../support/factories.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { addVoiceAssistant, sendVoice, submitVoice } from '../../support/voice.ts';

const BY_VOICE = { stt_provider: 'elevenlabs' };
const BY_CHANNEL = { ...BY_VOICE, channel_roles: ['operator', 'client'] };
const SWAPPED = { 'speaker 1': 'client', 'speaker 2': 'operator' };
const SAID = [
  'Good morning, this is Anna from customer care. How can I help you?',
  'Hello. I ordered a coffee machine',
];

describe('Roles in a recording', () => {
  const service = useSharedService();
  let token: string;
  let workspaceId: string;
  before(async () => {
    ({ token, workspaceId } = await createUser());
  });

  const analyze = async (settings: object, recording?: Uint8Array): Promise<Session> => {
    const { id: assistantId } = await addVoiceAssistant(service.api, token, settings);
    return submitVoice(service.api, { token, assistantId, ...(recording && { recording }) });
  };
  const read = async (id: string) => (await send(service.api, 'getSession', { token, params: { id } })).body;
  const say = (id: string, map: unknown, as = token) =>
    send(service.api, 'setSessionRoles', { token: as, params: { id }, body: { map } });
  const reanalyze = async (id: string) =>
    ((await send(service.api, 'reanalyzeSession', { token, params: { id }, body: {} })) as Answer<Session>).body;
  const create = (settings: object) =>
    send(service.api, 'createAssistant', {
      token,
      body: { name: 'Calls', type: 'voice', llm_provider: 'openai', system_prompt: 'Summarize.', ...settings },
    });
  const errorsOf = ({ problem: { code, errors = [] } }: { problem: Problem }) => [
    code,
    ...errors.map(({ path, message }) => `${path}: ${message}`),
  ];

  describe('from the model', () => {
    let session: Session;
    before(async () => {
      session = await analyze({ ...BY_VOICE, llm_provider: 'anthropic' });
    });

    it('have quotes, require no additional call, and do not change the turns', () => {
      const { roles, conversation } = session;
      expect(roles).to.deep.include({ source: 'model', map: { 'speaker 1': 'operator', 'speaker 2': 'client' } });
      const [operator] = roles!.evidence['speaker 1']!.quotes;
      expect(operator).to.deep.equal({
        turn: 0,
        role: 'speaker 1',
        quote: SAID[0]!.slice(0, -1),
        match: 'exact',
        context: SAID[0],
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

    it('can be corrected and reset by a person', async () => {
      const { status, body } = await say(session.session_id, SWAPPED);
      expect(status).to.equal(200);
      expect(body.roles).to.deep.equal({ source: 'person', map: SWAPPED, evidence: {} });
      expect(await read(session.session_id)).to.deep.equal({ ...session, roles: body.roles });
      const part = await say(session.session_id, { 'speaker 2': 'other' });
      expect(part.body.roles?.map).to.deep.equal({ 'speaker 1': null, 'speaker 2': 'other' });
      expect((await say(session.session_id, null)).body).to.deep.equal(session);
    });

    it('set by a person are used and kept by a reanalysis', async () => {
      await say(session.session_id, SWAPPED);
      const again = await reanalyze(session.session_id);
      expect(again.roles).to.deep.equal({ source: 'person', map: SWAPPED, evidence: {} });
      expect(again.summary_text).to.match(/^The operator says: “Hello/);
      expect(again.conversation).to.deep.equal(session.conversation);
      await say(session.session_id, null);
      const asked = await reanalyze(session.session_id);
      expect(asked.roles).to.deep.equal(session.roles);
      expect(asked.summary_text).to.match(/^Speaker 2 says: “Hello/);
    });
  });

  describe('set by a person', () => {
    it('must name speakers of the session and known roles', async () => {
      const { session_id } = await analyze(BY_VOICE);
      expect(errorsOf(await say(session_id, { 'speaker 9': 'client' }))).to.deep.equal([
        'validation_failed',
        'map.speaker 9: is not a speaker of this session; its speakers: speaker 1, speaker 2',
      ]);
      expect(errorsOf(await say(session_id, { 'speaker 1': 'boss' }))[1]).to.match(/^map\.speaker 1: /);
      expect(errorsOf(await say(session_id, undefined))[1]).to.match(/^map: /);
      expect((await read(session_id)).roles?.source).to.equal('model');
      const { token: stranger } = await createUser();
      expect((await say(session_id, SWAPPED, stranger)).problem.code).to.equal('not_found');
    });

    it('need a transcribed recording and an ended session', async () => {
      const text = await createSession(await createRow(workspaceId), { status: 'completed', completed_at: new Date() });
      const voice = await createRow(workspaceId, { type: 'voice', stt_provider: 'whisper' });
      const early = await createSession(voice, { status: 'failed', completed_at: new Date(), conversation: null });
      const running = await createSession(voice, { status: 'analyzing' });
      for (const { id } of [text, early, running]) {
        expect((await say(id, { operator: 'client' })).problem.code).to.equal('conflict');
        expect(await SessionModel.query().findById(id)).to.include({ person_roles: null });
      }
      await SessionModel.query().deleteById(running.id);
    });
  });

  describe('from the channels', () => {
    it('are the roles of the turns, and are not requested from a model', async () => {
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
      const [call] = await ProviderCallModel.findOfSession(session.session_id);
      expect(call?.usage).to.deep.equal({ audio_seconds: 63 });
      const again = await reanalyze(session.session_id);
      expect(again.roles).to.deep.equal(session.roles);
    });

    it('are kept by a batch, like those set by a person; others are requested again', async () => {
      const sessions = [
        await analyze(BY_CHANNEL, toneWav({ channels: 2 })),
        await analyze(BY_VOICE),
        await analyze(BY_VOICE),
      ];
      const [byChannel, byPerson, byModel] = sessions.map(({ session_id }) => session_id);
      await say(byPerson!, SWAPPED);
      for (const { assistant_id } of sessions) {
        await send(service.api, 'createBatch', { token, body: { action: 'reanalyze', filter: { assistant_id } } });
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
        error: null,
        channel_roles: (await read(id)).assistant.channel_roles,
        roles: (await read(id)).roles,
      });
      for (const id of [byChannel!, byPerson!, byModel!]) expect(await again(id)).to.deep.equal(await expected(id));
    });

    it('are refused for a recording with another number of channels if the assistant requires them, before a provider is called', async () => {
      for (const [recording, found] of [
        [fixture('tone.mp3'), 'has 1 channel;'],
        [toneWav({ channels: 3 }), 'has 3 channels;'],
      ] as const) {
        const { id: assistantId } = await addVoiceAssistant(service.api, token, {
          ...BY_CHANNEL,
          channels_required: true,
        });
        const answer = await sendVoice(service.api, { token, assistantId, recording });
        const message = `audio_file: ${found} the assistant's channel_roles name 2`;
        expect(errorsOf(answer)).to.deep.equal(['validation_failed', message]);
        expect(await SessionModel.query().where({ assistant_id: assistantId }).resultSize()).to.equal(0);
      }
    });

    it('are left out for a recording with another number of channels: the speakers are separated by voice, and the session says so', async () => {
      const session = await analyze(BY_CHANNEL, fixture('tone.mp3'));
      expect([session.status, session.audio?.channels]).to.deep.equal(['completed', 1]);
      expect(session.roles?.source).to.equal('model');
      const fitting = await analyze(BY_CHANNEL, toneWav({ channels: 2 }));
      expect([fitting.roles?.source, fitting.audio?.channels]).to.deep.equal(['channels', undefined]);
    });
  });

  describe('from the channels need', () => {
    it('a provider that supports channels, as GET /v1/providers shows', async () => {
      const { data } = (await send(service.api, 'listProviders', { token })).body;
      const channels = Object.fromEntries(data.map(({ provider, max_channels }) => [provider, max_channels]));
      expect(channels).to.include({ elevenlabs: 5, whisper: 1, aisha: 1, openai: null });
    });

    it('another provider than whisper and aisha, also as the fallback', async () => {
      for (const stt_provider of ['whisper', 'aisha']) {
        const reason = `${stt_provider} does not transcribe channels separately; use elevenlabs`;
        const first = await create({ ...BY_CHANNEL, stt_provider });
        expect(errorsOf(first)).to.deep.equal(['validation_failed', `channel_roles: ${reason}`]);
        const second = await create({ ...BY_CHANNEL, fallback: { stt_provider } });
        expect(errorsOf(second)).to.deep.equal(['validation_failed', `fallback.stt_provider: ${reason}`]);
      }
    });

    it('such a provider, also after changes', async () => {
      const { id } = (await create(BY_CHANNEL)).body;
      const change = (body: object) => send(service.api, 'updateAssistant', { token, params: { id }, body });
      expect(errorsOf(await change({ stt_provider: 'aisha' }))[1]).to.match(
        /^channel_roles: aisha does not transcribe/,
      );
      const plain = await change({ stt_provider: 'aisha', channel_roles: null });
      expect(plain.body).to.include({ channel_roles: null, version: 2 });
      expect(errorsOf(await change({ channel_roles: ['a', 'b'] }))[1]).to.match(
        /^channel_roles: aisha does not transcribe/,
      );
      expect((await change({ stt_provider: 'elevenlabs', channel_roles: ['a', 'b'] })).body.version).to.equal(3);
    });

    it('two to five different names, for a recording', async () => {
      for (const [settings, path] of [
        [{ channel_roles: ['operator'] }, 'channel_roles'],
        [{ channel_roles: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'channel_roles'],
        [{ channel_roles: ['client', 'client'] }, 'channel_roles'],
        [{ channel_roles: ['', 'client'] }, 'channel_roles.0'],
        [{ type: 'text', stt_provider: null }, 'channel_roles'],
      ] as const) {
        const answer = await create({ ...BY_CHANNEL, ...settings });
        expect([answer.problem.code, answer.paths[0]]).to.deep.equal(['validation_failed', path]);
      }
    });
  });
});
