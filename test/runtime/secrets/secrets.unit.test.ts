import { createSecretBox } from '../../../runtime/secrets/secrets.ts';

const OLD_KEY = Buffer.alloc(32, 1);
const NEW_KEY = Buffer.alloc(32, 2);
const box = createSecretBox([OLD_KEY]);

describe('A secret at rest', () => {
  it('can be decrypted, and may contain any characters', () => {
    for (const plain of ['', 'a', 'whsec_!~', 'ü🙂', 'x'.repeat(512)]) {
      expect(box.open(box.seal(plain, 'asst_1'), 'asst_1')).to.equal(plain);
    }
  });

  it('is unreadable, and different each time it is encrypted', () => {
    const sealed = box.seal('my secret', 'asst_1');
    expect(Buffer.from(sealed.split(':')[2]!, 'base64').toString('latin1')).not.to.contain('my secret');
    expect(box.seal('my secret', 'asst_1')).not.to.equal(sealed);
  });

  it('cannot be decrypted in another row or with another key', () => {
    const sealed = box.seal('my secret', 'asst_1');
    expect(box.open(sealed, 'asst_2')).to.equal(undefined);
    expect(createSecretBox([NEW_KEY]).open(sealed, 'asst_1')).to.equal(undefined);
  });

  it('can be decrypted with any key of the list, and is encrypted with the first', () => {
    const sealed = box.seal('my secret', 'asst_1');
    const ring = createSecretBox([NEW_KEY, OLD_KEY]);
    expect(ring.open(sealed, 'asst_1')).to.equal('my secret');
    const resealed = ring.seal('my secret', 'asst_1');
    expect(createSecretBox([NEW_KEY]).open(resealed, 'asst_1')).to.equal('my secret');
    expect(box.open(resealed, 'asst_1')).to.equal(undefined);
    expect([resealed.startsWith(ring.sealedPrefix), sealed.startsWith(ring.sealedPrefix)]).to.deep.equal([true, false]);
  });

  it('cannot be decrypted if any byte is changed or missing', () => {
    const data = box.seal('my secret', 'asst_1').slice(box.sealedPrefix.length);
    const bytes = Buffer.from(data, 'base64');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(box.open(box.sealedPrefix + changed.toString('base64'), 'asst_1')).to.equal(undefined);
      const cut = bytes.subarray(0, index).toString('base64');
      expect(box.open(box.sealedPrefix + cut, 'asst_1')).to.equal(undefined);
    }
  });

  it('in an unknown format cannot be decrypted', () => {
    for (const form of ['my secret', 'v9:AAAA:AAAA', 'v2:AAAA:AAAA', 'v2:AAAA', '', 'v2']) {
      expect(box.open(form, 'asst_1')).to.equal(undefined);
    }
  });
});
