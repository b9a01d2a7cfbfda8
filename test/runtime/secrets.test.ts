import { expect } from 'chai';
import { createSecretBox } from '../../runtime/secrets.ts';

const box = createSecretBox(Buffer.alloc(32, 1));

describe('A secret at rest', () => {
  it('opens to what was sealed, whatever its characters', () => {
    for (const plain of ['', 'a', 'whsec_!~', 'ü🙂', 'x'.repeat(512)]) {
      expect(box.open(box.seal(plain, 'asst_1'), 'asst_1')).to.equal(plain);
    }
  });

  it('shows nothing of itself, and looks different every time', () => {
    const sealed = box.seal('my secret', 'asst_1');
    expect(Buffer.from(sealed.split(':')[1]!, 'base64').toString('latin1')).not.to.contain('my secret');
    expect(box.seal('my secret', 'asst_1')).not.to.equal(sealed);
  });

  it('does not open in another row, or under another key', () => {
    const sealed = box.seal('my secret', 'asst_1');
    expect(() => box.open(sealed, 'asst_2')).to.throw();
    expect(() => createSecretBox(Buffer.alloc(32, 2)).open(sealed, 'asst_1')).to.throw();
  });

  it('does not open when any byte of it is changed or cut off', () => {
    const [version, data] = box.seal('my secret', 'asst_1').split(':') as [string, string];
    const bytes = Buffer.from(data, 'base64');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => box.open(`${version}:${changed.toString('base64')}`, 'asst_1')).to.throw();
      const cut = bytes.subarray(0, index).toString('base64');
      expect(() => box.open(`${version}:${cut}`, 'asst_1')).to.throw();
    }
  });

  it('of a form that is not known is refused, without being quoted', () => {
    for (const form of ['my secret', 'v2:AAAA', '', 'v1']) {
      expect(() => box.open(form, 'asst_1')).to.throw(/^(?!.*my secret)/);
    }
  });
});
