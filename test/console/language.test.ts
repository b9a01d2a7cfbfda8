import { expect } from 'chai';
import { UserModel } from '../../db/models/user.ts';
import { expectLocator, openPage } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAssistant, createSession } from '../support/factories.ts';

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

  it('applies to the messages of API errors', async () => {
    const { page, close } = await openPage(service.api.url, { locale: 'ru' });
    await page.goto('/console/login');
    await page.locator('[name=email]').fill('nobody@example.com');
    await page.locator('[name=password]').fill('correct horse battery');
    await page.getByRole('button', { name: 'Войти' }).click();
    await expectLocator(page.getByRole('alert')).toContainText('Неверный адрес эл. почты или пароль.');
    await expectLocator(page.getByRole('region', { name: 'Уведомления' })).toBeAttached();
    await page.goto('/console/register');
    await page.locator('[name=name]').fill('Nobody');
    await page.locator('[name=email]').fill('nobody@example.com');
    await page.locator('[name=password]').fill('password123');
    await page.locator('form button[type=submit]').click();
    await expectLocator(page.getByText('Слишком простой пароль. Выберите другой.')).toBeVisible();
    await close();
  });

  it('is changed in the settings, for all browsers of the account', async () => {
    const { page, user } = visitor;
    await page.goto('/console/settings/account');
    await page.getByLabel('Language', { exact: true }).selectOption('Oʻzbekcha');
    await expectLocator(page.getByRole('heading', { level: 1 })).toHaveText('Sozlamalar');
    await expectLocator(page.locator('html')).toHaveAttribute('lang', 'uz');
    await expectLocator(page).toHaveTitle('Sozlamalar · Suhbatlar tahlili');

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
      await page.goto('/console/sessions');
      const row = page.getByRole('row').nth(1);
      await expectLocator(row).toContainText(date);
      await expectLocator(row).toContainText(cost);
    });
  }
});
