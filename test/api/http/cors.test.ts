import type { RunningApi } from '../../../api/start.ts';
import { ConfigError } from '../../../runtime/settings/config.ts';
import { testConfig } from '../../support/api.ts';
import { createUser } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const OURS = 'https://app.example.com';
const ALSO_OURS = 'http://localhost:5173';

const ALLOWANCES = ['origin', 'methods', 'headers', 'credentials'].map((name) => `access-control-allow-${name}`);

describe('CORS', () => {
  const listed = useTestApi({ env: { CORS_ORIGINS: `${OURS}, ${ALSO_OURS}` } });
  const open = useTestApi({ env: { CORS_ORIGINS: '*' } });
  const closed = useTestApi();
  let token: string;
  before(async () => {
    ({ token } = await createUser());
  });

  const call = (api: RunningApi, origin: string, headers = {}) =>
    fetch(`${api.url}/api/user/me`, { headers: { Origin: origin, Authorization: `Bearer ${token}`, ...headers } });

  const preflight = (api: RunningApi, origin: string, path = '/api/v1/requests/text') =>
    fetch(api.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });

  const allowancesOf = ({ headers }: Response) => ALLOWANCES.filter((name) => headers.has(name));

  it('allows no origin that CORS_ORIGINS does not list', async () => {
    for (const [api, origin] of [
      [closed, OURS],
      [listed, 'https://evil.example'],
      [listed, 'null'],
      [listed, `${OURS}.evil.example`],
      [listed, `${OURS}:8443`],
      [listed, 'http://app.example.com'],
      [listed, OURS.toUpperCase()],
    ] as const) {
      expect(allowancesOf(await call(api, origin)), origin).to.deep.equal([]);
      const asked = await preflight(api, origin);
      expect([asked.status, allowancesOf(asked)], origin).to.deep.equal([405, []]);
    }
  });

  it('allows each listed origin, also in errors, and varies by origin', async () => {
    for (const origin of [OURS, ALSO_OURS]) {
      for (const headers of [{}, { Authorization: 'Bearer nothing' }]) {
        const answer = await call(listed, origin, headers);
        expect(answer.headers.get('access-control-allow-origin')).to.equal(origin);
        expect(answer.headers.get('vary')).to.equal('Origin');
        const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
        expect(exposed).to.include.members(['X-Request-Id', 'Location', 'Retry-After', 'RateLimit']);
      }
    }
    expect((await call(listed, 'https://evil.example')).headers.get('vary')).to.equal('Origin');
  });

  it('answers preflight requests without a token', async () => {
    for (const path of ['/api/v1/requests/text', '/api/v1/sessions/sess_01h455vb4pex5vsknk084sn02q']) {
      const { status, headers } = await preflight(listed, OURS, path);
      expect(status).to.equal(204);
      expect(headers.get('access-control-allow-origin')).to.equal(OURS);
      expect(headers.get('access-control-allow-methods')?.split(', ')).to.include.members(['PATCH', 'DELETE']);
      const allowed = headers.get('access-control-allow-headers')?.split(', ');
      expect(allowed).to.include.members([
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'Prefer',
        'traceparent',
        'baggage',
      ]);
    }
  });

  it('never allows credentials; * allows every origin', async () => {
    const answer = await call(open, 'https://anybody.example');
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
    for (const response of [answer, await preflight(open, OURS), await call(listed, OURS)]) {
      expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
    }
  });

  it('refuses anything but exact origins at the start', () => {
    for (const value of [
      'app.example.com',
      `${OURS}/`,
      `${OURS}:443`,
      `${OURS}/path`,
      'https://*.example.com',
      'null',
    ]) {
      expect(() => testConfig({ CORS_ORIGINS: value }), value).to.throw(ConfigError, /CORS_ORIGINS/);
    }
  });
});
