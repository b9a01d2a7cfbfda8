import { areEqualValues } from '../../contract/fields/equal-values.ts';
import type { FieldType } from '../../contract/values/constants.ts';
import type { FieldValue } from '../../contract/fields/result-fields.ts';

type Case = [type: FieldType, left: FieldValue | null, right: FieldValue | null];

const EQUAL: Case[] = [
  ['boolean', true, true],
  ['integer', 7, 7],
  ['number', 0.1 + 0.2, 0.3],
  ['number', -1e12, -1e12 - 1],
  ['string', 'Не Оплачён', 'не оплачен!'],
  ['string', 'oʻzbek', "o'zbek"],
  ['string', 'ＡＢＣ', 'abc'],
  ['string', 'costs 1.5 EUR', 'Costs 1,5 eur.'],
  ['string', '👍', ' 👍 '],
  ['enum', 'A+', 'A+'],
  ['string', '5 %', '5%'],
  ['string', 'a well-known "name" (here)', 'A well known name, here'],
  ['string', '＋5', '+5'],
  ['string', '−5', '-5'],
  ['string', 'I ❤️ it', 'i ❤ it'],
  ['string_list', ['Lamp', 'chair', 'lamp.'], ['chair', 'lamp']],
  ['string_list', [], null],
  ['string', null, null],
];

const DIFFERENT: Case[] = [
  ['boolean', true, false],
  ['boolean', false, null],
  ['integer', 0, null],
  ['integer', 1_000_000, 1_000_001],
  ['number', 1, 1.001],
  ['string', '-5', '5'],
  ['string', '1.5', '1 5'],
  ['string', '+', '-'],
  ['string', '👍', '👎'],
  ['string', 'ok 👍', 'ok 👎'],
  ['string', 'ok 👍', 'ok'],
  ['string', 'C', 'C++'],
  ['string', 'C', 'C#'],
  ['string', 'A', 'A-'],
  ['string', '> 5', '< 5'],
  ['string', '5%', '5'],
  ['string', '$5', '€5'],
  ['string', '1/2', '12'],
  ['string', '1/2', '1 2'],
  ['string', '10:1', '101'],
  ['string', '-5', '−6'],
  ['string', 'a@b', 'a b'],
  ['string_list', ['C'], ['C#']],
  ...['A', 'A+', 'A++', '<18', '>18', 'C', 'C++', 'C#', 'c', 'С'].flatMap((left, index, all) =>
    all.slice(index + 1).map((right): Case => ['enum', left, right]),
  ),
  ['string_list', ['lamp'], ['lamp', 'chair']],
  ['string_list', ['lamp', 'table'], ['lamp', 'chair']],
  ['string_list', ['a b'], ['a', 'b']],
];

describe('Values of fields', () => {
  for (const [isEqual, cases] of [
    [true, EQUAL],
    [false, DIFFERENT],
  ] as const)
    it(`are ${isEqual ? 'equal' : 'different'} in both directions`, () => {
      for (const [type, left, right] of cases)
        for (const pair of [
          [left, right],
          [right, left],
        ] as const)
          expect(areEqualValues(type, ...pair), JSON.stringify(pair)).to.equal(isEqual);
    });
});
