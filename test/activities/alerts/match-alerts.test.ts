import { expect } from 'chai';
import { matchAlerts } from '../../../activities/alerts/match-alerts.ts';
import { TWENTY } from '../fields/fields.ts';

const RESULT = {
  fields: { resolved: false, score: 3, reason: 'Billing', products: ['lamp'], city: null, days: null },
  evidence: { score: { verified: false }, resolved: { verified: true } },
};

const matchedBy = (when: string[], raw_response: Record<string, unknown> = RESULT) =>
  matchAlerts(
    [{ name: 'a', when, url: 'https://example.com/', secret: null, auth: 'both', format: 'json' }],
    TWENTY,
    raw_response,
  )[0]?.matched;

/** test/api/field-filters.test.ts compares every operator and type with the filter of the session list. */
describe('The alerts of a result', () => {
  it('report the values of the fields in their conditions', () => {
    for (const [when, matched] of [
      [['resolved:eq:false', 'score:lt:5'], { resolved: false, score: 3 }],
      [['products:eq:lamp', 'city:null'], { products: ['lamp'], city: null }],
      [['reason:eq:Delivery', 'reason:eq:Billing', 'score:unverified'], { reason: 'Billing', score: 3 }],
    ] as const) {
      expect(matchedBy([...when]), when.join()).to.deep.equal(matched);
    }
  });

  it('are those whose conditions all hold', () => {
    for (const when of [
      ['resolved:eq:false', 'score:gt:5'],
      ['reason:eq:Delivery', 'reason:ne:Other'],
    ]) {
      expect(matchedBy(when), when.join()).to.equal(undefined);
    }
  });

  it('exclude alerts with a condition that does not fit the fields, whatever it compares', () => {
    for (const broken of ['mood:null', 'mood:ne:good', 'reason:gt:3', 'score:eq:true', 'resolved:ne:yes']) {
      expect(matchedBy([broken]), broken).to.equal(undefined);
      expect(matchedBy(['resolved:eq:false', broken]), broken).to.equal(undefined);
    }
  });
});
