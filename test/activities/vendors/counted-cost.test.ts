import { expect } from 'chai';
import { askModel } from '../../../activities/vendors/llm/ask-model.ts';
import { createAssumePrice } from '../../../activities/vendors/pricing.ts';
import { VendorError } from '../../../activities/vendors/vendor-error.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { roundUsd } from '../../../db/models/vendor-call.ts';
import type { VendorCallModel } from '../../../db/models/vendor-call.ts';
import { testDatabase } from '../../support/database.ts';
import { keepAnswer, ledgerOf, newSession } from '../sessions/analysis.ts';
import { answerJson, answerWell, startFakeVendor } from './fake-vendor.ts';
import type { FakeVendor } from './fake-vendor.ts';

const PER_MTOK_USD = 10;
const assumePrice = createAssumePrice({ perMtokUsd: PER_MTOK_USD, perAudioHourUsd: 6 });
/** What the answer alone may cost. */
const ROOM_USD = (8_192 / 1e6) * PER_MTOK_USD;

describe('A call whose price is not known', () => {
  let vendor: FakeVendor;
  before(async () => {
    vendor = await startFakeVendor('openai');
  });
  after(() => vendor.stop());

  async function ask(session: SessionModel): Promise<void> {
    const budgets = { maxUsd: null, installationUsd: null };
    const deps = { llm: vendor.providers, priceOf: () => null, assumePrice, budgets, maxSessionsInFlight: 50 };
    await askModel(deps, session, new AbortController().signal, keepAnswer);
  }
  const failureOf = (asking: Promise<void>) => asking.catch((error: unknown) => error);

  /** What counts for the budget of this month. */
  async function countedFor({ user_id }: SessionModel) {
    const total = await testDatabase().db('monthly_spending').where({ user_id }).first<Record<string, number>>();
    return { spent: total?.['spent_usd'], reserved: total?.['reserved_usd'] };
  }

  it('counts in budgets by what the operator assumes: for its highest usage first, then for its own; no cost is shown', async () => {
    const session = await newSession('openai');
    let underWay: VendorCallModel | undefined;
    vendor.behave((response, request) => {
      void ledgerOf(session).then(([call]) => {
        underWay = call;
        answerWell('openai', { text: '{"summary_text":"a"}' })(response, request);
      });
    });
    await ask(session);
    expect(underWay?.reserved_usd).to.be.above(ROOM_USD);
    const [call] = await ledgerOf(session);
    const { input_tokens = 0, output_tokens = 0 } = call?.usage ?? {};
    expect(input_tokens).to.be.above(0);
    expect(call?.cost_usd).to.equal(null);
    const spent = roundUsd(((input_tokens + output_tokens) / 1e6) * PER_MTOK_USD);
    expect(await countedFor(session)).to.deep.equal({ spent, reserved: 0 });
  });

  it('and that was never answered goes on to count by its highest usage', async () => {
    const session = await newSession('openai');
    vendor.behave((response) => void response.destroy());
    expect(await failureOf(ask(session))).to.be.instanceOf(VendorError);
    const { spent, reserved } = await countedFor(session);
    expect(spent).to.be.above(ROOM_USD);
    expect(reserved).to.equal(0);
  });

  it('and that was refused counts for nothing', async () => {
    const session = await newSession('openai');
    vendor.behave(answerJson(401, { error: { message: 'no' } }));
    expect(await failureOf(ask(session))).to.be.instanceOf(VendorError);
    expect(await countedFor(session)).to.deep.equal({ spent: 0, reserved: 0 });
  });

  it('is assumed to cost by its tokens and its time', () => {
    expect(assumePrice({ input_tokens: 100_000, output_tokens: 200_000 })).to.equal(3);
    expect(assumePrice({ audio_seconds: 1_800 })).to.equal(3);
    expect(assumePrice({})).to.equal(0);
  });
});
