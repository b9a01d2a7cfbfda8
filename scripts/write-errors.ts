/** `npm run docs`: writes docs/errors.md. */
import { ERRORS, REPEATS, SESSIONS } from '../contract/errors/errors.ts';
import { printFiles } from './print-files.ts';

interface Facts {
  status: number;
  repeat: keyof typeof REPEATS;
  session?: keyof typeof SESSIONS;
}

const factsOf = ({ status, repeat, session }: Facts) =>
  `${status} | ${session ? SESSIONS[session] : '–'} | ${REPEATS[repeat]}`;

/** One row for all codes with the same facts. */
const rows = Object.entries(Object.groupBy(Object.entries<Facts>(ERRORS), ([, facts]) => factsOf(facts)))
  .toSorted(([a], [b]) => a.localeCompare(b))
  .map(([facts, codes = []]) => `| ${codes.map(([code]) => `\`${code}\``).join(', ')} | ${facts} |\n`);

const page = `# Errors

What a program should do after an error. \`npm run docs\` writes this page from \`contract/errors/\`.

An error is a problem of RFC 9457. Decide by \`code\`; treat an unknown code by its status. If a connection breaks, repeat the request with
the same \`Idempotency-Key\`: for 24 hours, it creates nothing twice.

- **Session**: \`yes\`: \`session_id\` is the session of the request. \`maybe\`: if the problem has \`session_id\`; then read the session instead. \`the first\`: \`session_id\`
  is the session of the first request with the key.
- **Repeat**: \`changed\`: after the change that \`detail\` names. \`later\`: the same request and key, after \`Retry-After\` seconds. \`yes\`: the
  same after a second, then after twice as long each time. \`retry the session\`: with \`retrySession\`, if \`retryable\` is true.

| Code | Status | Session | Repeat |
|---|---|---|---|
${rows.join('')}
\`reason\` and \`params\` let programs word errors themselves: \`contract/errors/problems.ts\` and \`failures.ts\` have the sentence of each reason,
with its parameters in braces.
`;

printFiles('npm run docs', { 'docs/errors.md': page });
