import { expect } from 'chai';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { getCurrentUser } from '../../contract/account.ts';
import { createKey, listKeys, revokeKey } from '../../contract/keys.ts';
import { send } from '../support/api.ts';
import { createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

describe('API tokens', () => {
  const api = useTestApi();

  describe('POST /v1/keys', () => {
    it('§5.3 shows the full token only once, and keeps only its hash', async () => {
      const { token } = await createUser();
      const created = await send(api, createKey, { token, body: { name: 'back end' } });
      expect(created.status).to.equal(201);
      expect(created.body.token).to.match(/^cas_[0-9a-z]{39}$/);
      const { token: secret, ...shown } = created.body;
      const listed = await send(api, listKeys, { token });
      expect(listed.body.data).to.deep.include(shown);
      const row = await ApiKeyModel.query().findById(created.body.key_id);
      expect(JSON.stringify(row)).not.to.contain(secret.slice(8));
    });

    it('gives a token that every authenticated endpoint takes', async () => {
      const { token } = await createUser();
      const { body } = await send(api, createKey, { token, body: { name: 'a' } });
      expect((await send(api, getCurrentUser, { token: body.token })).status).to.equal(200);
    });

    it('gives a token that dies after expires_in_days', async () => {
      const { token } = await createUser();
      const { body } = await send(api, createKey, { token, body: { name: 'a', expires_in_days: 1 } });
      await ApiKeyModel.query()
        .findById(body.key_id)
        .patch({ expires_at: new Date(Date.now() - 1) });
      expect((await send(api, getCurrentUser, { token: body.token })).status).to.equal(401);
    });
  });

  describe('DELETE /v1/keys/{key_id}', () => {
    it('§5.2 kills the token at once', async () => {
      const { token } = await createUser();
      const { body } = await send(api, createKey, { token, body: { name: 'a' } });
      expect((await send(api, revokeKey, { token, params: { key_id: body.key_id } })).status).to.equal(204);
      expect((await send(api, getCurrentUser, { token: body.token })).status).to.equal(401);
    });

    it("answers 404 for another user's key, and leaves it alive", async () => {
      const [owner, other] = await Promise.all([createUser(), createUser()]);
      const { body } = await send(api, createKey, { token: owner.token, body: { name: 'a' } });
      const answer = await send(api, revokeKey, { token: other.token, params: { key_id: body.key_id } });
      expect(answer.status).to.equal(404);
      expect((await send(api, getCurrentUser, { token: body.token })).status).to.equal(200);
    });
  });

  describe('GET /v1/keys', () => {
    it('lists all keys newest first, and pages when limit is given', async () => {
      const { token } = await createUser();
      for (const name of ['1', '2', '3']) await send(api, createKey, { token, body: { name } });
      const all = await send(api, listKeys, { token });
      expect(all.body.data.map((key) => key.name)).to.deep.equal(['3', '2', '1', 'test']);
      expect(all.body.next_cursor).to.equal(null);
      const first = await send(api, listKeys, { token, query: { limit: 3 } });
      await send(api, createKey, { token, body: { name: '4' } });
      const second = await send(api, listKeys, {
        token,
        query: { limit: 3, cursor: first.body.next_cursor ?? '' },
      });
      expect(second.body.data.map((key) => key.name)).to.deep.equal(['test']);
    });
  });
});
