import { expect } from 'chai';
import { readExpressions } from '../scripts/expressions.ts';
import { findSlowText, HOSTILE_CHARACTERS } from './support/hostile-text.ts';

/** The folders whose code reads text from users, providers and receivers. `npm run check:expressions` judges all folders. */
const FOLDERS = 'activities,api,clients,contract,db,redaction,runtime,worker,workflows';

describe('Every regular expression of the service', () => {
  const expressions = readExpressions(FOLDERS);

  it('is found, with the constants of its template', () => {
    expect(expressions.length).to.be.above(100);
    const { source } = expressions.find((each) => each.source.startsWith('(?<barrier>')) ?? {};
    expect(source).to.contain(String.raw`\p{L}\d._%+-]{0,63}@`);
  });

  it(`reads ${HOSTILE_CHARACTERS} hostile characters in linear time`, () => {
    const slow = expressions.flatMap(({ file, source, flags }) => {
      const text = findSlowText(source, flags);
      return text === undefined ? [] : [`${file} /${source}/${flags}: ${text}`];
    });
    expect(slow).to.deep.equal([]);
  });
});
