import { expect } from 'chai';
import { expectLocator } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAssistant, createSession } from '../support/factories.ts';

describe('The first load of a page', () => {
  const { service, visitor } = visitEachTest();

  for (const [name, path, endpoint] of [
    ['sessions', '/sessions', '/v1/sessions'],
    ['deliveries', '/deliveries', '/v1/deliveries'],
    ['the overview', '/', '/v1/stats'],
    ['a session', '/sessions/{id}', '/v1/sessions/{id}'],
  ] as const) {
    it(`requests the data of ${name} before the login check has ended, and uses the response`, async () => {
      const { page, user } = visitor;
      const { id } = await createSession(await createAssistant(user.default_workspace_id), { status: 'completed' });
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      const login = Promise.withResolvers<void>();
      await page.route('**/auth/console-session', async (route) => {
        await login.promise;
        await route.continue();
      });
      const dataPath = `/api${endpoint.replace('{id}', id)}`;
      const isData = (url: string) => new URL(url).pathname === dataPath;
      const response = page.waitForResponse((each) => isData(each.url()));
      await page.goto(`${service.api.url}/console${path.replace('{id}', id)}`, { waitUntil: 'commit' });
      await response;
      login.resolve();
      await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectLocator(page.locator('main [role="status"][aria-label]')).toHaveCount(0);
      const [first, ...others] = requested.filter(isData);
      // A list requests its head again when the event stream is open, and a slow page refreshes old data.
      expect(others.filter((url) => url === first)).to.have.length.below(2);
    });
  }
});
