import { defaultAllowHosts } from '../../local/loopback-webhooks.ts';
import type { Environment } from '../../runtime/settings/environment.ts';

describe('Webhooks of the local service to loopback', () => {
  let said: string[];
  beforeEach(() => (said = []));

  const allowHosts = (env: Environment) => defaultAllowHosts(env, (line) => said.push(line));

  for (const HOST of [undefined, '', '127.0.0.1', '127.8.9.10', '::1', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST']) {
    it(`are allowed if it listens on ${HOST || 'its default'}, but not in production`, () => {
      expect(allowHosts({ HOST })).to.equal('localhost,127.0.0.0/8,::1');
      expect(allowHosts({ HOST, NODE_ENV: 'production' })).to.equal('');
      expect(said).to.deep.equal([]);
    });
  }

  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'fe80::1', 'intranet.example', '0']) {
    it(`are blocked with a warning if others can reach it: on ${HOST}`, () => {
      expect(allowHosts({ HOST })).to.equal('');
      expect(said).to.have.length(1);
      expect(said[0]).to.contain(`HOST=${HOST}`).and.to.contain('WEBHOOK_ALLOW_HOSTS');
    });
  }

  it('follow the setting of the operator without a warning', () => {
    allowHosts({ HOST: '0.0.0.0', WEBHOOK_ALLOW_HOSTS: '127.0.0.1' });
    expect(said).to.deep.equal([]);
  });
});
