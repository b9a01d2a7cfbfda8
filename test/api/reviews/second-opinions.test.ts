import type { ResultField } from '../../../contract/fields/result-fields.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SecondOpinionModel } from '../../../db/models/second-opinion.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { createAnswered, createOwner } from '../../support/factories.ts';
import { createMember } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const FIELDS: ResultField[] = [
  { name: 'resolved', type: 'boolean', description: 'Was it?', evidence: true },
  { name: 'reason', type: 'string', description: 'Why?', evidence: false },
];

describe('Second opinions', () => {
  const api = useTestApi();
  let owner: { token: string };
  let first: { token: string };
  let second: { token: string };
  let third: { token: string };
  let assistant: AssistantModel;
  let session: SessionModel;
  beforeEach(async () => {
    const made = await createOwner({ fields: FIELDS });
    [owner, assistant] = [made, made.assistant];
    const member = () => createMember(assistant.workspace_id, 'analyst');
    [first, second, third] = [await member(), await member(), await member()];
    session = await answered();
  });

  const answered = () => createAnswered(assistant, { resolved: true, reason: null });
  const as = ({ token }: { token: string }, { id } = session) => ({
    token,
    workspace: assistant.workspace_id,
    params: { id },
  });
  const review = (who: { token: string }, answers: object, of = session) =>
    send(api, 'putSessionReview', { ...as(who, of), body: { answers, sampled: true } });
  const give = (who: { token: string }, answers: object, of = session, more: object = { sampled: true }) =>
    send(api, 'putSecondOpinion', { ...as(who, of), body: { answers, ...more } });
  const decide = (who: { token: string }, answers: Record<string, 'first' | 'second'>) =>
    send(api, 'decideSecondOpinion', { ...as(who), body: { answers } });
  const read = async () => (await send(api, 'getSecondOpinion', as(third))).body;
  const list = async (filter: string) =>
    (await send(api, 'listSessions', { token: owner.token, query: { review: filter } })).body.data.map(
      (each) => each.session_id,
    );

  it("are another person's: the reviewer's own API token is refused", async () => {
    const developer = await createMember(assistant.workspace_id, 'developer');
    await review(developer, { resolved: true });
    const body = { name: 'mine', scopes: ['reviews:write' as const, 'sessions:read' as const] };
    const key = (await send(api, 'createKey', { token: developer.token, workspace: assistant.workspace_id, body }))
      .body;
    const input = { params: { id: session.id }, body: { answers: { resolved: false }, sampled: true } };
    const given = await send(api, 'putSecondOpinion', { token: key.token, ...input });
    expect(given.problem).to.include({ status: 409, reason: 'own_review' });
  });

  it('that differ keep the review from being deleted by others', async () => {
    await review(first, { resolved: true });
    await give(second, { resolved: false });
    expect((await send(api, 'deleteSessionReview', as(third))).problem).to.include({ reason: 'only_reviewers' });
    expect((await send(api, 'deleteSessionReview', as(first))).status).to.equal(204);
  });

  it('are given once, by somebody else, who sees no first answer before, and keep both with their authors', async () => {
    expect((await give(second, { resolved: false })).problem).to.include({ status: 409, reason: 'not_reviewed' });
    const { reviewed_by } = (await review(first, { resolved: true, reason: 'Late' })).body;
    expect(await read()).to.include({ first: null, second: null });
    expect((await give(first, { resolved: false })).problem).to.include({ status: 409, reason: 'own_review' });
    expect((await give(second, { other: 1 })).paths).to.deep.equal(['answers.other']);
    expect((await give(second, {}, session, { unsure: ['other'] })).paths).to.deep.equal(['unsure.0']);
    const { body } = await give(second, { resolved: false, reason: ' late!' });
    expect(body.first).to.deep.include({ answers: { resolved: true, reason: 'Late' }, reviewed_by });
    expect(body.second?.answers).to.deep.equal({ resolved: false, reason: ' late!' });
    expect(body).to.deep.include({ differing: ['resolved'], decided_by: null });
    expect((await give(second, { resolved: true })).body).to.deep.equal(body);
    expect((await give(third, { resolved: true })).problem).to.include({ status: 409, reason: 'second_opinion_given' });
    expect((await send(api, 'getSessionReview', as(third))).body).to.deep.include({ reviewed_by });
    await send(api, 'deleteSessionReview', as(first));
    expect(await SecondOpinionModel.query().findById(session.id)).to.equal(undefined);
  });

  it('are decided by one of the two or an owner, and that answer counts', async () => {
    await review(first, { resolved: true, reason: 'Late' });
    expect(await list('single')).to.deep.equal([session.id]);
    await give(second, { resolved: false, reason: 'Late' });
    expect([await list('single'), await list('disputed')]).to.deep.equal([[], [session.id]]);
    expect((await decide(third, { resolved: 'second' })).problem).to.include({ status: 409, reason: 'only_reviewers' });
    expect((await review(third, { resolved: null })).problem).to.include({ status: 409, reason: 'only_reviewers' });
    expect((await decide(first, {})).paths).to.deep.equal(['answers.resolved']);
    expect((await decide(first, { resolved: 'second', reason: 'first' })).paths).to.deep.equal(['answers.reason']);
    expect((await decide(owner, { resolved: 'second' })).body.decided_by).to.match(/^(key|user)_/);
    const { body } = await send(api, 'getSessionReview', as(third));
    expect(body).to.deep.include({ answers: { resolved: false, reason: 'Late' }, sampled: true });
    expect(body.marks['resolved']?.mark).to.equal('wrong');
    expect(body.history.map(({ answers }) => answers['resolved'])).to.deep.equal([true]);
    expect(await list('disputed')).to.deep.equal([]);
    expect((await decide(first, { resolved: 'first' })).problem).to.include({ reason: 'nothing_to_decide' });
    expect((await read()).first?.answers['resolved']).to.equal(true);
  });

  it('are counted by field: how often two people agree, as they said it before anybody decided', async () => {
    const pairs: [boolean | null, boolean | null][] = [
      ...Array.from({ length: 4 }, () => [true, true] as [boolean, boolean]),
      ...Array.from({ length: 3 }, () => [false, false] as [boolean, boolean]),
      [true, false],
      [null, true],
    ];
    for (const [one, other] of pairs) {
      const of = await answered();
      await review(first, { resolved: one, reason: 'Late' }, of);
      await give(second, { resolved: other, reason: 'late' }, of);
    }
    const picked = await answered();
    await review(first, { resolved: true }, picked);
    await give(second, { resolved: false }, picked, {});
    const { body } = await send(api, 'getAssistantAccuracy', { token: owner.token, params: { id: assistant.id } });
    expect(body).to.include({ second_opinions: 10, disputed: 3 });
    const [resolved, reason] = body.fields;
    expect(resolved?.agreement).to.deep.include({ agreed: 7, judged: 9, share: 7 / 9 });
    // scikit-learn: cohen_kappa_score of these nine pairs.
    expect(resolved?.agreement.kappa).to.be.closeTo(26 / 44, 1e-9);
    expect(reason?.agreement).to.deep.include({ agreed: 9, judged: 9, kappa: null });
  });
});
