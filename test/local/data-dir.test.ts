import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataDir } from '../../local/data-dir.ts';
import { StartError } from '../../runtime/process/process.ts';
import { newFolder } from '../support/new-folder.ts';

describe('The data directory', () => {
  let path: string;
  beforeEach(() => {
    path = newFolder();
  });

  it('can be used by one start at a time; the error of another start names the process', () => {
    const first = openDataDir(path);
    expect(() => openDataDir(path))
      .to.throw(StartError, `already runs on ${path} (process ${process.pid})`)
      .with.property('message')
      .that.contains('DATA_DIR');
    first.release();
    openDataDir(path).release();
  });

  it('is free after its process died, even if another process now has the same ID', () => {
    openDataDir(path).release();
    // The ID of this process with a different start time.
    writeFileSync(join(path, 'run', 'service.pid'), `${process.pid} 1`);
    openDataDir(path).release();
  });

  it('names DATA_DIR if the folder cannot be written', () => {
    writeFileSync(join(path, 'file'), '');
    expect(() => openDataDir(join(path, 'file', 'data'))).to.throw(
      StartError,
      /^DATA_DIR can't be used: ENOTDIR.* write to\.$/,
    );
    openDataDir(path).release();
    rmSync(join(path, 'run'), { recursive: true });
    symlinkSync('/dev/null/none', join(path, 'run'));
    expect(() => openDataDir(path)).to.throw(StartError, /^DATA_DIR can't be used: /);
  });

  it('keeps its secrets for later starts, readable by this user only', () => {
    const { secrets, release } = openDataDir(path);
    release();
    expect(openDataDir(path).secrets).to.deep.equal(secrets);
    expect(Buffer.from(secrets.encryption_key, 'base64')).to.have.length(32);
    expect(secrets.jwt_secret).to.have.length.at.least(32);
    expect(statSync(join(path, 'secrets.json')).mode & 0o777).to.equal(0o600);
  });

  it('never replaces unreadable secrets, because the stored data would be lost', () => {
    openDataDir(path).release();
    const file = join(path, 'secrets.json');
    writeFileSync(file, '{"jwt_secr');
    expect(() => openDataDir(path)).to.throw(StartError, `${file} can't be read`);
    expect(readFileSync(file, 'utf8')).to.equal('{"jwt_secr');
  });
});
