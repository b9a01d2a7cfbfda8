import { send } from '../support/api.ts';
import { expectLocator, expectUsable } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { addAssistant } from '../support/started-service.ts';

const PHONE = '+998 90 123 45 67';

describe('Redaction in the console', () => {
  const { service, visitor } = visitEachTest();

  it('is set on an assistant, shown on its sessions, and undone for a person with the scope', async () => {
    const { page, token } = visitor;
    const { id } = await addAssistant(service.api, token);
    await page.goto(`/console/assistants/${id}`);
    await page.getByRole('heading', { name: 'Redaction' }).click();
    for (const kind of ['Card numbers', 'Phone numbers']) await page.getByLabel(kind).check();
    await page.getByLabel('Original values').selectOption('seal');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByRole('link', { name: 'Versions 2' })).toBeVisible();
    const { body: assistant } = await send(service.api, 'getAssistant', { token, params: { id } });
    expect(assistant.redaction).to.deep.equal({ entities: ['card', 'phone'], originals: 'seal', keep_audio: false });

    const conversation = [{ role: 'client', text: `Call me at ${PHONE}, please.` }];
    const { body } = await send(service.api, 'submitTextRequest', { token, body: { assistant_id: id, conversation } });
    await page.goto(`/console/sessions/${body.session_id}`);
    await expectLocator(page.getByText('Redacted: phone numbers (1)')).toBeVisible();
    await expectUsable(page);
    await page.getByRole('button', { name: 'Show original values' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Show original values' }).click();
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await expectLocator(transcript.getByText(`Call me at ${PHONE}, please.`)).toBeVisible();
  });
});
