import { expectLocator } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';

describe('A tab of the console that is open during an upgrade', () => {
  const { visitor } = visitEachTest();

  /** Removes the files of the tab's release. Later requests get the new release. */
  async function upgrade(): Promise<() => number> {
    const { page } = visitor;
    let loads = 0;
    await page.route('**/console/**', (route) => {
      if (route.request().isNavigationRequest()) loads++;
      return loads === 0 ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue();
    });
    return () => loads;
  }

  /** The router logs the files that it could not preload. */
  const expectMissingFilesOnly = () =>
    expect(visitor.faults.splice(0).join()).to.match(/^(TypeError: Failed to fetch dynamically imported module[^]*)?$/);

  it('reloads once at the same URL when it opens a page whose file was not loaded before', async () => {
    const { page } = visitor;
    await page.goto('/console/assistants');
    await expectLocator(page.getByRole('heading', { name: 'Assistants', level: 1 })).toBeVisible();
    const countLoads = await upgrade();
    await page.getByRole('link', { name: 'Usage' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).to.equal('/console/usage');
    expect(countLoads()).to.equal(1);
    expectMissingFilesOnly();
  });

  it('keeps a form while the pointer is over a link, and reloads after a click', async () => {
    const { page } = visitor;
    await page.goto('/console/assistants/new');
    await page.locator('input[name=name]').fill('Call review');
    const countLoads = await upgrade();
    const refused = page.waitForResponse((response) => response.status() === 404);
    await page.getByRole('link', { name: 'Usage' }).hover();
    await refused;
    await page.getByRole('link', { name: 'Settings' }).hover();
    await expectLocator(page.locator('input[name=name]')).toHaveValue('Call review');
    expect(countLoads()).to.equal(0);
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expectLocator(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible();
    expect(countLoads()).to.equal(1);
    expectMissingFilesOnly();
  });

  it('keeps a form when a dialog of its page can not be loaded', async () => {
    const { page } = visitor;
    await page.goto('/console/assistants/new');
    await page.locator('input[name=name]').fill('Call review');
    await page.getByLabel('System prompt').fill('Summarize the call.');
    const countLoads = await upgrade();
    await page.getByRole('button', { name: 'Try on a past session' }).click();
    await expectLocator(page.getByText('Something went wrong. Reload the page.')).toBeVisible();
    await expectLocator(page.locator('input[name=name]')).toHaveValue('Call review');
    expect(countLoads()).to.equal(0);
    expectMissingFilesOnly();
  });
});
