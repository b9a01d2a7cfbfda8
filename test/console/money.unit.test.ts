import { expect } from 'chai';

// Not a static import, which would check the console's types without those of the browser.
const { formatUsd } = (await import(new URL('../../console/src/format/numbers.ts', import.meta.url).href)) as {
  formatUsd: (usd: number, least?: number) => string;
};

describe('An amount of US dollars', () => {
  it('has two decimals from a dollar on, four below, and is never shown as nothing', () => {
    expect([0, 1, 12.345, 0.99995].map((usd) => formatUsd(usd))).to.deep.equal(['$0.00', '$1.00', '$12.35', '$1.00']);
    expect([0.25, 0.00015, 0.00005].map((usd) => formatUsd(usd, 4))).to.deep.equal(['$0.2500', '$0.0002', '$0.0001']);
    expect([0.25, 0.000_049].map((usd) => formatUsd(usd))).to.deep.equal(['$0.25', '<$0.0001']);
  });
});
