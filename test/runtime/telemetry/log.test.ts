import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import { safeErrorProperties } from '../../../runtime/telemetry/log.ts';
import { freePort } from '../../support/free-port.ts';
import { testDatabase } from '../../support/database.ts';
import { errorOf } from '../../support/error-of.ts';
import { recordedLog } from '../../support/log.ts';

const WORDS = 'strictly confidential';

const databaseError = () => errorOf(testDatabase().db.raw('select ?::int', [WORDS]));

function parserError(): unknown {
  try {
    return JSON.parse(`{"a": ${WORDS}`);
  } catch (error) {
    return error;
  }
}

describe('An error in the log', () => {
  it('does not quote input of the database, a parser or a library', async () => {
    const errors = [
      await databaseError(),
      parserError(),
      new Error(WORDS),
      new TypeError('x', { cause: new Error(WORDS) }),
      new AggregateError([new Error(WORDS)], WORDS),
      Object.assign(new Error('x'), { detail: WORDS, query: WORDS, hint: WORDS }),
      new Error(`x\n    at the office: ${WORDS}\n    at ${WORDS} (a:1:1)\n    at z`),
      WORDS,
    ];
    for (const err of errors) {
      const { log, text } = recordedLog();
      log.error({ err }, 'failed');
      expect(text()).to.contain('failed').and.not.to.contain(WORDS);
    }
  });

  it('whose message was changed after its creation does not quote it', () => {
    const error = new Error(`first\n    at the office ${WORDS}`);
    error.message = 'second';
    expect(JSON.stringify(safeErrorProperties(error))).not.to.contain(WORDS);
  });

  it('has its message, its location and its cause', async () => {
    const error = await databaseError();
    const described = safeErrorProperties(new TypeError('x', { cause: error }));
    expect(described['name']).to.equal('TypeError');
    expect(described['frames']).to.be.an('array').that.is.not.empty;
    expect((described['frames'] as string[])[0]).to.contain('log.test.ts');
    expect(described['cause']).to.include({ code: '22P02' });
  });

  it('keeps texts of this project and of the operating system', async () => {
    const own = new ProviderError('timeout', ['no_response'], { provider: 'openai' });
    expect(safeErrorProperties(own)).to.include({ message: 'OpenAI did not respond in time' });
    const url = `http://127.0.0.1:${await freePort()}`;
    const refused = await fetch(url).catch((error: unknown) => error);
    expect(safeErrorProperties(refused)['cause']).to.include({ code: 'ECONNREFUSED', syscall: 'connect' });
  });
});
