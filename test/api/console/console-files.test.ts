import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
// Tests in a browser replace the global fetch with one that hides redirects.
import { fetch, type RequestInit } from 'undici';
import { consoleRoutes } from '../../../api/console/routes.ts';
import { expectNoBlock } from '../../support/longest-block.ts';
import { useTestApi } from '../../support/set-up.ts';

describe("The console's files", () => {
  const api = useTestApi();

  const get = (path: string, init: RequestInit = {}) => fetch(api.url + path, { redirect: 'manual', ...init });

  /** Returns the path of the page's script. */
  async function findScript(): Promise<string> {
    const [, path = ''] =
      /src="(\/console\/en\/assets\/index-[^"]+\.js)"/.exec(await (await get('/console/')).text()) ?? [];
    return path;
  }

  it('are served at /console/; / and /console redirect there', async () => {
    for (const path of ['/', '/console']) {
      const { status, headers } = await get(path);
      expect([status, headers.get('location')]).to.deep.equal([302, '/console/']);
    }
  });

  it('return the same page for every route of the application', async () => {
    const page = await (await get('/console/')).text();
    for (const path of ['/console/sessions', '/console/sessions/sess_1/compare', '/console/nothing']) {
      const response = await get(path);
      expect([response.status, await response.text()]).to.deep.equal([200, page]);
      expect(response.headers.get('cache-control')).to.equal('no-cache');
    }
  });

  it("are in the language of the cookie, else in the browser's first that the console has", async () => {
    for (const [accepted, cookie, language] of [
      ['kk, ru-KZ;q=0.9, en;q=0.5', undefined, 'ru'],
      ['ru', 'uz', 'uz'],
      ['ru', '../en', 'ru'],
      ['kk', undefined, 'en'],
    ] as const) {
      const Cookie = cookie && `console_language=${cookie}`;
      const response = await get('/console/', { headers: { 'Accept-Language': accepted, ...(Cookie && { Cookie }) } });
      expect(await response.text()).to.contain(`<html lang="${language}">`);
      expect(response.headers.get('vary')).to.contain('Cookie').and.contain('Accept-Language');
    }
  });

  it('have a strict Content-Security-Policy', async () => {
    const { headers } = await get('/console/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(policy).not.to.contain('unsafe');
    expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('are compressed, and cached forever if their name has a hash; the page is sent again only if its ETag changed', async () => {
    const etag = (await get('/console/')).headers.get('etag') ?? '';
    const known = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    expect((await get('/console/', { headers: known })).status).to.equal(304);
    const script = await findScript();
    const plain = await get(script, { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(plain.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    const size = (await plain.arrayBuffer()).byteLength;
    for (const encoding of ['gzip', 'br']) {
      const packed = await get(script, { headers: { 'Accept-Encoding': encoding } });
      expect(packed.headers.get('content-encoding')).to.equal(encoding);
      expect(Number(packed.headers.get('content-length'))).to.be.below(size / 2);
      expect((await packed.arrayBuffer()).byteLength).to.equal(size);
    }
  });

  it('return 404 for other and missing files, and 405 for writes', async () => {
    for (const path of ['/console/en/assets/gone.js', '/console/..%2fpackage.json']) {
      expect((await get(path)).status, path).to.equal(404);
    }
    expect((await get('/console/', { method: 'POST' })).status).to.equal(405);
  });

  it('block nobody, whatever path is requested', async () => {
    for (const piece of ['.', './', '..', '/', 'a.', '%2e', '-', 'a/']) {
      const path = `/console/${piece.repeat(15_900 / piece.length)}/a`;
      await expectNoBlock(50, () => get(path), piece);
    }
  });

  it('and probes and lists block nobody, whatever parameters are requested', async () => {
    for (const piece of ['a&', 'exclude=a&', '&', 'a=1&', '%25&', 'metadata.a=1&']) {
      for (const path of ['/console/', '/readyz', '/api/v1/auth/methods', '/api/v1/sessions']) {
        await get(path);
        const query = piece.repeat(15_900 / piece.length);
        await expectNoBlock(50, () => get(`${path}?${query}`), path + piece);
      }
    }
  });

  it('return 503 if they were never built; a new build is served without a restart of the API', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cas-console-'));
    const server = await new Promise<Server>((resolve) => {
      const listening = new Koa().use(consoleRoutes(directory)).listen(0, '127.0.0.1', () => resolve(listening));
    });
    const read = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
      return [response.status, await response.text()];
    };
    expect(await read('/console/sessions')).to.deep.equal([
      503,
      'The console is not built. Run "npm ci && npm run build".\n',
    ]);
    mkdirSync(join(directory, 'en/assets'), { recursive: true });
    for (const build of ['first', 'second']) {
      writeFileSync(join(directory, `en/assets/${build}.js`), build);
      writeFileSync(join(directory, 'en/index.html'), `<script src="/console/en/assets/${build}.js"></script>`);
      expect((await read('/console/sessions'))[1]).to.contain(build);
      expect(await read(`/console/en/assets/${build}.js`)).to.deep.equal([200, build]);
    }
    expect(await read('/console/en/assets/first.js')).to.deep.equal([200, 'first']);
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true });
  });
});
