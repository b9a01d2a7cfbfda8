/** Says what the open pages showed and waited for when a test failed. */
import type { BrowserContext, Page, Request } from '@playwright/test';

const waiting = new Map<BrowserContext, Set<Request>>();

/** Records which requests of a browser context have no response yet. */
export function followRequests(context: BrowserContext): void {
  const open = new Set<Request>();
  waiting.set(context, open);
  context.on('request', (request) => open.add(request));
  const end = (request: Request) => open.delete(request);
  context.on('requestfinished', end).on('requestfailed', end);
  context.on('close', () => waiting.delete(context));
}

const STATE = `({
  online: navigator.onLine,
  visible: document.visibilityState,
  ready: document.readyState,
  text: document.body.innerText.slice(0, 600),
  responses: performance.getEntriesByType('resource').slice(-12).map((each) =>
    each.responseStatus + ' ' + Math.round(each.startTime) + '+' + Math.round(each.duration) + ' ' + each.name),
})`;

const describe = async (page: Page, open: Set<Request>) => ({
  url: page.url(),
  state: await page.evaluate(STATE).catch(String),
  waiting: [...open].map((request) => request.url()),
});

/** Prints every open page of this process, after a failed test. */
export async function printFailedPages(this: Mocha.Context): Promise<void> {
  if (this.currentTest?.state !== 'failed') return;
  for (const [context, open] of waiting) {
    for (const page of context.pages()) {
      console.log(`Page of "${this.currentTest.title}":`, await describe(page, open));
    }
  }
}
