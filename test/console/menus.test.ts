import { expectAccessible, expectLocator } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { addAssistant } from '../support/started-service.ts';

describe('A menu of the console', () => {
  const { service, visitor } = visitEachTest();

  it('closes with Esc, a click outside and a choice, returns the focus, and stays on its page', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token);
    await page.goto('/console/assistants');
    await page.goto(`/console/assistants/${id}`);
    const button = page.getByRole('button', { name: 'Actions' });
    const entry = page.getByRole('main').getByRole('button', { name: 'Delete' });
    await button.click();
    await expectLocator(entry).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expectLocator(entry).toBeHidden();
    await expectLocator(button).toBeFocused();
    await button.click();
    await page.getByRole('heading', { level: 1 }).click();
    await expectLocator(entry).toBeHidden();
    await button.click();
    await entry.click();
    await expectLocator(page.getByRole('alertdialog')).toBeVisible();
    await expectLocator(entry).toBeHidden();
    await page.keyboard.press('Escape');
    await expectLocator(page.getByRole('alertdialog')).toHaveCount(0);
    await expectLocator(button).toBeFocused();
    await expectLocator(page).toHaveURL(new RegExp(`/assistants/${id}$`));
  });
});
