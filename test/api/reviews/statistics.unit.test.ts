import { canDiffer, cohenKappa, holm, mcnemarMidP, pairedDifference } from '../../../api/reviews/statistics.ts';
import { wilson } from '../../../contract/values/wilson.ts';
import { shareOf } from '../../../api/reviews/verdicts.ts';

/** Values of statsmodels 0.14 and scipy 1.14. */
describe('Statistics', () => {
  const isClose = (values: readonly number[], expected: readonly number[], within = 1e-6) => {
    expect(values).to.have.length(expected.length);
    for (const [index, value] of values.entries()) expect(value).to.be.closeTo(expected[index] ?? Number.NaN, within);
  };

  it("give Wilson's interval of a share", () => {
    isClose(Object.values(wilson(81, 263)), [0.255289, 0.36621]);
    isClose(Object.values(wilson(0, 10)), [0, 0.277533]);
    isClose(Object.values(wilson(10, 10)), [1 - 0.277533, 1]);
    expect(shareOf(0, 0)).to.deep.equal({ right: 0, judged: 0, share: null, lower: null, upper: null });
  });

  it("give Cohen's kappa as scikit-learn 1.9 does", () => {
    const tables: [number[][], number | null][] = [
      [
        [
          [20, 5],
          [10, 15],
        ],
        0.4,
      ],
      [
        [
          [45, 15],
          [25, 15],
        ],
        0.13043478260869568,
      ],
      [
        [
          [25, 35],
          [5, 35],
        ],
        0.2592592592592593,
      ],
      [
        [
          [10, 2, 1],
          [3, 12, 0],
          [0, 4, 8],
        ],
        0.6201329534662867,
      ],
      [
        [
          [0, 3],
          [3, 0],
        ],
        -1,
      ],
      [
        [
          [90, 1],
          [1, 0],
        ],
        -0.01098901098901095,
      ],
      [[[7]], null],
    ];
    for (const [table, expected] of tables) {
      const pairs = table.flatMap((row, first) =>
        row.map((count, second) => ({ first: String(first), second: String(second), count })),
      );
      const kappa = cohenKappa(pairs);
      if (expected === null || kappa === null) expect(kappa).to.equal(expected);
      else expect(kappa).to.be.closeTo(expected, 1e-12);
    }
  });

  it("give Newcombe's interval of a difference of pairs", () => {
    isClose(
      Object.values(pairedDifference({ both: 36, onlyBefore: 2, onlyAfter: 12, neither: 0 })),
      [0.05693, 0.340428],
    );
    isClose(
      Object.values(pairedDifference({ both: 36, onlyBefore: 12, onlyAfter: 2, neither: 0 })),
      [-0.340428, -0.05693],
    );
    const equal = pairedDifference({ both: 20, onlyBefore: 0, onlyAfter: 0, neither: 10 });
    expect(equal.lower).to.be.closeTo(-equal.upper, 1e-12);
  });

  it("give McNemar's mid-p, also of thousands of pairs", () => {
    isClose(
      [mcnemarMidP(1, 7), mcnemarMidP(27, 12), mcnemarMidP(5, 5), mcnemarMidP(0, 0)],
      [0.0390625, 0.016589, 1, 1],
    );
    expect(mcnemarMidP(900, 1_100)).to.be.within(1e-6, 1e-4);
  });

  it("correct by Holm's method, in the given order", () => {
    isClose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
    expect(holm([])).to.deep.equal([]);
  });

  it('leave out tests that cannot reach 5%', () => {
    expect(canDiffer([4, 5, 0])).to.deep.equal([false, true, false]);
    expect(canDiffer([5, 5])).to.deep.equal([false, false]);
    expect(canDiffer([6, 6, 4])).to.deep.equal([true, true, false]);
  });
});
