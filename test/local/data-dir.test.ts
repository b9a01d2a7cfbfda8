import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDataDir } from '../../local/data-dir.ts';
import { StartError } from '../../runtime/process.ts';

describe('the data directory', () => {
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'cas-data-'));
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  it('belongs to one start at a time; the other one is told whose it is', () => {
    const first = openDataDir(path);
    expect(() => openDataDir(path))
      .to.throw(StartError, `already runs on ${path} (process ${process.pid})`)
      .with.property('message')
      .that.contains('DATA_DIR');
    first.release();
    openDataDir(path).release();
  });

  it('is free again when the process that held it is dead, or its id is another process by now', () => {
    openDataDir(path).release();
    // The id of this very process, as one that started at another time had it.
    writeFileSync(join(path, 'run', 'service.pid'), `${process.pid} 1`);
    openDataDir(path).release();
  });

  it('keeps its secrets over starts, for this user alone', () => {
    const { secrets, release } = openDataDir(path);
    release();
    expect(openDataDir(path).secrets).to.deep.equal(secrets);
    expect(Buffer.from(secrets.encryption_key, 'base64')).to.have.length(32);
    expect(secrets.jwt_secret).to.have.length.at.least(32);
    expect(statSync(join(path, 'secrets.json')).mode & 0o777).to.equal(0o600);
  });

  it('shows others nothing, where the start has made it', () => {
    const made = join(path, 'made');
    openDataDir(made).release();
    for (const directory of [made, join(made, 'run')]) expect(statSync(directory).mode & 0o066).to.equal(0);
  });

  it('never replaces secrets that it cannot read: the stored data would be lost', () => {
    openDataDir(path).release();
    const file = join(path, 'secrets.json');
    writeFileSync(file, '{"jwt_secr');
    expect(() => openDataDir(path)).to.throw(StartError, `${file} can't be read`);
    expect(readFileSync(file, 'utf8')).to.equal('{"jwt_secr');
  });
});
