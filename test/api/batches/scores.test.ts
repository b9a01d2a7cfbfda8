import { typeid } from 'typeid-js';
import type { Batch } from '../../../contract/sessions/batches.ts';
import { scoresOf } from '../../../contract/fields/score.ts';
import type { FieldValue, Score } from '../../../contract/fields/result-fields.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createExperiment, type Values } from '../../support/experiments.ts';
import { createAnswered } from '../../support/factories.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { useTestService } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { field } from '../../activities/fields/fields.ts';

const QUESTIONS = [
  field('resolved', 'boolean'),
  field('tone', 'enum', { options: ['polite', 'rude'] }),
  field('waits', 'integer', { evidence: false }),
];
const quality = (yes: number) =>
  field('quality', 'score', {
    of: [
      { field: 'resolved', points: { true: yes } },
      { field: 'tone', points: { polite: 40, rude: 10 } },
      { field: 'waits', points: { '0': 20, '2': 5, '5': 0 } },
    ],
    must: ['tone:ne:rude'],
    pass: 80,
    title: 'Quality',
  });

const COPIED = `workspace_id, assistant_id, type, assistant, assistant_version, conversation, metadata, simulated, status, completed_at,
  summary_text, raw_response`;

const scoreOf = ({ raw_response: raw }: { raw_response: Record<string, unknown> | null }) =>
  (raw?.['scores'] as Record<string, Score> | undefined)?.['quality'];

describe('Scores', () => {
  const service = useTestService();
  let receiver: Receiver;
  let owner: SessionOwner;
  beforeEach(async () => {
    receiver = await stopAfterTest(startReceiver());
    const alert = {
      name: 'Poor',
      when: ['quality:lt:80'],
      url: receiver.url,
      secret: null,
      auth: 'both',
      format: 'json',
    };
    owner = await createSessionOwner(() => service.api, {
      webhook_url: receiver.url,
      fields: [...QUESTIONS, quality(40)],
      alerts: [alert as never],
    });
  });

  const at = (id: string) => ({ token: owner.token, params: { id } });
  const read = async (id: string) => (await send(service.api, 'getSession', at(id))).body;
  const begin = async (more: object = {}) => {
    const body = { action: 'score', filter: { assistant_id: owner.assistant.id }, ...more } as const;
    return (await send(service.api, 'createBatch', { token: owner.token, body })).body as Batch;
  };
  const ended = async ({ batch_id }: Batch) =>
    eventually(
      async () => (await send(service.api, 'getBatch', at(batch_id))).body,
      ({ ended_at }) => ended_at !== null,
    );
  const change = async (yes: number) => {
    const body = { fields: [...QUESTIONS, quality(yes)] };
    expect((await send(service.api, 'updateAssistant', { ...at(owner.assistant.id), body })).status).to.equal(200);
  };

  it('are computed with the result, and found by filters, alerts and figures', async () => {
    const id = await owner.submit('It was resolved. [value resolved=false] [value tone=polite] [value waits=3]');
    const session = await owner.untilEnded(id);
    const { parts, ...score } = scoreOf(session)!;
    const must = [{ field: 'tone', met: true, unverified: false }];
    expect(score).to.deep.equal({ value: 45, low: 45, high: 45, passed: false, must, version: 1 });
    expect(parts.map(({ points, max }) => `${points}/${max}`)).to.deep.equal(['0/40', '40/40', '5/20']);
    const { id: assistant_id } = owner.assistant;
    for (const [field, count] of Object.entries({
      'quality:lt:45.5': 1,
      'quality:gte:45.5': 0,
      'quality:unverified': 0,
    })) {
      const query = { assistant_id, field };
      expect((await send(service.api, 'listSessions', { token: owner.token, query })).body.data, field).to.have.length(
        count,
      );
    }
    const events = () =>
      receiver.requests.map(({ body }) => (JSON.parse(String(body)) as { event: string }).event).sort();
    await eventually(events, ['session.alert', 'session.completed']);
    const { body: results } = await send(service.api, 'getAssistantResults', at(assistant_id));
    expect(results.fields.at(-1)).to.deep.include({ name: 'quality', mean: 45 });
  });

  it('are open if only an unverified answer decides, until a person decides it', async () => {
    const values = { resolved: true, tone: 'polite', waits: 0 };
    const { id } = await createAnswered(owner.assistant, values, { unverified: ['resolved'] });
    await ended(await begin());
    expect(scoreOf(await read(id))).to.include({ value: 100, low: 60, high: 100, passed: 'open' });
    const put = async (answers: Record<string, FieldValue | null>) =>
      (await send(service.api, 'putSessionReview', { ...at(id), body: { answers, sampled: true } })).body;
    const partly = await put({ resolved: false });
    expect(partly).to.deep.include({ answers: { resolved: false, quality: 60 } });
    expect(partly.marks).to.not.have.property('quality');
    const all = await put({ ...partly.answers, tone: 'polite', waits: 0 });
    expect(all.answers).to.include({ quality: 60 });
    expect(all.marks['quality']).to.deep.equal({ mark: 'wrong', quotes: 'none', title: 'Quality' });
    const { body: accuracy } = await send(service.api, 'getAssistantAccuracy', at(owner.assistant.id));
    expect(accuracy.fields.find(({ name }) => name === 'quality')).to.include({ judged: 1, right: 0, wrong: 1 });
    await change(20);
    await ended(await begin());
    expect((await send(service.api, 'getSessionReview', at(id))).body.answers).to.include({ quality: 75 });
    expect(scoreOf(await read(id))).to.include({ value: 100, low: 75, version: 2 });
  });

  it('are compared in an experiment once a person has decided all that they count', async () => {
    const [before, after] = [true, false].map((resolved) => ({ resolved, tone: 'polite', waits: 0 }));
    const scored = (values: Values) => ({ ...values, quality: values['resolved'] ? 100 : 60 });
    const pair = (right: Values) => ({ before: scored(before!), after: scored(after!), right });
    const pairs = [pair(after!), pair({ resolved: false })];
    const compare = async (id: string) =>
      (await send(service.api, 'getBatchAccuracy', at(id))).body.fields.find(({ name }) => name === 'quality');
    const id = await createExperiment(service.api, owner, pairs);
    expect(await compare(id)).to.include({ both: 0, only_before: 0, only_after: 1, neither: 0, left_out: 0 });
    // Other points are another question.
    await SessionModel.query()
      .where({ batch_id: id })
      .patch({ assistant: { ...owner.assistant.freeze(), fields: [...QUESTIONS, quality(1)] } });
    expect(await compare(id)).to.include({ only_after: 0, left_out: 1, question_changed: true });
  });

  it('follow changed points in 2,000 sessions within a minute, without a call, webhook or alert', async () => {
    const values = [true, false, null].flatMap((resolved) =>
      ['polite', 'rude', null].flatMap((tone) => [0, 3, 9, null].map((waits) => ({ resolved, tone, waits }))),
    );
    const templates = await Promise.all(values.map((each) => createAnswered(owner.assistant, each)));
    const copies = Array.from({ length: 2_000 - values.length }, (_, index) => ({
      id: templates[index % templates.length]!.id,
      copy: typeid('sess').toString(),
    }));
    await SessionModel.knex().raw(
      `with given as (select * from jsonb_to_recordset(cast(? as jsonb)) as given (id text, copy text)),
       made as (insert into sessions (id, ${COPIED}) select copy, ${COPIED} from given join sessions using (id))
       insert into session_fields select made.* from given join session_fields answer on answer.session_id = given.id
         cross join lateral jsonb_populate_record(answer, jsonb_build_object('session_id', copy)) made`,
      [JSON.stringify(copies)],
    );
    await change(60);
    const before = new Date();
    expect(await begin({ dry_run: true })).to.include({ total: 2_000, expected_cost_usd: 0, max_cost_usd: 0 });
    const batch = await ended(await begin({ notify: true }));
    expect(Date.now() - before.getTime()).to.be.below(60_000);
    expect(batch).to.include({ status: 'completed', completed: 2_000, cost_usd: 0, assistant_version: 2 });
    const rows = await SessionModel.query()
      .select('raw_response', SessionModel.raw('value_num::float8 as stored'))
      .joinRaw('join session_fields answer on answer.session_id = sessions.id')
      .joinRaw("join assistant_fields field on field.id = answer.field_id and field.type = 'score'")
      .joinRaw('join session_changes changed on changed.session_id = sessions.id')
      .where({ 'sessions.assistant_id': owner.assistant.id })
      .where('changed.updated_at', '>', before)
      .castTo<{ raw_response: Record<string, unknown>; stored: number | null }[]>();
    expect(rows).to.have.length(2_000);
    const expected = new Map<string, number | null>();
    for (const { raw_response, stored } of rows) {
      const { quality: value, ...answers } = raw_response['fields'] as Record<string, FieldValue | null>;
      const key = JSON.stringify(answers);
      // The calculation itself is tested by score.unit.test.ts.
      const score = () => scoresOf([...QUESTIONS, quality(60)], { fields: answers, evidence: {} })['quality']!.value;
      if (!expected.has(key)) expected.set(key, score());
      expect(scoreOf({ raw_response })).to.include({ value: expected.get(key), version: 2 });
      expect([value, stored]).to.deep.equal([expected.get(key), expected.get(key)]);
    }
    expect(await ProviderCallModel.query().where({ assistant_id: owner.assistant.id }).resultSize()).to.equal(0);
    expect(await DeliveryModel.query().where({ assistant_id: owner.assistant.id }).resultSize()).to.equal(0);
  }).timeout(120_000);
});
