import { send } from '../support/api.ts';
import { expectAccessible, expectFitsPhone, expectLocator } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { addAssistant } from '../support/started-service.ts';

describe("The console's follow-ups", () => {
  const { service, visitor } = visitEachTest();

  it('are chosen in the form, shown on the page of the session, asked of past ones, and deleted with the first', async () => {
    const { page, token } = visitor;
    const fields = [{ name: 'resolved', title: 'Solved', type: 'boolean', description: 'Was it?' }];
    const { id: first } = await addAssistant(service.api, token, { name: 'Support', fields });
    const { id: sales } = await addAssistant(service.api, token, { name: 'Sales' });
    const submit = async () => {
      const body = {
        assistant_id: first,
        conversation: [{ role: 'client', text: 'It was solved. [value resolved=true]' }],
      };
      return (await send(service.api, 'submitTextRequest', { token, body })).body.session_id;
    };
    const earlier = await submit();
    await page.goto(`/console/assistants/${first}`);
    await page.getByText('Follow-ups').first().click();
    await page.getByRole('button', { name: 'Add follow-up' }).click();
    await expectLocator(page.getByLabel('Then also ask').getByRole('option')).toHaveText(['Sales']);
    await page.getByRole('button', { name: 'Add condition' }).last().click();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByText('Saved.', { exact: true }).first()).toBeVisible();
    const saved = (await send(service.api, 'getAssistant', { token, params: { id: first } })).body;
    expect(saved.follow_ups).to.deep.equal([{ assistant_id: sales, when: ['resolved:eq:true'] }]);

    const listed = async (first_session_id: string) =>
      (await send(service.api, 'listSessions', { token, query: { first_session_id } })).body.data;
    const session = await submit();
    await eventually(async () => (await listed(session)).map(({ status }) => status).join(), 'completed');
    await page.goto(`/console/sessions/${session}`);
    await page.getByRole('main').getByRole('link', { name: 'Sales' }).click();
    await page.getByRole('link', { name: 'Follow-up of another session' }).click();
    await expectLocator(page).toHaveURL(new RegExp(session));
    await page.goto(`/console/batches/new?assistant_id=${first}&action=analyze`);
    await expectLocator(page.getByRole('status').getByRole('definition').first()).toHaveText('1');
    await page.getByRole('button', { name: 'Analyze all' }).click();
    await expectLocator(page.getByText('1 of 1 done')).toBeVisible();
    expect(await listed(earlier)).to.have.length(1);

    await page.goto(`/console/sessions/${session}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expectLocator(page.getByRole('alertdialog')).toContainText('the follow-ups');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await eventually(() => listed(session), []);
  });
});
