import { moment } from '../../contract/values/schemas.ts';
import { testDatabase } from '../support/database.ts';

describe('contract/fields', () => {
  it('converts every accepted time to one that PostgreSQL accepts', async () => {
    for (const [given, expected] of [
      ['2026-11-21T00:00:00Z', '2026-11-21T00:00:00.000Z'],
      ['2026-11-21T00:00:00.123456789+02:00', '2026-11-20T22:00:00.123Z'],
      ['2026-11-21T00:00:00+23:59', '2026-11-20T00:01:00.000Z'],
      ['2026-11-21T00:00:00-23:59', '2026-11-21T23:59:00.000Z'],
      ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['0000-01-01T00:00:00+23:59', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999Z'],
    ]) {
      const parsed = moment().parse(given);
      expect(parsed, given).to.equal(expected);
      await testDatabase().db.raw('select ?::timestamptz', [parsed]);
    }
  });
});
