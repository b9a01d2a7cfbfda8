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
      // The browser knows that somebody is logged in.
      await page.goto('/console/settings/system');
      await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
      const login = Promise.withResolvers<void>();
      await page.route('**/auth/console-session', async (route) => {
        await login.promise;
        await route.continue();
      });
      const requested = Promise.withResolvers<void>();
      let asked: string | undefined;
      // Later requests for the same are never answered: a page that does not use the first response waits for ever.
      await page.route(
        ({ pathname }) => pathname === `/api${endpoint.replace('{id}', id)}`,
        async (route) => {
          const url = route.request().url();
          if (url === asked) return;
          asked ??= url;
          await route.continue();
          requested.resolve();
        },
      );
      await page.goto(`${service.api.url}/console${path.replace('{id}', id)}`, { waitUntil: 'commit' });
      await requested.promise;
      login.resolve();
      await expectLocator(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectLocator(page.locator('main [role="status"][aria-label]')).toHaveCount(0);
    });
  }
});
