import type { Client } from '@temporalio/client';
import type { AlertFormat } from '../../../contract/values/constants.ts';
import { AlertWebhookPayloadSchema } from '../../../contract/sessions/deliveries.ts';
import type { StoredAlert } from '../../../db/models/assistant.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { errorOf } from '../../support/error-of.ts';
import { createBatch } from '../../support/factories.ts';
import { field } from '../fields/fields.ts';
import { ANALYSIS, answerWell, useFakeProvider } from '../providers/fake-provider.ts';
import { newSession } from './analysis.ts';
import { analysisWith, runStep } from './steps.ts';

describe('A result that meets the conditions of alerts', () => {
  const fake = useFakeProvider('openai');

  const run = (session: SessionModel, client: Client) =>
    runStep(session, analysisWith({ llm: fake.providers, client, publicUrl: 'https://calls.example.com' }));

  const deliveriesOf = ({ id }: SessionModel) => DeliveryModel.query().where({ session_id: id });

  const fields = [
    field('resolved', 'boolean', { title: 'Проблема <решена>' }),
    field('score', 'integer'),
    field('words', 'string_list'),
  ];
  const alert = (name: string, when: string[], format: AlertFormat = 'json'): StoredAlert => ({
    name,
    when,
    format,
    url: 'https://example.com/alerts',
    secret: null,
    auth: 'both',
  });
  const alerts = [
    alert('Unresolved', ['resolved:eq:false', 'score:lte:3']),
    alert('For <!channel>', ['score:not_null', 'resolved:not_null', 'words:not_null'], 'slack'),
    alert('Resolved', ['resolved:eq:true']),
    alert('Of a removed field', ['mood:null']),
  ];
  // Line breaks of several kinds.
  const summary_text = `A & B\nOpen https://evil.example/ now\r\n\u0085\u2028<b>${'ж'.repeat(600)}`;
  const answer = () => {
    const values = { resolved: [false], score: [3], words: ['a\nb', 'w'.repeat(200)] };
    fake.behave(
      answerWell('openai', { text: JSON.stringify({ ...ANALYSIS, summary_text, fields: values, evidence: [] }) }),
    );
  };

  it('stores one delivery for each with the result, and starts each once, also after a start that failed', async () => {
    const session = await newSession('openai', { webhook_url: 'https://example.com/hook', alerts, fields });
    const starts: string[] = [];
    const client = (isUp: boolean) => {
      const start = async (_type: string, { workflowId }: { workflowId: string }) => {
        if (!isUp) throw new Error('Temporal is away');
        starts.push(workflowId);
      };
      return { workflow: { start } } as unknown as Client;
    };
    answer();
    expect(await errorOf(run(session, client(false)))).to.be.instanceOf(Error);
    const stored = await deliveriesOf(session);
    const [result, json, slack] = [null, 'Unresolved', 'For <!channel>'].map((name) =>
      stored.find((delivery) => delivery.alert === name),
    );
    const outcome = await run(session, client(true));
    expect(outcome).to.deep.equal({ status: 'completed', delivery_id: result?.id });
    expect(fake.requests).to.have.length(1);
    expect(starts).to.have.members([json?.id, slack?.id]);
    expect(await deliveriesOf(session)).to.have.length(3);

    for (const [delivery, name] of [
      [json, 'Unresolved'],
      [slack, 'For <!channel>'],
    ] as const)
      expect(delivery).to.include({ event: 'session.alert', alert: name, workflow_id: delivery?.id });
    const payload = JSON.parse(json?.payload ?? '') as unknown;
    expect(AlertWebhookPayloadSchema.parse(payload)).to.deep.equal({
      ...(JSON.parse(result?.payload ?? '') as object),
      event: 'session.alert',
      alert: { name: 'Unresolved', matched: { resolved: false, score: 3 }, titles: { resolved: 'Проблема <решена>' } },
    });
    expect(JSON.parse(slack?.payload ?? '')).to.deep.equal({
      mrkdwn: false,
      text:
        `https://calls.example.com/console/w/${session.workspace_id}/sessions/${session.id} – ` +
        `For &lt;!channel&gt; (Проблема &lt;решена&gt;: ✗, score: 3, words: a b; ${'w'.repeat(94)}…): ` +
        `A &amp; B Open https://evil.example/ now &lt;b&gt;${'ж'.repeat(459)}…`,
    });
  });

  it('stores none for trials and for batches without notify', async () => {
    const batchOf = async ({ workspace_id }: SessionModel, notify: boolean) =>
      (await createBatch(workspace_id, { notify })).id;
    const client = { workflow: { start: () => Promise.resolve() } } as unknown as Client;
    for (const [columns, count] of [
      [() => ({ trial: true }), 0],
      [async (session: SessionModel) => ({ batch_id: await batchOf(session, false) }), 0],
      [async (session: SessionModel) => ({ batch_id: await batchOf(session, true) }), 2],
    ] as const) {
      const session = await newSession('openai', { alerts, fields });
      await session.$query().patch(await columns(session));
      answer();
      expect(await run(session, client)).to.include({ status: 'completed' });
      expect(await deliveriesOf(session), columns.toString()).to.have.length(count);
    }
  });
});
