import pg from 'pg';
import { fillSessions, forgetSessions } from '../support/fill-sessions.ts';
import { findSessionPage } from '../../db/queries/list-sessions.ts';
import { addSessionDetails } from '../../db/queries/session-details.ts';
import { expectLocator } from '../support/browser.ts';
import { visit, type Visitor } from '../support/console.ts';
import { countBlocks } from '../support/count-blocks.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { useSharedService } from '../support/shared-service.ts';

/** More than the console counts. A scan of all reads more blocks than the test allows. */
const SESSIONS = 30_000;
const PAGE_ROWS = 50;
/** Limit of elements on the page. A row has about 20. */
const MAX_ELEMENTS = 40 * PAGE_ROWS;

describe(`The console's list of ${SESSIONS.toLocaleString('en')} sessions`, () => {
  const service = useSharedService();
  let visitor: Visitor;
  let client: pg.Client;
  let workspaceId: string;
  before(async () => {
    visitor = await visit(service.api);
    workspaceId = visitor.user.default_workspace_id;
    client = new pg.Client({ connectionString: testDatabase().url });
    await client.connect();
    await fillSessions(client, { users: [workspaceId], perUser: SESSIONS });
  });
  after(async () => {
    await forgetSessions(client);
    await client.end();
    await visitor.close();
  });

  it('shows one page of rows, with few elements and few small requests', async () => {
    const { page } = visitor;
    // Counted by URL, because on a slow machine the page requests the state of the workers again.
    const sizes = new Map<string, Promise<number>>();
    page.on('requestfinished', (request) => {
      const size = request.sizes().then(({ responseBodySize }) => responseBodySize);
      if (request.url().includes('/api/')) sizes.set(request.url(), size);
    });
    await page.goto('/console/sessions');
    await expectLocator(page.locator('tbody tr')).toHaveCount(PAGE_ROWS);
    await expectLocator(page.getByText('10,000+ sessions', { exact: true })).toBeVisible();
    expect(await page.evaluate("document.getElementsByTagName('*').length")).to.be.below(MAX_ELEMENTS);
    expect(visitor.faults).to.deep.equal([]);
    expect(sizes.size).to.be.within(1, 8);
    expect((await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)).to.be.below(200_000);
  });

  it('requests the list once for each filter, while the event stream is open', async () => {
    const { page } = visitor;
    const stream = page.waitForResponse((response) => response.url().endsWith('/api/v1/events'));
    await page.goto('/console/sessions');
    await stream;
    await expectLocator(page.getByRole('row')).toHaveCount(PAGE_ROWS + 1);
    const read: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/sessions?')) read.push(new URL(request.url()).searchParams.get('status') ?? '');
    });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    for (const status of ['failed', 'completed']) {
      await page.getByLabel('Status', { exact: true }).selectOption(status);
      await expectLocator(page).toHaveURL(new RegExp(`status=${status}`));
      await expectLocator(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await expectLocator(page.getByRole('cell', { name: 'Failed' })).toHaveCount(status === 'failed' ? PAGE_ROWS : 0);
    }
    expect(read).to.deep.equal(['failed', 'completed']);
  });

  it('reads few blocks of the database', async () => {
    const read = async () => addSessionDetails((await findSessionPage(workspaceId, {}, { limit: PAGE_ROWS })).rows);
    // While other transactions are open, a vacuum leaves pages for which an index scan also reads the table.
    const count = async () => {
      await client.query('vacuum sessions, deliveries');
      return countBlocks(testDatabase().db, client, read);
    };
    await eventually(count, (blocks) => blocks < 1_000);
  });
});
