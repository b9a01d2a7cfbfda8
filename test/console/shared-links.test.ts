import { expectAccessible, expectLocator, openPage, expectUsable } from '../support/browser.ts';
import { visitInTab } from '../support/console.ts';
import { createAnswered, createAssistant } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

const FIELDS = [
  { name: 'resolved', title: 'Problem solved', type: 'boolean' as const, description: 'So?', evidence: false },
];
const CONVERSATION = [{ role: 'client', text: 'My card is [CARD_1].' }];

describe('A shared link in the console', () => {
  const api = useTestApi({ env: { SHARED_LINKS: 'true' } });
  const visitor = visitInTab(() => api);

  it('shows the chosen parts to a person without a login, until it is revoked', async () => {
    const { page, user } = visitor;
    const assistant = await createAssistant(user.default_workspace_id, { fields: FIELDS });
    const { id } = await createAnswered(assistant, { resolved: true }, { conversation: CONVERSATION });
    await page.goto(`/console/sessions/${id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await expectLocator(page.getByText('The link works for 7 days.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByText('/console/shared#').innerText();

    const guest = await openPage(api.url);
    await guest.page.goto(link);
    await expectLocator(guest.page.getByRole('heading', { name: assistant.name, level: 1 })).toBeVisible();
    await expectLocator(guest.page.getByText(`Shared by ${user.name}`)).toBeVisible();
    await expectLocator(guest.page.getByText('Done.')).toBeVisible();
    await expectLocator(guest.page.getByText('Problem solved')).toBeVisible();
    await expectLocator(guest.page.getByText('My card is')).toHaveCount(0);
    await expectUsable(guest.page);

    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expectLocator(page.getByText('Open links')).toHaveCount(0);
    await guest.page.reload();
    await expectLocator(guest.page.getByRole('heading', { name: 'This link has ended' })).toBeVisible();
    expect(guest.faults).to.deep.equal([]);
    await guest.close();
  });
});
