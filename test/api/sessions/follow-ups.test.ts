import type { Batch, BatchEstimate } from '../../../contract/sessions/batches.ts';
import type { RedactionSettings } from '../../../contract/values/redaction.ts';
import type { AssistantColumns, AssistantModel } from '../../../db/models/assistant.ts';
import { AuditEventModel } from '../../../db/models/audit-event.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { field } from '../../activities/fields/fields.ts';
import { send } from '../../support/api.ts';
import { findTables } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant } from '../../support/factories.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { addVoiceAssistant, submitVoice } from '../../support/voice.ts';

const fields = [field('resolved', 'boolean'), field('stars', 'integer')];
const REDACTION: RedactionSettings = { entities: ['phone'], originals: 'discard', keep_audio: false };

describe('Follow-ups', () => {
  const service = useSharedService();
  let owner: SessionOwner;
  let next: AssistantModel;
  beforeEach(async () => {
    owner = await createSessionOwner(() => service.api, { fields });
    next = await another();
  });

  const another = (more: Partial<AssistantColumns> = {}) => createAssistant(owner.assistant.workspace_id, more);
  const at = (id: string) => ({ token: owner.token, params: { id } });
  const change = (body: object, id = owner.assistant.id) => send(service.api, 'updateAssistant', { ...at(id), body });
  const follow = (...follow_ups: object[]) => change({ follow_ups });
  const analyze = (id: string, assistant_id = next.id) =>
    send(service.api, 'analyzeSession', { ...at(id), body: { assistant_id } });
  const ofFirst = (first_session_id: string) => SessionModel.query().where({ first_session_id }).orderBy('id');
  const listed = async (first_session_id: string) =>
    (await send(service.api, 'listSessions', { token: owner.token, query: { first_session_id } })).body.data;
  const finish = async (text?: string, to?: AssistantModel) => owner.untilEnded(await owner.submit(text, to));
  const allEnded = (id: string) =>
    eventually(
      () => listed(id),
      (rows) => rows.length > 0 && rows.every(({ completed_at }) => completed_at !== null),
    );

  it('are refused where they could never start, naming what is wrong', async () => {
    const stranger = await createSessionOwner(() => service.api);
    const removed = await another();
    await send(service.api, 'deleteAssistant', at(removed.id));
    const errorsOf = async (...all: object[]) =>
      ((await follow(...all)).problem.errors ?? []).map(({ path, code }) => `${path} ${code}`);
    const assistant_id = next.id;
    expect(await errorsOf({ assistant_id: owner.assistant.id })).to.deep.equal([
      'follow_ups.0.assistant_id not_assistant',
    ]);
    for (const id of [stranger.assistant.id, removed.id]) {
      expect(await errorsOf({ assistant_id }, { assistant_id: id })).to.deep.equal([
        'follow_ups.1.assistant_id not_assistant',
      ]);
    }
    expect(await errorsOf({ assistant_id }, { assistant_id })).to.deep.equal(['follow_ups unique']);
    expect(await errorsOf({ assistant_id, when: ['stars:gte:1', 'mood:null'] })).to.deep.equal([
      'follow_ups.0.when.1 not_field',
    ]);
    const six = await Promise.all(Array.from({ length: 6 }, () => another()));
    const [five, more] = [six.slice(0, 5), six].map((some) => some.map(({ id }) => ({ assistant_id: id })));
    expect((await follow(...(more ?? []))).problem.code).to.equal('validation_failed');
    expect((await follow(...(five ?? []))).body.follow_ups).to.have.length(5);
  });

  it('redact at least as much as the first, whatever their assistant redacts', async () => {
    const more = await another({ redaction: { ...REDACTION, entities: ['email'] } });
    await follow({ assistant_id: next.id }, { assistant_id: more.id });
    await change({ redaction: REDACTION });
    const session = await finish('My number is +998 90 123 45 67, my address anna@example.com.');
    await owner.untilEnded((await analyze(session.session_id)).body.session_id);
    const redacted = await Promise.all(
      (await allEnded(session.session_id)).map(async ({ session_id, assistant }) => {
        const { conversation, redaction } = await owner.read(session_id);
        const text = JSON.stringify(conversation);
        expect(text).to.contain('[PHONE_1]').and.not.contain('123 45 67');
        expect(text.includes('anna@example.com'), assistant.id).to.equal(assistant.id === next.id);
        return [assistant.id, redaction?.entities.toSorted()];
      }),
    );
    expect(redacted).to.have.deep.members([
      [next.id, ['phone']],
      [next.id, ['phone']],
      [more.id, ['email', 'phone']],
    ]);
  });

  it('wait for a reanalysis that redacts more than its original: its conversation is not redacted yet', async () => {
    const { session_id } = await finish('My number is +998 90 123 45 67.');
    const [id, more] = [session_id, { ...(await SessionModel.query().findById(session_id))!.assistant }];
    await SessionModel.query()
      .patch({ assistant: { ...more, redaction: REDACTION } })
      .where({ id });
    expect((await analyze(id)).problem.reason).to.equal('no_transcript');
    expect(await ofFirst(id)).to.deep.equal([]);
  });

  it('exist exactly if their conditions hold, null and unverified included', async () => {
    const when = {
      always: [],
      yes: ['resolved:eq:true'],
      no: ['resolved:eq:false'],
      both: ['resolved:eq:false', 'stars:gte:4'],
      nothing: ['stars:null', 'resolved:unverified'],
    };
    const made = Object.fromEntries(
      await Promise.all(Object.keys(when).map(async (name) => [(await another({ name })).id, name] as const)),
    );
    await follow(
      ...Object.entries(made).map(([assistant_id, name]) => ({ assistant_id, when: when[name as keyof typeof when] })),
    );
    const namesAfter = async (text: string) => {
      const { session_id } = await finish(text);
      return (await ofFirst(session_id)).map(({ assistant_id }) => made[assistant_id] ?? '').sort();
    };
    expect(await namesAfter('It is fine. [value resolved=true] [value stars=5]')).to.deep.equal(['always', 'yes']);
    expect(await namesAfter('It is bad. [value resolved=false] [value stars=5]')).to.deep.equal([
      'always',
      'both',
      'no',
    ]);
    expect(await namesAfter('It is bad. [quote invented] [value resolved=false] [field stars=null]')).to.deep.equal([
      'always',
      'no',
      'nothing',
    ]);
  });

  it('are sessions of their own assistant on the same turns, and pay for no transcription', async () => {
    const calls = await addVoiceAssistant(service.api, owner.token, { follow_ups: [{ assistant_id: next.id }] });
    const first = await submitVoice(service.api, { token: owner.token, assistantId: calls.id });
    expect(first).to.not.have.property('first_session_id');
    const [row] = await allEnded(first.session_id);
    const followUp = await owner.read(row?.session_id ?? '');
    expect(followUp).to.deep.include({
      first_session_id: first.session_id,
      assistant_id: next.id,
      type: 'text',
      audio: null,
    });
    expect(followUp).to.deep.include({ status: 'completed', source_session_id: null, assistant_version: 1 });
    for (const name of ['conversation', 'metadata', 'occurred_at', 'roles'] as const)
      expect(followUp[name], name).to.deep.equal(first[name]);
    const steps = (await ProviderCallModel.findOfSession(followUp.session_id)).map(({ step }) => step);
    expect(steps).to.deep.equal(['analysis']);
  });

  it('start none themselves, and neither do retries, reanalyses, trials and batches', async () => {
    await change({ follow_ups: [{ assistant_id: owner.assistant.id }] }, next.id);
    await follow({ assistant_id: next.id });
    const first = await finish();
    const [followUp] = await allEnded(first.session_id);
    expect(await listed(followUp?.session_id ?? '')).to.deep.equal([]);
    for (const trial of [true, false]) {
      const { body } = await send(service.api, 'reanalyzeSession', { ...at(first.session_id), body: { trial } });
      expect(await ofFirst((body as { session_id: string }).session_id)).to.deep.equal([]);
    }
    const filter = { session_id: [first.session_id], assistant_id: owner.assistant.id };
    const body = { action: 'reanalyze', filter } as const;
    const { batch_id } = (await send(service.api, 'createBatch', { token: owner.token, body })).body as Batch;
    await eventually(
      async () => (await send(service.api, 'getBatch', at(batch_id))).body.ended_at,
      (ended) => ended !== null,
    );
    const [again] = await SessionModel.query().where({ batch_id });
    expect(await ofFirst(again?.id ?? '')).to.deep.equal([]);
    const { session_id, status } = await finish('Hello. [provider status=401 times=1]');
    expect([status, await listed(session_id)]).to.deep.equal(['failed', []]);
    await send(service.api, 'retrySession', at(session_id));
    expect((await owner.untilEnded(session_id)).status).to.equal('completed');
    expect(await listed(session_id)).to.deep.equal([]);
  });

  it('are skipped if their assistant is deleted meanwhile, and the timeline says so; the others start', async () => {
    const gone = await another();
    await follow({ assistant_id: gone.id }, { assistant_id: next.id });
    await send(service.api, 'deleteAssistant', at(gone.id));
    const { session_id } = await finish();
    expect((await ofFirst(session_id)).map(({ assistant_id }) => assistant_id)).to.deep.equal([next.id]);
    const timeline = await send(service.api, 'getSessionTimeline', at(session_id));
    expect(timeline.body.skipped_follow_ups).to.deep.equal([gone.id]);
  });

  it('are deleted with their first, which leaves no row and no text', async () => {
    const marker = `marker${crypto.randomUUID().replaceAll('-', '')}`;
    await follow({ assistant_id: next.id });
    const { session_id } = await finish(`Hello ${marker}.`);
    const [followUp] = await allEnded(session_id);
    await send(service.api, 'reanalyzeSession', { ...at(followUp?.session_id ?? ''), body: {} });
    expect(await findTables(marker)).to.not.deep.equal([]);
    expect((await send(service.api, 'deleteSession', at(session_id))).status).to.equal(204);
    expect(await findTables(marker)).to.deep.equal([]);
    expect(await SessionModel.query().where({ assistant_id: next.id })).to.deep.equal([]);
    const event = await AuditEventModel.query().findOne({ object_id: session_id, action: 'session_deleted' });
    expect(event?.details, 'with its reanalysis').to.deep.equal({ follow_ups: 2 });
  });

  it('are created by hand: 202 with the new session, 409 for what has no conversation or is a follow-up', async () => {
    const { session_id } = await finish();
    const { status, body } = await analyze(session_id);
    expect(status).to.equal(202);
    expect(body).to.include({ first_session_id: session_id, assistant_id: next.id });
    await owner.untilEnded(body.session_id);
    expect((await analyze(body.session_id)).problem.reason).to.equal('is_follow_up');
    const missing = await SessionModel.query().patch({ conversation: null }).where({ id: session_id });
    expect(missing).to.equal(1);
    expect((await analyze(session_id)).problem.reason).to.equal('no_transcript');
    expect((await analyze(session_id, owner.assistant.id)).status).to.equal(409);
  });

  it('are 404 if their first is deleted at the same time', async () => {
    const { session_id: id } = await finish();
    const deletion = await SessionModel.startTransaction();
    await SessionModel.query(deletion).deleteById(id);
    const asked = analyze(id);
    const waiting = () =>
      SessionModel.knex().raw<{ rows: unknown[] }>(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
    await eventually(async () => (await waiting()).rows.length, 1);
    await deletion.commit();
    expect((await asked).status).to.equal(404);
  });

  it('are created for history by a batch: one for each original that has none, and within its cost limit', async () => {
    const [one, two] = [await finish(), await finish()];
    await owner.untilEnded((await analyze(one.session_id)).body.session_id);
    const filter = { assistant_id: owner.assistant.id };
    const ask = async (more: object) => {
      const body = { action: 'analyze', filter, assistant_id: next.id, ...more } as const;
      return send(service.api, 'createBatch', { token: owner.token, body });
    };
    expect((await ask({ assistant_id: undefined })).problem.errors?.[0]?.path).to.equal('assistant_id');
    const estimate = (await ask({ dry_run: true })).body as BatchEstimate;
    expect(estimate.total).to.equal(1);
    expect((await ask({ dry_run: true, economy: true })).body).to.have.property('economy_cost_usd');
    expect(estimate.expected_cost_usd).to.be.greaterThan(0);
    const { batch_id, ...batch } = (await ask({ max_cost_usd: 1 })).body as Batch;
    expect(batch).to.include({ assistant_id: next.id, max_cost_usd: 1 });
    const ended = await eventually(
      async () => (await send(service.api, 'getBatch', at(batch_id))).body,
      ({ ended_at }) => ended_at !== null,
    );
    expect(ended).to.include({ completed: 1, remaining: 0 });
    const [made, ...others] = await listed(two.session_id);
    expect(others).to.deep.equal([]);
    expect(made).to.include({ batch_id, assistant_id: next.id, status: 'completed' });
    expect(await listed(one.session_id)).to.have.length(1);
    expect(((await ask({ dry_run: true })).body as BatchEstimate).total).to.equal(0);
  });

  it('that results choose say so in the accuracy of their assistant', async () => {
    const chosenBy = async () => (await send(service.api, 'getAssistantAccuracy', at(next.id))).body;
    await follow({ assistant_id: next.id });
    expect(await chosenBy()).to.not.have.property('chosen_by');
    expect((await send(service.api, 'getAssistant', at(next.id))).body).to.not.have.property('follow_ups');
    await follow({ assistant_id: next.id, when: ['resolved:eq:false'] });
    const [byFollowUp, byBatch] = ['resolved:eq:false', 'resolved:null'].map((condition) => ({
      assistant_id: owner.assistant.id,
      when: [condition],
    }));
    expect((await chosenBy()).chosen_by).to.deep.equal([byFollowUp]);
    await finish();
    const filter = { assistant_id: owner.assistant.id, field: ['resolved:null'] };
    const body = { action: 'analyze', filter, assistant_id: next.id } as const;
    expect((await send(service.api, 'createBatch', { token: owner.token, body })).status).to.equal(202);
    expect((await chosenBy()).chosen_by).to.have.deep.members([byFollowUp, byBatch]);
  });
});
