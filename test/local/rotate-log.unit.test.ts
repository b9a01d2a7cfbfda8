import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_LOG_BYTES, rotateLog } from '../../local/supervise.ts';

describe('The log of a server that npm start runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'logs-'));
  const log = join(folder, 'postgres.log');
  after(() => rmSync(folder, { recursive: true }));

  it('is copied and emptied once it is large, and readable by this user only', () => {
    rotateLog(log);
    writeFileSync(log, Buffer.alloc(MAX_LOG_BYTES, 'a'), { mode: 0o600 });
    rotateLog(log);
    expect(statSync(log).size).to.equal(MAX_LOG_BYTES);
    for (const letter of ['b', 'c']) {
      writeFileSync(log, Buffer.alloc(MAX_LOG_BYTES + 1, letter));
      rotateLog(log);
      expect(statSync(log).size).to.equal(0);
      expect(readFileSync(`${log}.1`, 'utf8').at(-1)).to.equal(letter);
      expect(statSync(`${log}.1`).mode & 0o777).to.equal(0o600);
    }
  });
});
