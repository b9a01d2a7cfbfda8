import { matchAlerts } from '../../../activities/alerts/match-alerts.ts';
import { fieldRowsOf } from '../../../contract/fields/field-rows.ts';
import { ANSWERS, CONDITION_CASES, CONDITION_FIELDS, NO_VALUES } from '../../support/condition-cases.ts';
import { TWENTY } from '../fields/fields.ts';

const RESULT = {
  fields: { resolved: false, score: 3, reason: 'Billing', products: ['lamp'], city: null, days: null },
  evidence: { score: { verified: false }, resolved: { verified: true } },
};

const matchedBy = (when: string[], raw_response: Record<string, unknown> = RESULT, fields = TWENTY) =>
  matchAlerts(
    [{ name: 'a', when, url: 'https://example.com/', secret: null, auth: 'both', format: 'json' }],
    { fields, rows: fieldRowsOf(fields, raw_response) },
    raw_response,
  )[0]?.matched;

describe('The alerts of a result', () => {
  it('report the values of the fields in their conditions', () => {
    for (const [when, matched] of [
      [['resolved:eq:false', 'score:lt:5'], { resolved: false, score: 3 }],
      [['products:eq:lamp', 'city:null'], { products: ['lamp'], city: null }],
    ] as const) {
      expect(matchedBy([...when]), when.join()).to.deep.equal(matched);
    }
  });

  it('are those whose conditions all hold', () => {
    for (const [conditions, met] of CONDITION_CASES) {
      const matched = Object.entries(ANSWERS).filter(([, { values, unverified = [] }]) => {
        const evidence = Object.fromEntries(
          Object.keys(values).map((name) => [name, { verified: !unverified.includes(name) }]),
        );
        return matchedBy(conditions, { fields: { ...NO_VALUES, ...values }, evidence }, CONDITION_FIELDS);
      });
      expect(
        matched.map(([name]) => name),
        conditions.join(),
      ).to.have.members(met);
    }
  });

  it('exclude alerts with a condition that does not fit the fields, whatever it compares', () => {
    for (const broken of ['mood:null', 'mood:ne:good', 'reason:gt:3', 'score:eq:true', 'resolved:ne:yes']) {
      expect(matchedBy([broken]), broken).to.equal(undefined);
      expect(matchedBy(['resolved:eq:false', broken]), broken).to.equal(undefined);
    }
  });
});
