import type { Page } from '@playwright/test';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { expectLocator, openWithin } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { createExperiment } from '../support/experiments.ts';
import { createAnswered, createAssistant, createCall, createDelivery, createSession } from '../support/factories.ts';

const FIELDS = [{ name: 'solved', type: 'boolean' as const, description: 'Is it solved?', evidence: true }];
const FAILED = { code: 'refused', stage: 'analysis', provider: 'openai', message: 'No', retryable: false } as const;

/** Routes without a page of a logged-in user: they end at another route, or show that there is no page. */
const OUTSIDE = [
  '/login',
  '/register',
  '/reset',
  '/email',
  '/link',
  '/invitation',
  '/shared',
  '/inside/$',
  '/inside/batches',
  '/inside/results',
  '/inside/system',
  '/inside/settings/',
];

/** Code of the page: its links to pages of the console. Links that differ only in IDs, times and random numbers are of one kind. */
const LINKS = String.raw`[...document.querySelectorAll('a[href^="/console"]:not([target]):not([download])')].map((link) => ({
  link,
  kind: link
    .getAttribute('href')
    .replace(/^\/console(\/w\/[^/]+)?/, '')
    .replace(/\b[a-z]+_[0-9a-z]{26}\b/g, ':id')
    .replace(/\d{4}-\d{2}-\d{2}T[^&]*|seed=\d+/g, ':any'),
  text: link.ariaLabel ?? link.textContent,
}))`;

/** Code of the page: what it shows. */
const SHOWN = `({
  title: document.title,
  heading: document.querySelector('h1').textContent,
  alerts: [...document.querySelectorAll('main [role="alert"]')].map((each) => each.textContent),
  rows: document.querySelectorAll('main tbody tr').length,
  emptyColumns: [...document.querySelectorAll('main thead th')]
    .filter(({ cellIndex }) => [...document.querySelectorAll('main tbody tr')].every((row) =>
      ['', '–', '—'].includes(row.cells[cellIndex]?.textContent.trim() ?? '')))
    .map((head) => head.textContent.trim())
    .filter(Boolean),
})`;

/** Code of the page: what stands letter under letter, or makes the page wider than the window, with text of twice the size. */
const CRAMPED = String.raw`(() => {
  const root = document.documentElement;
  root.style.fontSize = '200%';
  const wide = root.scrollWidth - root.clientWidth;
  const found = wide > 0 ? ['the page is ' + wide + ' px too wide'] : [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.data.trim();
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)));
    if (lines.size > 2 && text.length / lines.size < 4) found.push(text.slice(0, 40) + ' in ' + lines.size + ' lines');
  }
  root.style.fontSize = '';
  return found;
})()`;

/** Code of the page: what is selected, but looks like an element of its kind that is not. */
const UNMARKED = String.raw`(() => {
  const looks = (element) => {
    const { backgroundColor, outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return [backgroundColor, outlineStyle === 'none' ? '' : outlineStyle + outlineWidth + outlineColor].join(' ');
  };
  const CHOSEN = '[aria-current]:not([aria-current="false"]), [aria-pressed="true"], [data-selected]';
  return [...document.querySelectorAll(CHOSEN)].flatMap((element) => {
    const others = [...document.querySelectorAll(element.tagName)].filter((other) =>
      other.className.split(' ')[0] === element.className.split(' ')[0] && !other.matches(CHOSEN));
    return others.some((other) => looks(other) === looks(element)) ? [element.textContent.slice(0, 40)] : [];
  });
})()`;

/** Code of the page: a link above it that claims to be this page, and a navigation without the section of this page. */
const MISPLACED = `[
  ...document.querySelectorAll('main header a[aria-current]'),
  ...[document.querySelector('header')].filter((head) => head.querySelectorAll('nav [aria-current="page"], [href*="/start"][aria-current="page"]').length !== 1),
].map(({ textContent }) => textContent.slice(0, 40))`;

interface Link {
  /** The page that has the link. */
  from: string;
  kind: string;
  text: string;
}

interface Shown {
  title: string;
  heading: string;
  alerts: string[];
  rows: number;
  emptyColumns: string[];
}

const pathOf = (place: string) => place.replace(/^\/w\/[^/]+/, '').split('?')[0] ?? '';
const sectionOf = (place: string) => pathOf(place).split('/')[1] ?? '';

/** Returns a link's kind. Pages pass their filters on: only the names of these count. */
const kindFrom = ({ from, kind }: Link) => (from.includes('?') ? kind.replaceAll(/=[^&]*/g, '') : kind);

/** Resolves when the router is idle and the page shows its data. */
async function ready(page: Page): Promise<void> {
  const isIdle = `globalThis.__TSR_ROUTER__?.state.status === 'idle' && document.title !== ''
    && __TSR_ROUTER__.state.resolvedLocation?.href === __TSR_ROUTER__.state.location.href`;
  await eventually(() => page.evaluate<boolean>(isIdle), true);
  await expectLocator(page.locator('h1')).toBeVisible();
  await expectLocator(page.locator('main [role="status"][aria-label]')).toHaveCount(0);
}

describe('Every page of the console', () => {
  const { service, visitor } = visitEachTest();

  /** Adds rows for every page, and for every list that a page links to. */
  async function fill(): Promise<void> {
    const { user, token } = visitor;
    const assistant = await createAssistant(user.default_workspace_id, {
      fields: FIELDS,
      webhook_url: 'https://crm.example.com/',
    });
    const session = await createAnswered(assistant, { solved: true }, { metadata: { call_id: 'c-1' } });
    await createCall(session, { model: 'gpt-6-luna', cost_usd: 0.01, started_at: new Date() });
    await createSession(assistant, { status: 'failed', error: FAILED });
    const { id } = await createDelivery(session);
    const attempt = { delivery_id: id, attempt: 1, url: 'https://crm.example.com/', request_headers: {} };
    await DeliveryAttemptModel.open(attempt);
    await DeliveryAttemptModel.close(id, 1, { failure: 'dns', next_attempt_at: null });
    await DeliveryModel.query().findById(id).patch({ status: 'failed', next_attempt_at: null });
    const pair = { before: { solved: false }, after: { solved: true }, right: { solved: true } };
    await createExperiment(service.api, { token, assistant }, [pair], { status: 'completed', ended_at: new Date() });
  }

  it('is reached by clicks and has a title, and can be read with large text and in forced colors', async function () {
    this.timeout(240_000);
    const { page } = visitor;
    const wrong: string[] = [];
    let clicked = '';
    page.on('response', (response) => {
      if (response.status() >= 400) wrong.push(`${clicked}: ${response.status()} ${response.url()}`);
    });
    await fill();
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto('/console');
    const known = new Set<string>();
    const waiting: Link[] = [];
    const opened = new Set<string>();

    /** Checks each route with large text, also on a phone, and with forced colors. */
    async function lookClosely(): Promise<void> {
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 860 });
        for (const text of await page.evaluate<string[]>(CRAMPED))
          wrong.push(`${clicked}, text of 200% at ${width}: ${text}`);
      }
      await page.emulateMedia({ forcedColors: 'active' });
      for (const text of await page.evaluate<string[]>(UNMARKED)) wrong.push(`${clicked}, forced colors: ${text}`);
      await page.emulateMedia({ forcedColors: 'none' });
      for (const text of await page.evaluate<string[]>(MISPLACED)) wrong.push(`${clicked}, the current page: ${text}`);
    }

    /** Notes the route and the links of a new kind, and what the page lacks. */
    async function look(link?: Link): Promise<void> {
      await ready(page);
      const from = (await page.evaluate<string>('location.pathname + location.search')).replace('/console', '');
      const routes = await page.evaluate<string[]>('__TSR_ROUTER__.state.matches.map(({ routeId }) => routeId)');
      if (routes.some((id) => !opened.has(id))) await lookClosely();
      for (const id of routes) opened.add(id);
      for (const found of await page.evaluate<Link[]>(`${LINKS}.map(({ kind, text }) => ({ kind, text }))`)) {
        const next = { ...found, from };
        if (known.has(kindFrom(next))) continue;
        known.add(kindFrom(next));
        waiting.push(next);
      }
      if (!link) return;
      const { title, heading, alerts, rows, emptyColumns } = await page.evaluate<Shown>(SHOWN);
      const errors = alerts.filter((alert) => !alert.startsWith('Analysis with OpenAI failed.'));
      if (heading === '' || /not found/i.test(title) || errors.length > 0)
        wrong.push(`${clicked}: ${title} ${errors.join()}`);
      const isList = /^\/(sessions|deliveries|batches)(\?|$)/.test(link.kind);
      const isFromPage = !link.from.includes('?') && sectionOf(link.from) !== sectionOf(link.kind);
      if (isList && isFromPage && !/\b0\b/.test(link.text) && rows === 0) wrong.push(`${clicked}: no rows`);
      if (link.kind === '/sessions' && emptyColumns.length > 0) wrong.push(`${clicked}: empty ${emptyColumns.join()}`);
    }

    await look();
    for (let link = waiting.shift(); link; link = waiting.shift()) {
      clicked = `${link.from} → ${link.kind} (${link.text})`;
      await openWithin(page, link.from);
      await ready(page);
      const isOtherPage = sectionOf(link.from) !== sectionOf(link.kind);
      await page.evaluate(`${isOtherPage ? "document.title = '';" : ''}
        ${LINKS}.find(({ kind }) => kind === ${JSON.stringify(link.kind)}).link.click()`);
      await look(link);
    }
    expect(wrong).to.deep.equal([]);
    expect([...known], 'a link of each ended session').to.include('/sessions/:id/compare');
    const all = await page.evaluate<string[]>('Object.keys(__TSR_ROUTER__.routesById)');
    expect(all.filter((id) => !opened.has(id) && !OUTSIDE.includes(id))).to.deep.equal([]);
  });
});
