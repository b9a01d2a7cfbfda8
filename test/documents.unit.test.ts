import { existsSync, readFileSync } from 'node:fs';
import { HEARTBEAT_MS } from '../activities/heartbeat.ts';
import { PAUSE } from '../activities/providers/policy/circuit.ts';
import { MAX_CHARACTERS, MAX_TURNS } from '../api/mcp/cut.ts';
import { LLM_MAX_OUTPUT_TOKENS, WEBHOOK_DELAYS_MS } from '../contract/values/constants.ts';
import { LIMITS } from '../contract/values/limits.ts';
import { STT_PROVIDER_FACTS } from '../contract/values/providers.ts';
import { SCHEDULES } from '../worker/schedules.ts';
import { OVERDUE_INTERVAL_MS } from '../worker/watch-overdue.ts';

const [firstS = 0, ...laterS] = WEBHOOK_DELAYS_MS.map((ms) => ms / 1_000);
const [second, third] = laterS.map((seconds) => seconds / 60);
const everyOf = (id: string) => SCHEDULES.find(({ scheduleId }) => scheduleId === id)?.spec.intervals[0]?.every;
const [elevenlabs] = STT_PROVIDER_FACTS.elevenlabs.limits;

/** Phrases with the numbers of the code. */
const PHRASES: [file: string, phrase: string][] = [
  ['architecture', `timers of ${firstS} s, ${second} min, ${third} min`],
  ['webhooks', `follow after ${firstS} seconds, ${second} minutes and ${third} minutes`],
  ['architecture', `a Temporal Schedule, every ${everyOf('sweepLostSessions')}`],
  ['architecture', `triggers within ${OVERDUE_INTERVAL_MS / 1_000} s`],
  ['architecture', `send a heartbeat every ${HEARTBEAT_MS / 1_000} s`],
  ['architecture', `one call every ${PAUSE.initialMs / 1_000} to ${PAUSE.maxMs / 1_000} s tests the provider`],
  ['mcp', `Up to ${MAX_TURNS} turns or ${MAX_CHARACTERS.toLocaleString('en')} characters`],
  ['own-models', `the answer of up to ${LLM_MAX_OUTPUT_TOKENS.toLocaleString('en')} tokens`],
  ['results', `Name for people, up to ${LIMITS.fieldTitle} characters`],
  ['results', `The question, up to ${LIMITS.fieldQuestion} characters`],
  [
    'recordings',
    `ElevenLabs | ${(elevenlabs.max_bytes / 1e6).toLocaleString('en')} MB | ${elevenlabs.max_duration_s / 3_600} h`,
  ],
];

describe('The documents', () => {
  for (const [file, phrase] of PHRASES)
    it(`have the number of the code in docs/${file}.md: ${phrase}`, () => {
      expect(readFileSync(`docs/${file}.md`, 'utf8').replace(/\s+/g, ' ')).to.contain(phrase);
    });

  it('name only files of the project', () => {
    const paths = ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/performance.md'].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = '']) => path),
    );
    const isWhole = (path: string) => path.includes('/') && existsSync(path.slice(0, path.indexOf('/')));
    expect(paths.filter((path) => isWhole(path) && !existsSync(path))).to.deep.equal([]);
  });
});
