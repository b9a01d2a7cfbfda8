import type { AssistantModel } from '../../../db/models/assistant.ts';
import { AuditEventModel } from '../../../db/models/audit-event.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { finishSession } from '../../../db/queries/session-status.ts';
import { renewSearchWords } from '../../../activities/sweeps/renew-search-words.ts';
import { send } from '../../support/api.ts';
import { createOwner, createSession } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('The metadata of a session', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  const patch = (id: string, body: object) => send(api, 'updateSession', { token, params: { id }, body });
  const find = async (query: Record<string, string>) =>
    (await send(api, 'listSessions', { token, query })).body.data.map(({ session_id }) => session_id);

  it('is merged at any status, null removes a pair, and the rest of the session stays', async () => {
    for (const status of ['queued', 'analyzing', 'completed', 'failed', 'canceled'] as const) {
      const before = await createSession(assistant, { status, metadata: { call_id: 'c-1', stage: 'new' } });
      const { body } = await patch(before.id, { metadata: { outcome: 'paid', amount: 12.5, stage: null } });
      expect(body.metadata, status).to.deep.equal({ call_id: 'c-1', outcome: 'paid', amount: '12.5' });
      const after = await SessionModel.query().findById(before.id).throwIfNotFound();
      expect({ ...after, metadata: null }).to.deep.equal({ ...before, metadata: null });
    }
  });

  it('has at most 16 pairs, and an invalid change is refused whole', async () => {
    const pairs = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`key ${index}`, 'a']));
    const { id } = await createSession(assistant, { status: 'completed', metadata: pairs });
    expect((await patch(id, { metadata: { last: 'b' } })).status).to.equal(200);
    expect((await patch(id, { metadata: { last: null, other: 'b' } })).status).to.equal(200);
    for (const [body, path] of [
      [{ metadata: { more: 'c' } }, 'metadata'],
      [{ metadata: { other: 'a'.repeat(501) } }, 'metadata.other'],
      [{ metadata: { ['k'.repeat(65)]: 'a' } }, `metadata.${'k'.repeat(65)}`],
      [{ metadata: { other: ['a'] } }, 'metadata.other'],
      [{ metadata: { other: 'c' }, summary_text: 'Better.' }, 'summary_text'],
      [{}, 'metadata'],
    ] as const) {
      const { status, problem } = await patch(id, body);
      expect([status, problem.errors?.[0]?.path]).to.deep.equal([422, path]);
    }
    const { metadata } = await SessionModel.query().findById(id).throwIfNotFound();
    expect(metadata).to.deep.equal({ ...pairs, other: 'b' });
  });

  it('is found by filters and searches at once, and is audited by its keys', async () => {
    const { id } = await createSession(assistant, { status: 'completed', metadata: { outcome: 'postponed' } });
    await patch(id, { metadata: { outcome: 'ordered-7' } });
    expect(await find({ 'metadata.outcome': 'ordered-7' })).to.deep.equal([id]);
    for (const q of ['ordered7', 'parcel']) expect(await find({ q }), q).to.deep.equal([id]);
    expect(await find({ q: 'postponed' })).to.deep.equal([]);
    const event = await AuditEventModel.query().findOne({ object_id: id, action: 'session_changed' });
    expect(event?.details).to.deep.equal({ metadata: 'outcome' });
  });

  it('is found also if it changes while the session ends', async () => {
    const { id } = await createSession(assistant, { status: 'analyzing', metadata: { outcome: 'postponed' } });
    const texts = await SessionModel.query().findById(id).throwIfNotFound();
    await patch(id, { metadata: { outcome: 'ordered' } });
    await finishSession(id, { status: 'canceled' }, { texts });
    await renewSearchWords();
    expect([await find({ q: 'ordered' }), await find({ q: 'postponed' })]).to.deep.equal([[id], []]);
  });
});
