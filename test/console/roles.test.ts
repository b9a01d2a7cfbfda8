import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectFitsPhone } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { visitEachTest } from '../support/console.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';

const FIELDS = [{ name: 'ticket', type: 'string', description: 'Number of the ticket.' }];

describe("The console's roles", () => {
  const { service, visitor } = visitEachTest();

  it('are shown for the speakers with a quote and in the quotes of values, and can be corrected and restored', async () => {
    const { page, token } = visitor;
    const assistant = await addVoiceAssistant(service.api, token, { stt_provider: 'elevenlabs', fields: FIELDS });
    const { session_id: id } = await submitVoice(service.api, { token, assistantId: assistant.id });
    const read = async () => (await send(service.api, 'getSession', { token, params: { id } })).body.roles;
    await page.goto(`/console/sessions/${id}`);
    const roles = page.getByRole('region', { name: 'Speakers' });
    const turns = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem');
    await expectLocator(turns.first()).toContainText('operator');
    await expectLocator(roles.getByRole('button', { name: 'Change roles (Set by the model)' })).toBeVisible();
    const quote = page.getByRole('button', { name: /^0:14 / });
    await expectLocator(quote).toHaveAttribute('title', /^client: /);
    await expectAccessible(page);

    await roles.getByRole('button', { name: 'Change roles' }).click();
    await roles.getByRole('button', { name: 'I ordered a coffee machine' }).click();
    await expectLocator(page.getByRole('list', { name: 'Transcript' }).locator('[data-found]')).toContainText('coffee');

    await roles.getByRole('button', { name: 'Swap' }).click();
    await expectLocator(roles.getByRole('button', { name: 'Change roles (Set by a person)' })).toBeVisible();
    await expectLocator(turns.first()).toContainText('client');
    await expectLocator(quote).toHaveAttribute('title', /^operator: /);
    await expectLocator(page.getByRole('list', { name: 'Talk time' })).toContainText('client');
    expect(await read()).to.include({ source: 'person' });

    await roles.getByLabel('Role of speaker 1').selectOption('operator');
    await expectLocator(turns.first()).toContainText('operator (speaker 1)');
    await expectFitsPhone(page);
    await expectAccessible(page);

    await roles.getByRole('button', { name: 'Undo' }).click();
    await expectLocator(roles.getByRole('button', { name: 'Change roles (Set by the model)' })).toBeVisible();
    expect(await read()).to.deep.include({ source: 'model', map: { 'speaker 1': 'operator', 'speaker 2': 'client' } });
  });

  it('of channels can be set in the assistant form, which shows errors at the input', async () => {
    const { page, token } = visitor;
    const { id } = await addVoiceAssistant(service.api, token, { stt_provider: 'whisper' });
    const read = async () => (await send(service.api, 'getAssistant', { token, params: { id } })).body;
    await page.goto(`/console/assistants/${id}`);
    const channels = page.getByLabel('Channels');
    await page.getByRole('heading', { name: 'Transcription' }).click();
    await channels.fill('operator\nclient\n');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(
      page.getByText('whisper does not transcribe channels separately; use elevenlabs').last(),
    ).toBeVisible();
    await page.locator('[name=stt_provider]').selectOption('elevenlabs');
    await page.getByLabel(/^Vocabulary/).fill('Northline Fiber\n\n Old Harbor ');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLocator(page.getByLabel(/^Language/)).toHaveValue('');
    const saved = await eventually(read, ({ version }) => version === 2);
    const vocabulary = ['Northline Fiber', 'Old Harbor'];
    expect(saved).to.deep.include({ channel_roles: ['operator', 'client'], stt_language: 'Auto-Detect', vocabulary });
    // The save is over only when the form has its response.
    await expectLocator(page.getByRole('link', { name: 'Versions 2' })).toBeVisible();
    await channels.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(read, ({ channel_roles, version }) => channel_roles === null && version === 3);
  });
});
