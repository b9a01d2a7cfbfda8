import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { toOpenApi } from '../../../contract/openapi/document.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('The API documentation', () => {
  const api = useTestApi();

  const get = (path: string, init: RequestInit = {}) => fetch(new URL(path, `${api.url}/api/`), init);

  describe('GET /api/openapi.json', () => {
    it('returns the document to everyone', async () => {
      const response = await get('openapi.json');
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.match(/^application\/json/);
      expect(await response.json()).to.deep.equal(toOpenApi(ENDPOINTS));
    });

    it('can be cached, and is not sent again if the ETag matches', async () => {
      const { headers } = await get('openapi.json');
      expect(headers.get('cache-control')).to.equal('public, max-age=300');
      // Without this header, `fetch` sends `Cache-Control: no-cache`, and every response counts as stale.
      const given = { 'If-None-Match': headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' };
      const again = await get('openapi.json', { headers: given });
      expect(again.status).to.equal(304);
      expect(await again.text()).to.equal('');
    });

    it('is compressed if the client supports it', async () => {
      const zipped = await get('openapi.json', { headers: { 'Accept-Encoding': 'gzip' } });
      const plain = await get('openapi.json', { headers: { 'Accept-Encoding': 'identity' } });
      expect(zipped.headers.get('content-encoding')).to.equal('gzip');
      expect(plain.headers.get('content-encoding')).to.equal(null);
      expect(await zipped.text()).to.equal(await plain.text());
      expect(plain.headers.get('vary')).to.contain('Accept-Encoding');
    });

    it('answers HEAD, and 405 to other methods', async () => {
      const head = await get('openapi.json', { method: 'HEAD' });
      expect([head.status, await head.text()]).to.deep.equal([200, '']);
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await get('openapi.json', { method });
        expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
      }
    });
  });

  describe('GET /api/docs', () => {
    /** Returns the URLs that the page links to, resolved as in a browser. */
    async function assetsOf(page: Response): Promise<string[]> {
      const links = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
      return links.map((link) => new URL(link, `${api.url}/api/docs`).href);
    }

    it('links only to this service, and every link works and is cached', async () => {
      const assets = await assetsOf(await get('docs'));
      expect(assets).to.have.length(5);
      for (const asset of assets) {
        expect(asset.startsWith(`${api.url}/api/`), asset).to.equal(true);
        const response = await fetch(asset);
        expect(response.status, asset).to.equal(200);
        expect((await response.arrayBuffer()).byteLength, asset).to.be.greaterThan(0);
        expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
        if (!/\/\d+\.\d+\.\d+\//.test(asset)) continue;
        expect(response.headers.get('cache-control'), asset).to.equal('public, max-age=31536000, immutable');
      }
    });

    it('runs only its own scripts, and connects only to this service', async () => {
      const page = await get('docs');
      expect(page.headers.get('content-type')).to.match(/^text\/html/);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).to.contain("default-src 'none'");
      expect(policy).to.contain("script-src 'self';");
      expect(policy).to.contain("connect-src 'self';");
      expect(await page.text()).not.to.match(/<script(?![^>]* src=)|\son\w+=/);
    });

    it('serves no other files of the renderer', async () => {
      for (const path of [
        'docs/renderer/x/swagger-ui.css',
        'docs/page.html',
        'docs/../package.json',
        'docs/%2e%2e/x',
      ]) {
        expect((await get(path)).status, path).to.equal(404);
      }
    });
  });
});
