import { UserModel } from '../../db/models/user.ts';
import { send } from '../support/api.ts';
import { expectLocator, openPage } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createSession, createUser, PASSWORD } from '../support/factories.ts';

describe('The language of the console', () => {
  const { service, visitor } = visitEachTest();

  it("is the browser's first supported language, also before the login", async () => {
    for (const [locale, heading] of [
      ['ru-KZ', 'Вход'],
      ['uz-UZ', 'Kirish'],
      ['kk-KZ', 'Log in'],
    ]) {
      const { page, close } = await openPage(service.api.url, { locale: locale as string });
      await page.goto('/console/login');
      await expectLocator(page.getByRole('heading', { level: 1 })).toHaveText(heading as string);
      await close();
    }
  });

  it('can be chosen at the login, for the account that logs in', async () => {
    const { user } = await createUser();
    const { page, close } = await openPage(service.api.url);
    await page.goto('/console/login');
    await page.getByLabel('Language').selectOption('Русский');
    await expectLocator(page.getByRole('heading', { level: 1 })).toHaveText('Вход');
    await page.locator('[name=email]').fill(user.email);
    await page.locator('[name=password]').fill(PASSWORD);
    // The page is loaded again before the account has the language.
    await page.route('**/user/me', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    const lost = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Войти' }).click();
    await expectLocator(page.getByRole('heading', { level: 1 })).toHaveText('Обзор');
    await lost;
    await page.unrouteAll();
    await page.reload();
    await expectLocator(page.getByRole('heading', { level: 1 })).toHaveText('Обзор');
    await eventually(async () => (await UserModel.query().findById(user.id))?.language, 'ru');
    await close();
  });

  it('of the account reloads the page only after its files are loaded, because Safari would hang', async () => {
    const { page, user } = visitor;
    await UserModel.query().findById(user.id).patch({ language: 'ru' });
    let pages = 0;
    page.on('request', (request) => (pages += request.isNavigationRequest() ? 1 : 0));
    const held = Promise.withResolvers<void>();
    await page.route('**/overview-page-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/console/', { waitUntil: 'commit' });
    await expectLocator(async () => {
      expect(await page.evaluate('localStorage.getItem("console.preferences")')).to.contain('"language":"ru"');
    }).toPass();
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(pages).to.equal(1);
    held.resolve();
    await expectLocator(page.getByRole('heading', { level: 1 })).toHaveText('Обзор');
    expect(pages).to.equal(2);
  });

  it('applies to the messages of API errors', async () => {
    const { page, close } = await openPage(service.api.url, { locale: 'ru' });
    await page.goto('/console/login');
    await page.locator('[name=email]').fill('nobody@example.com');
    await page.locator('[name=password]').fill('correct horse battery');
    await page.getByRole('button', { name: 'Войти' }).click();
    await expectLocator(page.getByRole('alert')).toContainText('Неверный адрес эл. почты или пароль.');
    await expectLocator(page.getByRole('region', { name: 'Уведомления' })).toBeAttached();
    const body = { email: 'nobody@example.com', password: 'correct horse battery' };
    await eventually(async () => (await send(service.api, 'openConsoleSession', { body })).status, 429);
    await page.getByRole('button', { name: 'Войти' }).click();
    await expectLocator(page.getByRole('alert')).toContainText('Слишком много неудачных входов. Подождите');
    await page.goto('/console/register');
    await page.locator('[name=name]').fill('Nobody');
    await page.locator('[name=email]').fill('nobody@example.com');
    await page.locator('[name=password]').fill('password123');
    await page.locator('form button[type=submit]').click();
    await expectLocator(page.getByText('Слишком простой пароль. Выберите другой.')).toBeVisible();
    await close();
  });

  it('applies to values that the browser rejects', async () => {
    const { page, user } = visitor;
    await UserModel.query().findById(user.id).patch({ language: 'ru' });
    await page.goto('/console/settings/tokens');
    await page.getByRole('main').getByRole('button', { name: 'Создать токен' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('[name=expiry]').selectOption('custom');
    await dialog.locator('[name=expires_in_days]').fill('0.5');
    await dialog.locator('button[type=submit]').click();
    await expectLocator(dialog.getByText('Укажите значение.')).toBeVisible();
    await expectLocator(dialog.getByText('Не меньше 1.')).toBeVisible();
    await dialog.locator('[name=expires_in_days]').fill('4000');
    await dialog.locator('[name=expires_in_days]').blur();
    await expectLocator(dialog.getByText(/^Не больше 3.650\.$/)).toBeVisible();
  });

  it('applies to the sentences of failed sessions, with their values', async () => {
    const { page, user } = visitor;
    await UserModel.query().findById(user.id).patch({ language: 'ru' });
    const assistant = await createAssistant(user.default_workspace_id);
    const message = 'OpenAI refused the API key (HTTP 401): check OPENAI_API_KEY';
    const params = { name: 'OpenAI', status: '401', setting: 'OPENAI_API_KEY' };
    const reason = { reason: 'key_refused', params } as const;
    const error = {
      code: 'auth',
      stage: 'analysis',
      provider: 'openai',
      message,
      retryable: false,
      ...reason,
    } as const;
    const { id } = await createSession(assistant, { status: 'failed', completed_at: new Date(), error });
    const worded = 'OpenAI: ключ API отклонён (HTTP 401). Проверьте OPENAI_API_KEY.';
    await page.goto('/console/sessions');
    await expectLocator(page.getByRole('link', { name: worded })).toBeVisible();
    await page.goto(`/console/sessions/${id}`);
    await expectLocator(page.getByRole('alert').filter({ hasText: worded })).toBeVisible();
  });

  it('applies to what the service lacks', async () => {
    const { page, user } = visitor;
    await UserModel.query().findById(user.id).patch({ language: 'ru' });
    const json = { status: 'not ready', problems: ['no worker is running', 'something newer'] };
    await page.route('/readyz', (route) => route.fulfill({ status: 503, json }));
    await page.goto('/console/settings/system');
    await expectLocator(page.getByText('Не готов: нет работающих воркеров, something newer')).toBeVisible();
  });

  it('is changed in the settings, for all browsers of the account', async () => {
    const { page, user } = visitor;
    await page.goto('/console/settings/account');
    await page.getByLabel('Language', { exact: true }).selectOption('Oʻzbekcha');
    await expectLocator(page.getByRole('heading', { level: 1 })).toHaveText('Sozlamalar');
    await expectLocator(page.locator('html')).toHaveAttribute('lang', 'uz');
    await expectLocator(page).toHaveTitle('Hisob · Sozlamalar · Suhbatlar tahlili');

    await UserModel.query().findById(user.id).patch({ language: 'ru' });
    await page.goto('/console/usage');
    await expectLocator(page.getByRole('heading', { level: 1 })).toHaveText('Расходы');
    await page.getByRole('button', { name: 'Выйти' }).click();
    await expectLocator(page).toHaveURL(/ended=out$/);
    await expectLocator(page.getByRole('heading', { level: 1 })).toHaveText('Вход');
    expect(await UserModel.query().findById(user.id)).to.include({ language: 'ru' });
  });

  for (const [language, date, cost] of [
    ['ru', '21 нояб. 2024', /0,00\s\$/],
    ['uz', '21 noy 2024', /0,00\s\$/],
  ] as const) {
    it(`applies to dates and numbers (${language})`, async () => {
      const { page, user } = visitor;
      await UserModel.query().findById(user.id).patch({ language });
      const created_at = new Date('2024-11-21T14:03:00Z');
      await createSession(await createAssistant(user.default_workspace_id), { created_at });
      await page.goto('/console/sessions?columns=started&columns=cost');
      const row = page.getByRole('row').nth(1);
      await expectLocator(row).toContainText(date);
      await expectLocator(row).toContainText(cost);
    });
  }
});
