/** `npm run docs`: writes docs/errors.md. */
import { ENDPOINTS } from '../contract/endpoints.ts';
import { errorsOf, ERRORS_OF_ALL } from '../contract/openapi/problems.ts';
import { ERRORS, REPEATS, SESSIONS } from '../contract/values/errors.ts';
import type { ErrorCode } from '../contract/values/errors.ts';
import { printFiles } from './print-files.ts';

/** More operations than this are counted. */
const MAX_NAMED = 3;

/** Returns the operations that declare the error. */
function describeOperations(code: ErrorCode): string {
  if (ERRORS_OF_ALL.includes(code)) return 'all';
  const names = ENDPOINTS.filter((endpoint) => errorsOf(endpoint).includes(code)).map(({ operationId }) => operationId);
  if (names.length === ENDPOINTS.length) return 'all';
  return names.length > MAX_NAMED ? String(names.length) : names.join(', ');
}

const rows = (Object.keys(ERRORS) as ErrorCode[])
  .toSorted((a, b) => ERRORS[a].status - ERRORS[b].status)
  .map((code) => {
    const { status, title, repeat, session }: (typeof ERRORS)[ErrorCode] & { session?: keyof typeof SESSIONS } =
      ERRORS[code];
    const cells = [
      `\`${code}\``,
      status,
      title,
      session ? SESSIONS[session] : '–',
      REPEATS[repeat],
      describeOperations(code),
    ];
    return `| ${cells.join(' | ')} |\n`;
  });

const page = `# Errors

What a program should do after an error. \`npm run docs\` writes this page from \`contract/values/errors.ts\`.

An error is a problem of RFC 9457. Decide by \`code\`; treat an unknown code by its status. If a connection breaks, repeat the request with
the same \`Idempotency-Key\`: for 24 hours, it creates nothing twice.

- **Session**: \`yes\`: \`session_id\` is the session of the request. \`maybe\`: if the problem has \`session_id\`. \`the first\`: \`session_id\`
  is the session of the first request with the key.
- **Repeat**: \`changed\`: after the change that \`detail\` names. \`later\`: the same request and key, after \`Retry-After\` seconds. \`yes\`: the
  same after a second, then after twice as long each time. \`retry the session\`: with \`retrySession\`, if \`retryable\` is true.
- **Operations**: those that return the error, or their number.

| Code | Status | Meaning | Session | Repeat | Operations |
|---|---|---|---|---|---|
${rows.join('')}`;

printFiles('npm run docs', { 'docs/errors.md': page });
