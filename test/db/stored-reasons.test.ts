import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { say, type Given } from '../../contract/errors/sentence.ts';
import { SENTENCES, up } from '../../db/migrations/002-reasons.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { SessionModel } from '../../db/models/session.ts';
import { createOwner, createSession } from '../support/factories.ts';

interface Recorded {
  key: string;
  given?: Given;
  failure: { message: string; reason?: string; params?: Record<string, string> };
}

const { failures } = JSON.parse(readFileSync(new URL('../fixtures/errors.json', import.meta.url), 'utf8')) as {
  failures: Recorded[];
};

describe('The migration of stored failures', () => {
  it('stores the reason and the parameters of every sentence of the former release, and keeps other failures', async () => {
    const { assistant } = await createOwner();
    const former = SENTENCES.flatMap(([reason, sentence]) =>
      failures
        .filter(({ key }) => key === reason)
        .map(({ given, failure }) => ({ ...failure, message: say(reason, sentence, given).message })),
    );
    const known = [...former, { message: 'something else' }];
    const sessions: { id: string; failure: (typeof known)[number] }[] = [];
    for (const failure of known) {
      const error = { code: 'internal', stage: 'analysis', provider: null, retryable: true, message: failure.message };
      const { id } = await createSession(assistant, {
        status: 'failed',
        completed_at: new Date(),
        error: error as never,
      });
      sessions.push({ id, failure });
    }
    const { id: session_id, workspace_id } = await SessionModel.query().findById(sessions[0]!.id).throwIfNotFound();
    const call = {
      session_id,
      workspace_id,
      assistant_id: assistant.id,
      step: 'analysis',
      provider: 'openai',
    } as const;
    const message = 'OpenAI is not available (HTTP 503)';
    const error = { fault: 'unavailable', http_status: 503, message } as const;
    await ProviderCallModel.query().insert({ ...call, attempt: 1, status: 'failed', ended_at: new Date(), error });
    for (let run = 0; run < 2; run++) {
      await up(SessionModel.knex());
      for (const { id, failure } of sessions) {
        const row = await SessionModel.query().findById(id).throwIfNotFound();
        const { message: stored, reason, params } = row.error!;
        expect({ message: stored, ...(reason && { reason }), ...(params && { params }) }).to.deep.equal(failure);
      }
      const stored = await ProviderCallModel.query().findById([session_id, 'analysis', 1]).throwIfNotFound();
      const params = { name: 'OpenAI', status: '503' };
      expect(stored.error).to.deep.equal({ ...error, reason: 'not_available', params });
    }
  });
});
