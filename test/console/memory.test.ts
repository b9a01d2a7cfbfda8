import type { Page, Route } from '@playwright/test';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { expectLocator } from '../support/browser.ts';
import { visitEachTest } from '../support/console.ts';
import { createAssistant, createSession } from '../support/factories.ts';
import { watchMemory } from '../support/tab-memory.ts';

/** 20 events per second for 10 minutes. */
const EVENTS = 12_000;
const PARTS = 16;
const SESSIONS = 50;
/** Number of parts between two readings. It is even, because the rows alternate between two statuses with different elements. */
const READ_EVERY = 4;
/** Half the size of the events between two readings as text. A tab that keeps a part of every event exceeds this limit. */
const MAX_GROWTH_BYTES = 200_000;
const MAX_GROWTH_NODES = 100;

describe('The memory of a console tab', () => {
  const { visitor } = visitEachTest();
  let assistant: AssistantModel;
  let sessions: SessionModel[];
  beforeEach(async () => {
    const { user } = visitor;
    assistant = await createAssistant(user.default_workspace_id);
    const made = Array.from({ length: SESSIONS }, () => createSession(assistant, { status: 'transcribing' }));
    sessions = await Promise.all(made);
  });
  afterEach(async () => {
    await SessionModel.query().delete().where({ assistant_id: assistant.id });
  });

  /** Replaces the event stream. Each part ends the stream, and the page reconnects. Returns a function that sends a part. */
  async function holdStream(page: Page): Promise<(body: string) => Promise<void>> {
    let arrived: (route: Route) => void;
    let next = new Promise<Route>((resolve) => (arrived = resolve));
    await page.route('**/api/v1/events', (route) => arrived(route));
    return async (body) => {
      const route = await next;
      next = new Promise((resolve) => (arrived = resolve));
      await route.fulfill({ contentType: 'text/event-stream', body });
    };
  }

  /** Returns the events of one part in the API's format. */
  const eventsOf = (status: string) =>
    Array.from({ length: EVENTS / PARTS }, (_, index) => {
      const session_id = sessions[index % SESSIONS]?.id;
      const data = { session_id, status, assistant_id: assistant.id, total_cost: 0, completed_at: null };
      return `event: session\ndata: ${JSON.stringify(data)}\n\n`;
    }).join('');

  const PAGES = {
    'the list': { pathOf: () => '/console/sessions', shown: (page: Page) => page.getByRole('row') },
    'a session': {
      pathOf: () => `/console/sessions/${sessions[0]?.id}`,
      shown: (page: Page) => page.getByRole('main'),
    },
  };
  for (const [name, { pathOf, shown }] of Object.entries(PAGES)) {
    it(`stays constant on the page of ${name} during ten minutes of events`, async () => {
      const { page } = visitor;
      const sendPart = await holdStream(page);
      await page.goto(pathOf());
      const memory = await watchMemory(page);
      const read: Awaited<ReturnType<typeof memory.read>>[] = [];
      for (let part = 1; part <= PARTS; part++) {
        const [status, word] = part % 2 === 0 ? ['transcribing', 'Transcribing'] : ['analyzing', 'Analyzing'];
        await SessionModel.query()
          .patch({ status: status as 'analyzing' })
          .where({ assistant_id: assistant.id });
        await sendPart(`retry: 20\n\n${eventsOf(status)}`);
        await expectLocator(shown(page).filter({ hasText: word }).first()).toBeVisible();
        if (part % READ_EVERY === 0) read.push(await memory.read());
      }
      expect(memory.events()).to.equal(EVENTS);
      // A leak grows between all readings. Code that is loaded once adds memory between only two of them.
      const usualGrowth = (value: keyof (typeof read)[number]) =>
        read
          .slice(1)
          .map((memory, index) => memory[value] - (read[index]?.[value] ?? Number.NaN))
          .sort((a, b) => a - b)[1];
      expect(usualGrowth('heapBytes')).to.be.below(MAX_GROWTH_BYTES);
      expect(usualGrowth('nodes')).to.be.below(MAX_GROWTH_NODES);
      expect(usualGrowth('listeners')).to.be.below(MAX_GROWTH_NODES);
    });
  }
});
