import { expectLocator, openWithin } from '../support/browser.ts';
import { openPageOf, visitEachTest } from '../support/console.ts';
import { createAssistant, createCall, createSession } from '../support/factories.ts';

const ARABIC = 'لم يصل الطرد.';

const COMPLETED = { status: 'completed', summary_text: ARABIC, completed_at: new Date() } as const;

const TURNS = 200;

describe('The console adapts to the reader', () => {
  const { service, visitor } = visitEachTest();

  /** Creates a long conversation with a reanalysis. Returns its path. */
  async function add(): Promise<string> {
    const assistant = await createAssistant(visitor.user.default_workspace_id, { name: ARABIC });
    const conversation = Array.from({ length: TURNS }, (_, index) => ({ role: 'client', text: `${ARABIC} ${index}` }));
    const raw_response = { summary_text: ARABIC, topics: [ARABIC] };
    const fields = { ...COMPLETED, conversation, raw_response, metadata: { note: ARABIC } };
    const { id } = await createSession(assistant, fields);
    await createSession(assistant, { ...fields, source_session_id: id, created_at: new Date('2026-01-02T03:04:00Z') });
    return `/console/sessions/${id}`;
  }

  it('shows right-to-left text from right to left', async () => {
    const { page } = visitor;
    const path = await add();
    await page.goto(path);
    for (const address of [path, '/console/sessions', '/console/assistants']) {
      if (address !== path) await openWithin(page, address);
      const texts = page.getByRole('main').getByText(ARABIC).filter({ visible: true });
      await expectLocator(texts.first()).toBeVisible();
      const directions = await page.evaluate<string[]>(`[...document.querySelectorAll('main :not(option)')]
        .filter((element) => element.childElementCount === 0 && element.textContent.includes('${ARABIC}'))
        .map((element) => getComputedStyle(element).direction)`);
      expect(new Set(directions), address).to.deep.equal(new Set(['rtl']));
    }
  });

  it('keeps meaningful colors in forced-colors mode', async () => {
    const { page } = visitor;
    const assistant = await createAssistant(visitor.user.default_workspace_id);
    const session = await createSession(assistant, COMPLETED);
    for (const [attempt, provider] of (['openai', 'anthropic', 'gemini'] as const).entries())
      // Charts begin at three days.
      await createCall(session, {
        attempt: attempt + 1,
        provider,
        started_at: new Date(Date.now() - attempt * 86_400_000),
        cost_usd: 1,
      });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/console/usage');
    const swatches = page.getByRole('figure').first().locator('[data-shape]');
    await expectLocator(swatches).toHaveCount(3);
    const colors = await page.evaluate<string[]>(
      "[...document.querySelectorAll('figure [data-shape]')].slice(0, 3).map((each) => getComputedStyle(each).backgroundColor)",
    );
    expect(new Set(colors)).to.have.property('size', 3);
  });

  it('prints the whole conversation, without navigation and buttons', async () => {
    const { page } = visitor;
    await page.goto(await add());
    const turns = page.getByRole('list', { name: 'Transcript' });
    await expectLocator(turns.getByRole('listitem')).toHaveCount(TURNS);
    await page.emulateMedia({ media: 'print' });
    await expectLocator(page.getByRole('navigation', { name: 'Main navigation' })).toBeHidden();
    await expectLocator(page.getByRole('button', { name: 'Actions' })).toBeHidden();
    const isCut = await page.evaluate<boolean>(`(() => {
      const { scrollHeight, clientHeight } = document.querySelector('[aria-label=Transcript]');
      return scrollHeight > clientHeight + 1;
    })()`);
    expect(isCut).to.equal(false);
  });

  it("shows times in the browser's time zone, with zone and milliseconds as their title", async () => {
    const { page, close } = await openPageOf(service.api, visitor.user, { timezoneId: 'Asia/Tashkent' });
    await add();
    await page.goto('/console/sessions?reanalysis=true');
    const time = page.getByRole('main').getByRole('time').first();
    await expectLocator(time).toHaveText('2 Jan, 08:04');
    await expectLocator(time).toHaveAttribute('title', /08:04:\d\d\.\d{3} GMT\+5/);
    await close();
  });
});
