import { register } from '../../contract/account/account.ts';

const accepts = (email: string) =>
  register.body.safeParse({ email, password: 'correct horse battery', name: 'Ada' }).success;

describe('contract/account', () => {
  it('accepts addresses up to the lengths that mail servers and DNS allow', () => {
    expect(accepts(`${'a'.repeat(64)}@example.com`)).to.equal(true);
    expect(accepts(`ada@${'b'.repeat(63)}.example.com`)).to.equal(true);
  });

  it('refuses impossible addresses', () => {
    for (const email of [`${'a'.repeat(65)}@example.com`, `ada@${'b'.repeat(64)}.example.com`, 'ada@b-.example.com']) {
      expect(accepts(email), email).to.equal(false);
    }
  });
});
