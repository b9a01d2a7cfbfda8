/** The installation under test, seen by its first user. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect } from 'chai';
import { API_BASE } from '../../contract/values/constants.ts';
import { openPage, type TestPage } from '../support/browser.ts';
import type { LoadUser } from './load.ts';
import { readSetting, type Engine } from './engine.ts';
import { WEBHOOK_SECRET, type Outside } from './outside.ts';

export interface Installation {
  engine: Engine;
  outside: Outside;
  /** Of Caddy. */
  url: string;
  user: User;
  /** The console, logged in. */
  tab: TestPage;
  /** Sessions that were completed and delivered, in their order. */
  done: string[];
}

export interface User extends LoadUser {
  email: string;
  password: string;
}

export type Answer = Record<string, unknown>;

/** Sends a request and returns the response's JSON. Throws unless it is a success. */
export async function call(url: string, authorization: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${API_BASE}${path}`, {
    method,
    headers: { Authorization: authorization, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: HTTP ${response.status} ${text}`);
  return JSON.parse(text) as Answer;
}

/** Makes this process trust the certificate authority that Caddy created for `localhost`. */
export async function trustCaddy({ exec }: Engine): Promise<void> {
  const certificate = await exec('caddy', 'cat', '/data/caddy/pki/authorities/local/root.crt');
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
}

/** Creates the first account in a browser, at the link that deploy/init.sh printed, and a token and assistants for it. */
export async function openFirstAccount(
  link: string,
  url: string,
  outside: Outside,
): Promise<{ user: User; tab: TestPage }> {
  const [email, password] = ['ada@example.com', `correct horse ${randomUUID()}`];
  const tab = await openPage(url, { ignoreHTTPSErrors: true });
  await goTo(tab.page, link);
  await tab.page.getByLabel('Name').fill('Ada');
  await tab.page.getByLabel('Email').fill(email);
  await tab.page.getByLabel('Password', { exact: true }).fill(password);
  await tab.page.locator('button[type=submit]').click();
  await tab.page.waitForURL((address) => !address.pathname.endsWith('/register'));
  expect(tab.faults).to.deep.equal([]);

  const login = await call(url, '', 'POST', '/v1/auth/login', { email, password });
  const bearer = `Bearer ${String(login['token'])}`;
  const key = await call(url, bearer, 'POST', '/v1/keys', { name: 'test' });
  const authorization = `Bearer ${String(key['token'])}`;
  const add = async (settings: object) => {
    const webhook = { webhook_url: outside.webhookUrl, webhook_secret: WEBHOOK_SECRET };
    const body = { name: 'Calls', llm_provider: 'openai', system_prompt: 'Summarize.', ...webhook, ...settings };
    return String((await call(url, authorization, 'POST', '/v1/assistants', body))['id']);
  };
  const textAssistant = await add({ type: 'text' });
  const voiceAssistant = await add({ type: 'voice', stt_provider: 'whisper' });
  return { user: { email, password, authorization, textAssistant, voiceAssistant }, tab };
}

/** Opens a page. Chromium ends a load when a container that starts or ends changes the machine's networks. */
export async function goTo(page: Page, address: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await page.goto(address);
      return;
    } catch (error) {
      if (tries === 10 || !(error as Error).message.includes('ERR_NETWORK_CHANGED')) throw error;
    }
  }
}

/** Returns the ports' addresses in `.env`. */
export const addressOf = (engine: Engine) => ({
  url: `https://localhost:${readSetting(engine, 'HTTPS_PORT')}`,
  temporalUi: `http://127.0.0.1:${readSetting(engine, 'TEMPORAL_UI_PORT')}`,
});
