import { expect } from 'chai';
import type { ReceivedRequest } from '../support/receiver.ts';
import { isBroken, judge, type Evidence, type SessionRow } from './judge.ts';
import type { Submission } from './load.ts';

const accepted = (sessionId: string): Submission => ({ kind: 'text', sessionId, acceptMs: 10, repeats: [] });
const row = (id: string, fields: Partial<SessionRow> = {}): SessionRow => ({
  id,
  type: 'text',
  status: 'completed',
  took_s: 1,
  lost_attempts: 0,
  ...fields,
});
const post = (session_id: string) => ({ body: Buffer.from(JSON.stringify({ session_id })) }) as ReceivedRequest;

const WELL: Evidence = {
  submissions: [accepted('a'), accepted('b')],
  sessions: [row('a'), row('b', { type: 'voice' })],
  posts: [post('a'), post('b')],
  paidCalls: 3,
};

describe('test:production', () => {
  it('accepts a phase in which every session was completed, paid and posted once', () => {
    const findings = judge(WELL);
    expect(findings).to.include({ accepted: 2, completed: 2, lost: 0, paidTwice: 0, postedTwice: 0, refused: 0 });
    expect(isBroken(findings)).to.equal(false);
  });

  const cases: [string, Partial<Evidence>, object, boolean][] = [
    ['a missing session', { sessions: [row('a')] }, { lost: 1 }, true],
    ['a session that failed', { sessions: [row('a', { status: 'failed' }), row('b')] }, { lost: 1 }, true],
    ['a session that was never posted', { posts: [post('a')] }, { lost: 1 }, true],
    ['a session that no client submitted', { sessions: [...WELL.sessions, row('c')] }, { createdTwice: 1 }, true],
    ['two posts of one session', { posts: [...WELL.posts, post('a')] }, { postedTwice: 1 }, true],
    [
      'a client that was refused',
      { submissions: [accepted('a'), accepted('b'), { ...accepted('c'), sessionId: undefined } as never] },
      { refused: 1 },
      true,
    ],
    ['a repeated provider call', { paidCalls: 4 }, { paidTwice: 1 }, false],
  ];
  for (const [what, change, expected, breaks] of cases) {
    it(`detects ${what}`, () => {
      const findings = judge({ ...WELL, ...change });
      expect(findings).to.include(expected);
      expect(isBroken(findings)).to.equal(breaks);
    });
  }

  it('allows a second post after a lost attempt, but not after a success', () => {
    const sessions = [row('a', { lost_attempts: 1 }), row('b')];
    const findings = judge({ ...WELL, sessions, posts: [...WELL.posts, post('a')] });
    expect(findings).to.include({ postedTwice: 0, repeatedPosts: 1 });
    expect(isBroken(findings)).to.equal(false);
  });
});
