import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compareFields } from '../../api/reviews/verdicts.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import { listReviewedPairs, readPairs } from '../../db/queries/compare-reviewed.ts';
import { send } from '../support/api.ts';
import { createExperiment } from '../support/experiments.ts';
import { createOwner } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const FIELDS: ResultField[] = [{ name: 'reason', type: 'string', description: 'Why?', evidence: false }];
const PAIRS = 5_000;
const PAIRS_BETWEEN_MEASUREMENTS = 1_000;
/** Of each of the two results of a pair. */
const RESULT_CHARACTERS = 4_000;
const MAX_BYTES = 60 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const usedBytes = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

describe('A comparison of 5,000 reviewed pairs', () => {
  const api = useTestApi();

  it('needs less than 60 MB each, and the API answers while six run', async function () {
    this.timeout(240_000);
    const { token, assistant } = await createOwner({ fields: FIELDS });
    const right = { before: { reason: 'a' }, after: { reason: 'b' }, right: { reason: 'b' } };
    const id = await createExperiment(
      api,
      { token, assistant },
      Array.from({ length: 10 }, () => right),
    );
    await SessionModel.query()
      .where({ assistant_id: assistant.id })
      .patch({
        raw_response: SessionModel.raw(
          "raw_response || jsonb_build_object('fields', raw_response -> 'fields' || jsonb_build_object('long', repeat(id, ? / length(id))))",
          RESULT_CHARACTERS,
        ) as never,
      });
    const batch = await BatchModel.query().findById(id).throwIfNotFound();
    const { listed } = await listReviewedPairs(batch);
    const all = Array.from({ length: PAIRS / listed.length }, () => listed).flat();
    const before = usedBytes();

    const compare = async (pairs: typeof listed) => {
      let [count, peak] = [0, 0];
      async function* measured() {
        for await (const pair of readPairs(pairs)) {
          if (count++ % PAIRS_BETWEEN_MEASUREMENTS === 0) peak = Math.max(peak, usedBytes() - before);
          yield pair;
        }
      }
      const [verdict] = await compareFields(FIELDS, measured());
      expect(verdict).to.include({ only_after: pairs.length, verdict: 'better' });
      return peak;
    };
    expect(await compare(all)).to.be.below(MAX_BYTES);
    let isDone = false;
    const six = Promise.all(Array.from({ length: 6 }, () => compare(all))).finally(() => (isDone = true));
    expect((await send(api, 'listAssistants', { token })).status).to.equal(200);
    expect(isDone, 'the API answered only after the comparisons').to.equal(false);
    expect(Math.max(...(await six))).to.be.below(6 * MAX_BYTES);
  });
});
