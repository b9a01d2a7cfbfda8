import { createLlmProviders } from '../../../activities/providers/llm/index.ts';
import { createAssumePrice } from '../../../runtime/prices/prices.ts';
import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { roundUsd } from '../../../runtime/prices/call-usage.ts';
import type { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { testConfig } from '../../support/api.ts';
import { freePort } from '../../support/free-port.ts';
import { errorOf } from '../../support/error-of.ts';
import { testDatabase } from '../../support/database.ts';
import { ask, ledgerOf, newSession } from '../sessions/analysis.ts';
import { answerJson, answerWell, useFakeProvider } from './fake-provider.ts';

const PER_MTOK_USD = 10;
const assumePrice = createAssumePrice({ perMtokUsd: PER_MTOK_USD, perAudioHourUsd: 6 });
/** The highest possible cost of the output. */
const ROOM_USD = (8_192 / 1e6) * PER_MTOK_USD;

describe('A call without a known price', () => {
  const fake = useFakeProvider('openai');
  const deps = { priceOf: () => null, assumePrice };

  /** Returns the amount that counts toward the budget of this month. */
  async function countedFor({ workspace_id }: SessionModel) {
    const total = await testDatabase().db('monthly_spending').where({ workspace_id }).first<Record<string, number>>();
    return { spent: total?.['spent_usd'], reserved: total?.['reserved_usd'] };
  }

  it('counts in budgets at the assumed price, first with the highest possible usage, then with the actual one, and shows no cost', async () => {
    const session = await newSession('openai');
    let underWay: ProviderCallModel | undefined;
    fake.behave((response, request) => {
      void ledgerOf(session).then(([call]) => {
        underWay = call;
        answerWell('openai', { text: '{"summary_text":"a"}' })(response, request);
      });
    });
    await ask(fake, session, deps);
    expect(underWay?.reserved_usd).to.be.above(ROOM_USD);
    const [call] = await ledgerOf(session);
    const { input_tokens = 0, output_tokens = 0 } = call?.usage ?? {};
    expect(input_tokens).to.be.above(0);
    expect(call?.cost_usd).to.equal(null);
    const spent = roundUsd(((input_tokens + output_tokens) / 1e6) * PER_MTOK_USD);
    expect(await countedFor(session)).to.deep.equal({ spent, reserved: 0 });
  });

  it('counts with its highest possible usage if it never got a response', async () => {
    const session = await newSession('openai');
    fake.behave((response) => void response.destroy());
    expect(await errorOf(ask(fake, session, deps))).to.be.instanceOf(ProviderError);
    const { spent, reserved } = await countedFor(session);
    expect(spent).to.be.above(ROOM_USD);
    expect(reserved).to.equal(0);
  });

  it('does not count if it was refused', async () => {
    const session = await newSession('openai');
    fake.behave(answerJson(401, { error: { message: 'no' } }));
    expect(await errorOf(ask(fake, session, deps))).to.be.instanceOf(ProviderError);
    expect(await countedFor(session)).to.deep.equal({ spent: 0, reserved: 0 });
  });

  for (const [name, urlOf] of [
    ['no server listens', async () => `http://127.0.0.1:${await freePort()}/v1`],
    ['the name has no address', () => Promise.resolve('http://nowhere.invalid/v1')],
  ] as const) {
    it(`costs nothing, and is known to, if ${name}`, async () => {
      const session = await newSession('openai');
      const providers = createLlmProviders(testConfig({ OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: await urlOf() }));
      expect(await errorOf(ask({ providers }, session, deps))).to.be.instanceOf(ProviderError);
      expect((await ledgerOf(session)).map(({ cost_usd }) => cost_usd)).to.deep.equal([0]);
      expect(await countedFor(session)).to.deep.equal({ spent: 0, reserved: 0 });
    });
  }

  it('has an assumed cost by tokens and duration', () => {
    expect(assumePrice({ input_tokens: 100_000, output_tokens: 200_000 })).to.equal(3);
    expect(assumePrice({ audio_seconds: 1_800 })).to.equal(3);
    expect(assumePrice({})).to.equal(0);
  });
});
