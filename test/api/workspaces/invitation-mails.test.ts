import { randomUUID } from 'node:crypto';
import * as contract from '../../../contract/account/invitations.ts';
import { UserModel } from '../../../db/models/user.ts';
import { send, startTestApi } from '../../support/api.ts';
import { PASSWORD } from '../../support/factories.ts';
import { createMember, createPerson, type Person } from '../../support/members.ts';
import { startSmtp, tokenIn } from '../../support/smtp.ts';
import { useStarted } from '../../support/use-started.ts';

describe('Emails about a workspace', () => {
  const smtp = useStarted(startSmtp);
  const api = useStarted(() => startTestApi({ env: smtp.env }));
  const verify = ({ user }: Person) => UserModel.setEmail(user.id, user.email, { isVerified: true });
  const newAddress = () => `${randomUUID()}@example.com`;
  let owner: Person;
  beforeEach(async () => {
    owner = await createPerson();
  });
  const invite = async (email: string, role = 'analyst') =>
    (await send(api, contract.createInvitation, { token: owner.token, body: { email, role } })).body;

  it('contain the invitation link, and no text that the inviter can choose', async () => {
    await verify(owner);
    await UserModel.query().findById(owner.user.id).patch({ name: 'Win at https://evil.example' });
    const email = newAddress();
    const { mailed, token, url } = await invite(email);
    const mail = await smtp.mailTo(email);
    expect([mailed, url]).to.deep.equal([true, `https://calls.example.com/console/invitation#${token}`]);
    expect(mail).to.contain(url).and.contain(owner.user.email);
    expect(mail).not.to.contain('evil.example');
    const again = await invite(email);
    expect(tokenIn(await smtp.mailTo(email, 2)), 'sent again: the former link is void').to.equal(again.token);
    expect((await send(api, contract.previewInvitation, { body: { token } })).status).to.equal(404);
  });

  it('Threat: are not sent for an unverified sender, and are limited per recipient and per sender', async () => {
    const [email, other] = [newAddress(), newAddress()];
    const body = { email, role: 'analyst' };
    const refused = await send(api, contract.createInvitation, { token: owner.token, body });
    expect(refused.problem.code, 'the address is not verified').to.equal('conflict');
    await verify(owner);
    const mailed = [];
    for (let n = 0; n < 4; n++) mailed.push((await invite(email)).mailed);
    expect(mailed).to.deep.equal([true, true, true, false]);
    for (let n = 0; n < 16; n++) await invite(newAddress());
    expect((await invite(other)).mailed, 'the limit of a day').to.equal(false);
    const sentinel = newAddress();
    owner = await createPerson();
    await verify(owner);
    await invite(sentinel);
    await Promise.all([smtp.mailTo(sentinel), smtp.mailTo(email, 3)]);
    const received = smtp.mails.flatMap(({ to }) => to);
    expect(received.filter((to) => to === email)).to.have.length(3);
    expect(received).not.to.include(other);
  });

  it('report a new owner to the other owners: appointed, joined or registered by an invitation', async () => {
    await verify(owner);
    const silent = await createMember(owner.workspaceId, 'admin');
    await verify(silent);
    const colleague = await createMember(owner.workspaceId, 'analyst');
    const at = { token: owner.token, params: { user_id: colleague.user.id } };
    await send(api, 'updateMember', { ...at, body: { role: 'admin' } });
    await send(api, 'updateMember', { ...at, body: { role: 'owner' } });
    expect(await smtp.mailTo(owner.user.email)).to.contain(colleague.user.email);
    const invited = await createPerson();
    const { token } = await invite(invited.user.email, 'owner');
    await send(api, contract.acceptInvitation, { token: invited.token, body: { token } });
    expect(await smtp.mailTo(owner.user.email, 2)).to.contain(invited.user.email);
    const email = newAddress();
    const invitation = (await invite(email, 'owner')).token;
    await send(api, 'register', { body: { email, password: PASSWORD, name: 'Joan', invitation } });
    expect(await smtp.mailTo(owner.user.email, 3)).to.contain(email);
    expect(smtp.mails.flatMap(({ to }) => to)).not.to.include(silent.user.email);
  });
});
