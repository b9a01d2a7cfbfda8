import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import type { Tab } from './tab.ts';

export interface Visit {
  url: string;
  email: string;
  password: string;
  assistantId: string;
  /** The IDs of sessions, in the order of the list. */
  sessionIds: string[];
  /** A session with a recording. */
  recordedId: string;
  /** Returns the names of the files that the browser has saved; undefined if it can't be known. */
  saved?: () => string[];
}

/** What a person does in the console on the first day. Throws at the first thing that does not work. */
export async function walk(tab: Tab, visit: Visit, say: (step: string) => void): Promise<void> {
  const { url, sessionIds, recordedId, assistantId } = visit;
  const until = (expression: string) =>
    eventually(
      () => tab.evaluate(expression),
      (value) => value === true,
    );
  const path = () => tab.evaluate('location.pathname');
  const isShown = (selector: string) => `document.querySelector(${JSON.stringify(selector)}) !== null`;

  say('log in');
  await tab.open(`${url}/console/sessions`);
  await until(isShown('[name=email]'));
  await tab.click('[name=email]');
  await tab.type(visit.email);
  await tab.click('[name=password]');
  await tab.type(visit.password);
  await tab.press('Enter');
  await until(`document.querySelectorAll('tbody tr').length === ${sessionIds.length}`);

  say('open rows by a click beside their links');
  for (const index of sessionIds.keys()) {
    await tab.click(`tbody tr:nth-child(${index + 1}) td:last-child`);
    await eventually(path, `/console/sessions/${sessionIds[index]}`);
    await tab.evaluate('history.back()');
    await until(`document.querySelectorAll('tbody tr').length === ${sessionIds.length}`);
  }

  say('filter');
  await tab.click('input[type=search]');
  await tab.type('umbrella');
  await until("document.querySelectorAll('tbody tr').length === 1");
  assert.equal(await tab.evaluate('location.search'), '?q=umbrella');

  say('download');
  await tab.click('button:has(.lucide-download)');
  await until(isShown('a[href*="format=csv"]'));
  await tab.click('a[href*="format=csv"]');
  assert.equal(await path(), '/console/sessions', 'a download leaves the page');
  if (visit.saved) await eventually(visit.saved, (names) => names.some((name) => name.endsWith('.csv')));

  say('play, seek, pause');
  await tab.open(`${url}/console/sessions/${recordedId}`);
  await until("document.querySelector('audio') !== null");
  await tab.click('button[aria-label=Play]');
  await until("document.querySelector('audio').currentTime > 0");
  await tab.click('input[type=range]');
  await until("document.querySelector('audio').currentTime > 10");
  await tab.press('Space');
  await until("document.querySelector('audio').paused");

  say('play from a link, then from a word');
  await tab.open(`${url}/console/sessions/${recordedId}?t=12`);
  await until("document.querySelector('audio') !== null");
  await tab.press('Space');
  await until("document.querySelector('audio').currentTime > 12");
  await tab.click('[data-text]');
  await until("document.querySelector('audio').currentTime < 12");
  await tab.press('Space');
  await until("document.querySelector('audio').paused");

  say('save');
  await tab.open(`${url}/console/assistants/${assistantId}`);
  await until(isShown('textarea[name=system_prompt]'));
  await tab.click('textarea[name=system_prompt]');
  await tab.type('Be brief. ');
  await tab.click('form button[type=submit]');
  await until("document.body.innerText.includes('Saved.')");
  await tab.open(`${url}/console/assistants/${assistantId}`);
  await until("document.querySelector('textarea[name=system_prompt]')?.value.includes('Be brief.') === true");
}
