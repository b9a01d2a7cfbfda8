import type { Page, Route } from '@playwright/test';
import { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { SecondOpinionModel } from '../../db/models/second-opinion.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import { send } from '../support/api.ts';
import { expectAccessible, expectLocator, expectUsable } from '../support/browser.ts';
import { logInTo, visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createAnswered, createReview, createSession, PASSWORD } from '../support/factories.ts';
import { createMember } from '../support/members.ts';
import { addAssistant } from '../support/started-service.ts';

const FIELDS = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?' },
  { name: 'score', type: 'integer', description: 'Satisfaction of the client.', minimum: 1, maximum: 5 },
  { name: 'amount', type: 'number', description: 'Which amount is in dispute?' },
  { name: 'reason', type: 'enum', description: 'Why did they call?', options: ['billing', 'delivery', 'other'] },
  { name: 'city', type: 'string', description: 'In which town?' },
];
/** Texts that the page can contain only if it shows the model's value. */
const VALUES = { resolved: true, score: 3, amount: 77_123.25, reason: 'delivery', city: 'Samarkand' };
const CONVERSATION = [
  { role: 'operator', text: 'Good morning.' },
  { role: 'client', text: 'My parcel has not arrived.' },
];

describe("The console's review page", () => {
  const { service, visitor } = visitEachTest();
  let assistant: AssistantModel;
  beforeEach(async () => {
    const { id } = await addAssistant(service.api, visitor.token, { fields: FIELDS });
    assistant = await AssistantModel.query().findById(id).throwIfNotFound();
  });

  const answered = () => createAnswered(assistant, VALUES, { conversation: CONVERSATION });
  const stored = async (id: string) =>
    (await send(service.api, 'getSessionReview', { token: visitor.token, params: { id } })).body;
  const open = (page: Page, search = '') => page.goto(`/console/review?assistant_id=${assistant.id}${search}`);
  const question = (page: Page, name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
  const framed = (page: Page, name: string) =>
    expectLocator(question(page, name)).toHaveAttribute('aria-current', 'step');
  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  const isShown = (page: Page, text: string | RegExp) => expectLocator(page.getByText(text)).toBeVisible();

  it('takes second opinions without the first answers, and lets one of the two decide where they differ', async () => {
    const { page } = visitor;
    const other = await createMember(assistant.workspace_id, 'analyst');
    const [theirs, own] = [await answered(), await answered()];
    const first = { answers: { resolved: false, city: 'Bukhara' }, note: 'A secret note', sampled: true };
    const workspace = assistant.workspace_id;
    await send(service.api, 'putSessionReview', {
      token: other.token,
      workspace,
      params: { id: theirs.id },
      body: first,
    });
    await createReview(own, { reviewed_by: visitor.user.id });
    await open(page, '&review=single&sort=random');
    await isShown(page, /^Second opinions: answer without/);
    await framed(page, 'resolved');
    for (const text of ['Bukhara', 'A secret note']) expect(await page.content()).not.to.include(text);
    await press(page, 'y');
    // Enter leads through the other questions, and saves.
    await expectLocator(async () => {
      await press(page, 'Enter');
      expect(await SecondOpinionModel.query().findById(theirs.id)).to.not.equal(undefined);
    }).toPass();
    await expectLocator
      .poll(async () => (await SecondOpinionModel.query().findById(theirs.id))?.differing)
      .toEqual(['resolved']);
    await page.goto(`/console/sessions/${theirs.id}`);
    await page.getByLabel('resolved', { exact: true }).selectOption({ label: 'Second: Yes' });
    await page.getByRole('button', { name: 'Decide' }).click();
    await expectLocator(page.getByText('Two people differ about this conversation')).toHaveCount(0);
    expect((await stored(theirs.id)).answers).to.include({ resolved: true, city: 'Bukhara' });
  });

  it('reviews ten conversations by keys alone, goes on where the model agrees, and shows no value of the model before the answer', async () => {
    const { page } = visitor;
    for (let count = 0; count < 10; count++) await answered();
    await open(page);
    for (let count = 0; count < 10; count++) {
      await isShown(page, `${count} reviewed. With 30, to within 12.`);
      await framed(page, 'resolved');
      const before = await page.content();
      for (const text of ['77123', '77,123', 'The model gives']) expect(before).not.to.include(text);
      await expectLocator(question(page, 'resolved')).not.toContainText('model');
      await press(page, 'y');
      await expectLocator(question(page, 'resolved')).toContainText('The model gives the same answer:Yes');
      await framed(page, 'score');
      await press(page, '5');
      await expectLocator(question(page, 'score')).toContainText('The model gives another answer:3');
      await press(page, 'Enter', '7', '7', '1', 'Enter');
      await expectLocator(question(page, 'amount')).toContainText(/Your answer: 771.*another answer:77123.25/s);
      await press(page, 'Enter', '1', 'Enter', 'y');
      await expectLocator(question(page, 'city').getByRole('button', { name: 'Right' })).toHaveAttribute(
        'aria-pressed',
        'true',
      );
      await press(page, 'Enter');
    }
    await expectLocator(page.getByRole('heading', { name: 'No conversations left to review' })).toBeVisible();
    await isShown(page, '10 reviewed. With 30');
    await expectLocator(page.getByRole('link', { name: 'Give second opinions' })).toBeVisible();
    const rows = await SessionReviewModel.query().where({ assistant_id: assistant.id });
    expect(rows).to.have.length(10);
    for (const { answers, sampled } of rows) {
      expect(answers).to.deep.equal({ resolved: true, score: 5, amount: 771, reason: 'billing', city: 'Samarkand' });
      expect(sampled).to.equal(true);
    }
  });

  /** Answers every question. */
  const answerAll = (page: Page) => press(page, 'y', '3', 'x', 'Enter', '2', '-', 'Enter');
  const reviewsOf = async () => (await SessionReviewModel.query().where({ assistant_id: assistant.id })).length;

  it('says at each goal what is known, what the next goal brings, and what to do with the reviews', async () => {
    const { page } = visitor;
    const sessions = await Promise.all(Array.from({ length: 31 }, answered));
    for (const session of sessions.slice(2)) await createReview(session, { answers: { score: 3 }, sampled: true });
    await open(page);
    await framed(page, 'resolved');
    await expectLocator(page.getByRole('link', { name: 'Test other settings' })).toHaveCount(0);
    await answerAll(page);
    await isShown(
      page,
      '30 reviewed: how often the model is right is known to within about 12 points. With 60, to within 9.',
    );
    const reached = page.getByRole('status').filter({ hasText: 'Read the accuracy' });
    await expectLocator(reached.getByRole('link', { name: 'Test other settings' })).toBeVisible();
    await expectUsable(page);
    await framed(page, 'resolved');
    await answerAll(page);
    await isShown(page, 'No conversations left to review');
    await expectLocator(reached).toHaveCount(0);
    await open(page);
    await isShown(page, /^31 reviewed: .* With 60/);
    await page.getByRole('link', { name: 'Test other settings' }).click();
    await isShown(page, 'Test on 31 reviewed conversations');
  });

  it('takes digits as a score from 0 to 10, and the letters at the same places of a Cyrillic keyboard', async () => {
    const { page } = visitor;
    const score = { name: 'score', type: 'integer', description: 'Score?', minimum: 0, maximum: 10 };
    const added = await addAssistant(service.api, visitor.token, { fields: [FIELDS[0], score, FIELDS[4]] });
    assistant = await AssistantModel.query().findById(added.id).throwIfNotFound();
    const { id } = await createAnswered(assistant, { resolved: true, score: 3, city: null });
    await open(page);
    await framed(page, 'resolved');
    const browser = await page.context().newCDPSession(page);
    const type = async (key: string, code: string, modifiers = 0) => {
      for (const event of ['keyDown', 'keyUp'] as const)
        await browser.send('Input.dispatchKeyEvent', { type: event, key, code: `Key${code}`, modifiers });
    };
    const chosen = (name: string) => page.locator('[aria-pressed="true"]').filter({ hasText: new RegExp(`^${name}$`) });
    await type('т', 'N');
    await expectLocator(chosen('nNo')).toBeVisible();
    await press(page, 'Enter', '0');
    await expectLocator(chosen('0')).toBeVisible();
    await press(page, '1');
    await expectLocator(chosen('1')).toBeVisible();
    await press(page, '0');
    await expectLocator(chosen('10')).toBeVisible();
    await type('г', 'U');
    await framed(page, 'resolved');
    await type('ч', 'X');
    await expectLocator(chosen('xUnsure')).toBeVisible();
    await type('л', 'K', 2);
    await expectLocator(page.getByRole('dialog')).toBeVisible();
    await press(page, 'Escape', 'Enter', 'Enter', '-', 'Enter');
    await isShown(page, 'No conversations left to review');
    const { answers, unsure } = await stored(id);
    expect({ answers, unsure }).to.deep.equal({ answers: { score: 10, city: null }, unsure: ['resolved'] });
  });

  it('continue with Enter after a click into the transcript, or on a quote', async () => {
    const { page } = visitor;
    const { id } = await answered();
    const quotes = '[{"turn": 1, "quote": "has not arrived"}]';
    const raw_response = SessionModel.raw("jsonb_set(raw_response, '{evidence,resolved,quotes}', ?)", [quotes]);
    await SessionModel.query()
      .findById(id)
      .patch({ raw_response: raw_response as never });
    await open(page);
    await framed(page, 'resolved');
    await press(page, 'y');
    await question(page, 'resolved').getByRole('button', { name: 'has not arrived' }).click();
    await press(page, 'Enter');
    await framed(page, 'score');
    await page.getByText('My parcel has not arrived.', { exact: true }).click();
    await press(page, 'Enter');
    await framed(page, 'amount');
  });

  it('keep in a second tab both what the first tab saved and what this one answers', async () => {
    const { page } = visitor;
    const ids = [await answered(), await answered()].map(({ id }) => id);
    await open(page);
    await framed(page, 'resolved');
    const other = await page.context().newPage();
    await open(other);
    await framed(other, 'resolved');
    await answerAll(page);
    await isShown(page, '1 reviewed. With 30');
    await press(other, 'n', 'Enter', ...Array.from({ length: 12 }, () => 'Enter'));
    // The count of this tab does not tell whether it has saved: the first tab's review counts in both.
    const both = async () =>
      (await Promise.all(ids.map(stored))).filter(({ answers }) => answers.resolved === false && answers.score === 3);
    await eventually(both, ({ length }) => length === 1);
  });

  it('offer answers as a second opinion if somebody else reviews the conversation meanwhile', async () => {
    const { page } = visitor;
    const { id } = await answered();
    await open(page);
    await framed(page, 'resolved');
    const colleague = await createMember(assistant.workspace_id, 'reviewer');
    const body = { answers: { resolved: true }, sampled: true };
    await send(service.api, 'putSessionReview', {
      token: colleague.token,
      workspace: assistant.workspace_id,
      params: { id },
      body,
    });
    await press(page, 'n', 'Enter', '1', 'Enter', 'x', 'Enter', '1', 'Enter', 'x', 'Enter');
    await isShown(page, /Save your answers as a second opinion/);
    await page.getByRole('button', { name: 'Save review' }).click();
    await isShown(page, 'No conversations left to review');
    expect((await stored(id)).answers).to.deep.equal({ resolved: true });
    const opinion = await SecondOpinionModel.query().findById(id);
    expect(opinion?.second.answers).to.include({ resolved: false, score: 1 });
  });

  it('offer skipped conversations again, and go back to saved ones', async () => {
    const { page } = visitor;
    for (let count = 0; count < 3; count++) await answered();
    await open(page);
    await framed(page, 'resolved');
    await press(page, 's');
    for (const count of [1, 2]) {
      await framed(page, 'resolved');
      await expectLocator(page.getByText('You skipped this conversation before.')).toHaveCount(0);
      await answerAll(page);
      await isShown(page, `${count} reviewed. With 30`);
    }
    await isShown(page, 'You skipped this conversation before.');
    await framed(page, 'resolved');
    await press(page, 'u');
    await expectLocator(question(page, 'resolved').getByRole('button', { name: 'Yes' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await press(page, 'n', 'Enter', 'Enter', 'Enter', 'Enter', 'Enter');
    await isShown(page, 'You skipped this conversation before.');
    await framed(page, 'resolved');
    await answerAll(page);
    await isShown(page, 'No conversations left to review');
    const answers = await SessionReviewModel.query().where({ assistant_id: assistant.id });
    expect(answers.map((review) => review.answers['resolved']).sort()).to.deep.equal([false, true, true]);
  });

  it('remind once of questions without an answer, and store the others', async () => {
    const { page } = visitor;
    const { id } = await answered();
    const body = { answers: { city: 'Bukhara', score: 1 }, note: 'Called twice.' };
    await send(service.api, 'putSessionReview', { token: visitor.token, params: { id }, body });
    await open(page);
    await framed(page, 'resolved');
    await expectLocator(page.getByText('Done.')).toHaveCount(0);
    await press(page, 'Enter', 'Enter', 'Enter', 'Enter', 'Enter');
    await isShown(page, 'Answer at least one question, or skip the conversation.');
    await press(page, 'u', '2', 'Enter');
    await isShown(page, '4 questions have no answer. Answer them, or continue to save without them.');
    await framed(page, 'resolved');
    await press(page, 'y', 'x', 'Enter', 'Enter', 'Enter');
    await isShown(page, 'No conversations left to review');
    const { answers, unsure, note, sampled } = await stored(id);
    expect(answers).to.deep.equal({ resolved: true, reason: 'delivery', city: 'Bukhara' });
    expect({ unsure, note, sampled }).to.deep.equal({ unsure: ['score'], note: 'Called twice.', sampled: true });
  });

  it('are counted per assistant, the fewest first, while those of all assistants are shown', async () => {
    const { page } = visitor;
    const { id } = await addAssistant(service.api, visitor.token, { name: 'Sales', fields: FIELDS });
    const other = await AssistantModel.query().findById(id).throwIfNotFound();
    for (let count = 0; count < 2; count++) await createReview(await answered(), { sampled: true });
    await createReview(await createAnswered(other, VALUES), { sampled: true });
    await createAnswered(other, VALUES, { conversation: CONVERSATION });
    await page.goto('/console/review');
    await isShown(page, /3 reviews\. Accuracy is counted per assistant: Sales 1, Review 2$/);
    await expectLocator(page.getByRole('progressbar')).toHaveCount(0);
    await page.getByRole('status').getByRole('link', { name: 'Sales' }).click();
    await isShown(page, '1 reviewed. With 30');
  });

  it('have no two answers of one meaning: without a value of the model, only "Not mentioned"', async () => {
    const { page } = visitor;
    await createAnswered(assistant, { ...VALUES, city: null }, { conversation: CONVERSATION });
    await open(page);
    await framed(page, 'resolved');
    const city = question(page, 'city');
    await expectLocator(city.getByRole('button', { name: 'Right' })).toHaveCount(0);
    await press(page, 'Enter', 'Enter', 'Enter', 'Enter', '-');
    await expectLocator(city.getByRole('button', { name: 'Not mentioned' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('keep the framed question and its answers on the screen of a phone, below any place of the conversation', async () => {
    const { page } = visitor;
    const conversation = Array.from({ length: 60 }, (_, index) => ({ role: 'client', text: `Turn ${index}.` }));
    await createAnswered(assistant, VALUES, { conversation });
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page);
    await framed(page, 'resolved');
    const yes = question(page, 'resolved').getByRole('button', { name: 'Yes' });
    const next = page.getByRole('button', { name: 'Next', exact: true });
    for (const place of ['Turn 0.', 'Turn 30.', 'Turn 59.']) {
      await page.getByText(place, { exact: true }).scrollIntoViewIfNeeded();
      await expectLocator(yes).toBeInViewport({ ratio: 1 });
      await expectLocator(next).toBeInViewport({ ratio: 1 });
    }
    await isShown(page, 'Question 1 of 5');
    await yes.click();
    await framed(page, 'score');
    await expectLocator(question(page, 'resolved')).not.toBeVisible();
    await expectAccessible(page);
  });

  it('do not count reviews of filtered conversations', async () => {
    const { page } = visitor;
    const { id } = await answered();
    await open(page, `&session_id=${id}`);
    await isShown(page, 'These reviews do not count in the accuracy');
    await framed(page, 'resolved');
    await answerAll(page);
    await isShown(page, 'No conversations left to review');
    expect(await stored(id)).to.include({ sampled: false, reviewed_by: visitor.user.id });
  });

  it('keep the answers while the server is unreachable, limits requests, or requires a new login', async () => {
    const { page } = visitor;
    await answered();
    await open(page);
    await framed(page, 'resolved');
    const path = '**/review';
    /** Answers the next PUT. The page may read the review again at any time. */
    const answerWith = async (answer: (route: Route) => Promise<void>) => {
      let isAnswered = false;
      await page.route(path, async (route) => {
        if (isAnswered || route.request().method() !== 'PUT') return route.fallback();
        isAnswered = true;
        return answer(route);
      });
    };
    await answerWith((route) => route.abort());
    await answerAll(page);
    await expectLocator(page.getByRole('alert')).toContainText('Can’t reach the server');
    const limited = { code: 'rate_limited', status: 429, title: 'Too many requests', detail: '', request_id: 'r' };
    await answerWith((route) => route.fulfill({ status: 429, json: limited }));
    await press(page, 'Enter');
    await expectLocator(page.getByRole('alert').getByRole('button', { name: 'Try again' })).toBeVisible();
    expect(await reviewsOf()).to.equal(0);
    await page.context().clearCookies();
    await press(page, 'Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Log in' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await isShown(page, 'No conversations left to review');
    expect(await reviewsOf()).to.equal(1);
  });

  it('pass by deleted conversations, and show none that can not be reviewed', async () => {
    const { page, token } = visitor;
    const { id } = await answered();
    await open(page);
    await framed(page, 'resolved');
    await send(service.api, 'deleteSession', { token, params: { id } });
    await answerAll(page);
    await isShown(page, 'The last conversation was deleted.');
    const original = await answered();
    const reanalysis = await createAnswered(assistant, VALUES, { source_session_id: original.id });
    const running = await createSession(assistant, { status: 'analyzing' });
    await open(page, `&session_id=${reanalysis.id}&session_id=${running.id}`);
    await isShown(page, 'No conversations left to review');
    const { user, workspaceId } = await createMember(assistant.workspace_id, 'auditor');
    expect(workspaceId).not.to.equal(assistant.workspace_id);
    await page.context().clearCookies();
    await logInTo(page, service.api, user);
    await page.goto(`/console/w/${assistant.workspace_id}/review`);
    await isShown(page, 'Your role can’t open this page');
  });
});
