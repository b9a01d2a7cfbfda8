import { wilson } from '../../../contract/values/wilson.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { createAnswered, createOwner } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const FIELDS = [{ name: 'resolved', type: 'boolean' as const, description: 'Was it?', evidence: true }];

describe('group_by=metadata.KEY', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner({ fields: FIELDS }));
  });

  const answer = (metadata: Record<string, string>, resolved: boolean | null = true) =>
    createAnswered(assistant, { resolved }, { metadata });

  /** Adds a call to the ledger. */
  const pay = ({ id, workspace_id, assistant_id }: SessionModel, cost_usd: number, attempt = 1) =>
    ProviderCallModel.query().insert({
      session_id: id,
      step: 'analysis',
      attempt,
      workspace_id,
      assistant_id,
      provider: 'openai',
      model: 'gpt-6-luna',
      status: 'succeeded',
      started_at: new Date(),
      usage: { input_tokens: 100, output_tokens: 10 },
      cost_usd,
    });

  const askUsage = (group_by: string) => send(api, 'getUsage', { token, query: { group_by } });
  const usageOf = async (group_by: string) => (await askUsage(group_by)).body;
  const params = () => ({ id: assistant.id });
  const askResults = (group_by: string) =>
    send(api, 'getAssistantResults', { token, params: params(), query: { group_by } });
  const askAccuracy = (group_by: string) =>
    send(api, 'getAssistantAccuracy', { token, params: params(), query: { group_by } });

  const review = (session: SessionModel, resolved: boolean) =>
    send(api, 'putSessionReview', {
      token,
      params: { id: session.id },
      body: { answers: { resolved }, sampled: true },
    });

  it('sums usage by value, also with other groups; a deleted session and one without the key have no value', async () => {
    const acme = await answer({ customer: 'Acme', agent: 'Eve' });
    await pay(acme, 1);
    await pay(acme, 2, 2);
    await pay(await answer({ customer: 'Ünal & Co, "1"' }), 0.5);
    await pay(await answer({ agent: 'Bob' }), 4);
    const gone = await answer({ customer: 'Acme' });
    await pay(gone, 8);
    await send(api, 'deleteSession', { token, params: { id: gone.id } });
    const { data, totals, group_by, metadata_keys } = await usageOf('metadata.customer');
    expect(group_by).to.deep.equal(['metadata.customer']);
    expect(metadata_keys).to.have.members(['customer', 'agent']);
    expect(data.map(({ group, others, sessions, cost_usd }) => ({ group, others, sessions, cost_usd }))).to.deep.equal([
      { group: 'Acme', others: false, sessions: 1, cost_usd: 3 },
      { group: 'Ünal & Co, "1"', others: false, sessions: 1, cost_usd: 0.5 },
      { group: null, others: false, sessions: 2, cost_usd: 12 },
    ]);
    expect(totals).to.include({ sessions: 4, calls: 5, cost_usd: 15.5 });
    const both = await usageOf('day,metadata.customer,model');
    expect(both.data[0]).to.include({ group: 'Acme', model: 'gpt-6-luna', cost_usd: 3 });
    expect(both.data[0]?.day).to.match(/^\d{4}-/);
    expect((await usageOf('day')).data[0]).not.to.have.property('group');
  });

  it('counts results and accuracy by value', async () => {
    for (const resolved of [true, true, false]) await answer({ agent: 'Eve' }, resolved);
    await answer({ agent: 'Bob' }, null);
    await answer({});
    await review(await answer({ agent: 'Eve' }), true);
    await review(await answer({ agent: 'Eve' }), false);
    await review(await answer({ agent: 'Bob' }), true);
    await review(await answer({}), true);
    const [results] = (await askResults('metadata.agent')).body.fields;
    const counted = results?.by_group?.map((each) => [
      each.group,
      each.others,
      each.count,
      each.null_count,
      ...each.value_counts,
    ]);
    expect(counted).to.deep.equal([
      ['Eve', false, 5, 0, 4, 1],
      ['Bob', false, 2, 1, 1, 0],
      [null, false, 2, 0, 2, 0],
    ]);
    expect(results?.by_version).to.have.length(1);
    const [accuracy] = (await askAccuracy('metadata.agent')).body.fields;
    expect(accuracy?.by_group?.map(({ group, right, judged }) => [group, right, judged])).to.deep.equal([
      ['Eve', 1, 2],
      ['Bob', 1, 1],
      [null, 1, 1],
    ]);
    expect(accuracy?.by_version[0]).to.include({ right: 3, judged: 4 });
  });

  it('exports the shares of each group with their intervals as CSV', async () => {
    for (const resolved of [true, true, false]) await review(await answer({ agent: 'Eve, "A"' }, resolved), true);
    await answer({ agent: 'Bob' }, null);
    await answer({});
    const read = async (query: string) => {
      const url = `${api.url}/api/v1/exports/assistants/${assistant.id}/results?${query}`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
      return Buffer.from(await response.arrayBuffer())
        .toString()
        .split('\r\n');
    };
    const lines = await read('group_by=metadata.agent');
    expect(lines[0]).to.equal('\ufefffield,title,by,group,others,measure,value,count,of,share,lower,upper');
    const { lower, upper } = wilson(2, 3);
    const eve = 'resolved,,metadata.agent,"Eve, ""A""",false';
    expect(lines).to.include.members([
      `${eve},not_mentioned,,0,3,0,0,${wilson(0, 3).upper}`,
      `${eve},value,true,2,3,${2 / 3},${lower},${upper}`,
      `${eve},right,,2,3,${2 / 3},${lower},${upper}`,
      'resolved,,metadata.agent,Bob,false,value,true,0,0,,,',
      `resolved,,metadata.agent,,false,value,true,1,1,1,${wilson(1, 1).lower},1`,
    ]);
    const start = 'resolved;;version;1;false;value;true;3;4;0,75;0,';
    expect((await read('delimiter=semicolon')).some((line) => line.startsWith(start))).to.equal(true);
  });

  it('gives the 50 most frequent values groups of their own and sums the others, also of a value "others"; such a key is not listed', async () => {
    const sessions = [];
    for (let call = 0; call < 53; call++)
      sessions.push(await answer({ call_id: `c-${call}`, agent: `a-${call % 50}`, shift: `s-${call % 51}` }));
    for (let call = 0; call < 2; call++) sessions.push(await answer({ call_id: 'others' }));
    for (const session of sessions) await pay(session, 1);
    for (const session of sessions) await review(session, true);
    const report = (await askResults('metadata.call_id')).body;
    expect(report.metadata_keys).to.deep.equal(['agent']);
    const [results] = report.fields;
    const [accuracy] = (await askAccuracy('metadata.call_id')).body.fields;
    const { data } = await usageOf('metadata.call_id');
    for (const groups of [data, results?.by_group ?? [], accuracy?.by_group ?? []]) {
      expect(groups.filter(({ others }) => others)).to.have.length(1);
      expect(groups.filter(({ others }) => !others)).to.have.length(50);
      expect(groups.map(({ group }) => group)).to.include('others');
    }
    expect(data.find(({ others }) => others)).to.include({ group: null, cost_usd: 4 });
    expect(results?.by_group?.at(-1)).to.include({ group: null, others: true, count: 4 });
    expect(accuracy?.by_group?.at(-1)).to.include({ group: null, others: true, judged: 4 });
  });

  it('refuses unknown keys with the known ones, and malformed groups', async () => {
    await answer({ customer: 'Acme' });
    const askExport = (group_by: string) =>
      send(api, 'exportAssistantResults', { token, params: params(), query: { group_by } });
    for (const ask of [askUsage, askResults, askAccuracy, askExport]) {
      const { status, problem } = await ask('metadata.costumer');
      expect(status).to.equal(422);
      expect(problem.errors?.[0]).to.deep.include({
        path: 'group_by',
        code: 'not_metadata',
        params: { key: 'costumer', keys: 'customer' },
      });
      for (const group of ['metadata.', 'metadata', 'customer', '', `metadata.${'a'.repeat(65)}`])
        expect((await ask(group)).status, group).to.equal(422);
    }
    for (const groups of ['metadata.customer,metadata.customer', 'metadata.customer,metadata.a', 'day,day', 'day,'])
      expect((await askUsage(groups)).status, groups).to.equal(422);
  });

  it('neither reads nor names keys and values of another workspace', async () => {
    await pay(await answer({ secret: 'theirs' }), 1);
    const other = await createOwner({ fields: FIELDS });
    const { problem } = await send(api, 'getUsage', { token: other.token, query: { group_by: 'metadata.secret' } });
    expect(problem.errors?.[0]?.params).to.deep.equal({ key: 'secret', keys: 'none' });
  });
});
