import type { AssistantModel } from '../../../db/models/assistant.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { ShareModel } from '../../../db/models/share.ts';
import { UserModel } from '../../../db/models/user.ts';
import { send } from '../../support/api.ts';
import { createExperiment } from '../../support/experiments.ts';
import { createAnswered, createAssistant, createBatch } from '../../support/factories.ts';
import { createMember, createPerson, join, type Person } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const FIELDS = [
  { name: 'resolved', title: 'Problem solved', type: 'boolean' as const, description: 'So?', evidence: false },
];
const CONVERSATION = [{ role: 'client', text: 'My card is [CARD_1].' }];

describe('A shared link', () => {
  const api = useTestApi({ env: { SHARED_LINKS: 'true' } });
  const closed = useTestApi();
  let boss: Person;
  let assistant: AssistantModel;
  let id: string;
  beforeEach(async () => {
    boss = await createPerson();
    assistant = await createAssistant(boss.workspaceId, { fields: FIELDS });
    ({ id } = await createAnswered(assistant, { resolved: true }, { conversation: CONVERSATION }));
  });

  const create = (body: object, by = boss, to: { url: string } = api) =>
    send(to, 'createShare', { token: by.token, workspace: boss.workspaceId, body });
  const open = (token: string, at: { url: string } = api) => send(at, 'openShare', { body: { token } });
  const share = async (body: object, by = boss) => (await create(body, by)).body;

  it('shows only the chosen parts, with the placeholders of what was redacted, and asks not to be indexed', async () => {
    const summary = await share({ session_id: id, parts: ['summary'] });
    const all = await share({ session_id: id, parts: ['conversation', 'fields'], expires_in_days: 1 });
    const answer = await open(summary.token);
    expect(answer.headers.get('x-robots-tag')).to.equal('noindex');
    const shown = answer.body;
    expect(shown).to.include({ title: assistant.name, summary_text: 'Done.', shared_by: boss.user.name });
    expect(shown).not.to.have.any.keys('conversation', 'fields', 'verdict', 'settings');
    const { conversation, fields, ...others } = (await open(all.token)).body;
    expect(conversation).to.deep.equal(CONVERSATION);
    expect(fields).to.deep.equal([{ title: 'Problem solved', value: true }]);
    expect(others).not.to.have.any.keys('summary_text', 'verdict');
    const { data } = (await send(api, 'listShares', { token: boss.token, query: { session_id: id } })).body;
    expect(data.map(({ share_id }) => share_id)).to.deep.equal([all.share_id, summary.share_id]);
    expect(JSON.stringify(data)).not.to.contain(all.token);
    const query = { action: 'share_created' };
    const events = (await send(api, 'listAuditEvents', { token: boss.token, query })).body.data;
    expect(events.map(({ object_id }) => object_id)).to.deep.equal([all.share_id, summary.share_id]);
  });

  it('shows the verdict of an experiment', async () => {
    const pair = { before: { resolved: false }, after: { resolved: true }, right: { resolved: true } };
    const batch_id = await createExperiment(api, { token: boss.token, assistant }, [pair], { name: 'Shorter' });
    const link = await share({ batch_id, parts: ['verdict'] });
    const shown = (await open(link.token)).body;
    expect(shown.title).to.equal('Shorter');
    expect(shown.verdict?.fields[0]).to.include({ name: 'resolved', only_after: 1, only_before: 0 });
    expect(shown).not.to.have.property('settings');
    const retry = await createBatch(boss.workspaceId);
    expect((await create({ batch_id: retry.id, parts: ['verdict'] })).problem).to.include({ reason: 'not_reanalyses' });
  });

  it('ends when it expires or is revoked, when its data is deleted, and when its creator loses the right', async () => {
    const body = { session_id: id, parts: ['summary'] };
    const analyst = await createMember(boss.workspaceId, 'analyst');
    const links = [await share(body), await share(body), await share(body, analyst), await share(body, analyst)];
    const [expired, revoked, demoted, disabled] = links;
    const status = async (link: { token: string } | undefined) => (await open(link?.token ?? '')).status;
    expect(await Promise.all(links.map(status))).to.deep.equal([200, 200, 200, 200]);
    await ShareModel.query()
      .findById(expired?.share_id ?? '')
      .patch({ expires_at: new Date(Date.now() - 1) });
    expect(await status(expired)).to.equal(404);
    const params = { id: revoked?.share_id ?? '' };
    await send(api, 'revokeShare', { token: boss.token, params });
    expect(await status(revoked)).to.equal(404);
    expect((await send(api, 'revokeShare', { token: boss.token, params })).status).to.equal(404);
    const role = (name: 'auditor' | 'analyst') =>
      MembershipModel.query().findById([analyst.user.id, boss.workspaceId]).patch({ role: name });
    await role('auditor');
    expect(await status(demoted)).to.equal(404);
    await role('analyst');
    expect(await status(demoted)).to.equal(200);
    await UserModel.query().findById(analyst.user.id).patch({ disabled_at: new Date() });
    expect(await status(disabled)).to.equal(404);
    await UserModel.query().findById(analyst.user.id).patch({ disabled_at: null });
    expect(await status(disabled)).to.equal(200);
    await MembershipModel.query().deleteById([analyst.user.id, boss.workspaceId]);
    await join(boss.workspaceId, analyst, 'analyst');
    expect(await status(disabled), 'after joining again').to.equal(404);
    const last = await share(body);
    await send(api, 'deleteSession', { token: boss.token, params: { id } });
    expect(await status(last)).to.equal(404);
    expect(await ShareModel.query().where({ session_id: id })).to.deep.equal([]);
  });

  it('needs the setting of the installation, a login, the right, own data and parts that exist', async () => {
    const body = { session_id: id, parts: ['summary'] };
    expect((await create(body, boss, closed)).problem).to.include({ status: 409, reason: 'sharing_off' });
    const { token } = await share(body);
    expect((await open(token, closed)).status, 'also for links that exist').to.equal(404);
    const auditor = await createMember(boss.workspaceId, 'auditor');
    expect((await create(body, auditor)).status).to.equal(403);
    const stranger = await createPerson();
    const foreign = await send(api, 'createShare', { token: stranger.token, body });
    expect(foreign.status).to.equal(404);
    expect((await create({ parts: ['summary'] })).paths).to.deep.equal(['session_id']);
    expect((await create({ session_id: id, parts: ['verdict'] })).paths).to.deep.equal(['parts.0']);
    expect((await create({ ...body, expires_in_days: 91 })).paths).to.deep.equal(['expires_in_days']);
    expect((await open('unknown')).problem).to.include({ status: 404 });
  });
});
