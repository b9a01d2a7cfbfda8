import { periodOf } from '../../console/src/search/named-period.ts';

describe('A period of the console', () => {
  it('is the last whole week from Monday, or the last whole month, also over the end of a year', () => {
    expect(periodOf('last_week', '2026-11-29')).to.deep.equal({ from: '2026-11-16', to: '2026-11-22' });
    expect(periodOf('last_week', '2026-11-30')).to.deep.equal({ from: '2026-11-23', to: '2026-11-29' });
    expect(periodOf('last_week', '2027-01-01')).to.deep.equal({ from: '2026-12-21', to: '2026-12-27' });
    expect(periodOf('last_month', '2027-01-31')).to.deep.equal({ from: '2026-12-01', to: '2026-12-31' });
    expect(periodOf('last_month', '2028-03-01')).to.deep.equal({ from: '2028-02-01', to: '2028-02-29' });
  });

  it('includes today if it is not over', () => {
    expect(periodOf('7d', '2026-12-02')).to.deep.equal({ from: '2026-11-26', to: '2026-12-02' });
    expect(periodOf('month', '2026-12-02')).to.deep.equal({ from: '2026-12-01', to: '2026-12-02' });
  });
});
