/**
 * Who may import whom: the rules of `npm run check:imports`, also for types and lazy imports. docs/architecture.md draws
 * the rooms. A file belongs to the last room whose expression its path begins with.
 */

/** Files that know only names. Browsers and workflows load them, so they import nothing large. */
const NAMES =
  'contract/(assistants/settings|values/(constants|csv-line|limits|providers|redaction-kinds|scope-meanings|scopes|session-lists|wilson)|fields/(conditions|equal-values|field-rows|field-types|field-value|fold|score)).ts';
const TURNS = 'contract/sessions/turns.ts';
const RESOURCE = ['api/(guard|http|[^/]+.ts)', 'contract', 'db', 'redaction', 'runtime'];
const STEP = ['activities/[^/]+.ts', 'contract', 'db', 'runtime'];

/** Each room may import itself and these. `type …`: only types. */
const ROOMS = {
  contract: [],
  [NAMES]: ['type contract'],
  [TURNS]: [NAMES, 'type contract'],
  'contract/workflows.ts': ['type contract'],
  runtime: ['contract'],
  'runtime/(audio|outbound|prices|telemetry)': ['contract', 'runtime/(network|process|secrets|settings|[^/]+.ts)'],
  'runtime/(network|secrets)': ['contract', 'runtime/[^/]+.ts'],
  redaction: ['contract', 'runtime'],
  'redaction/words': [],
  db: ['contract', 'runtime'],
  'db/models': ['contract', 'db/[^/]+.ts', 'runtime'],
  'db/migrations': [],
  activities: ['contract', 'db', 'redaction', 'runtime'],
  'activities/alerts': STEP,
  'activities/fields': ['contract'], // this and roles are pure functions
  'activities/roles': ['contract', 'activities/fields'],
  'activities/providers': [...STEP, 'activities/(fields|roles)'],
  'activities/providers/(policy|transport)': [...STEP, 'activities/providers/(policy|transport)'], // no vendor
  'activities/sessions': [...STEP, 'activities/(alerts|providers|roles)', 'redaction'],
  'activities/(batches|sweeps)': [...STEP, 'activities/sessions'],
  'activities/webhooks': STEP,
  workflows: [
    'contract/errors/failures.ts',
    'contract/values/constants.ts',
    'contract/workflows.ts',
    'type activities',
    'type contract',
  ],
  worker: ['activities', 'contract', 'db', 'redaction', 'runtime', 'type workflows'],
  api: ['contract', 'db', 'redaction', 'runtime', 'package.json'],
  'api/(console|docs)': ['api/http', 'contract'],
  'api/guard': ['api/(http|[^/]+.ts)', 'contract', 'db/models', 'runtime'],
  'api/http': ['api/(guard|[^/]+.ts)', 'contract', 'db/[^/]+.ts', 'runtime'],
  'api/mail': ['api/[^/]+.ts', 'runtime', 'type db/models'],
  'api/streams': ['api/[^/]+.ts', 'contract', 'db', 'runtime'],
  'api/(assistants|audit|events|keys)': RESOURCE,
  'api/(deliveries|requests|runs)': [...RESOURCE, 'api/(assistants|runs)'],
  'api/service': [...RESOURCE, 'api/assistants', 'package.json'],
  'api/reports': [...RESOURCE, 'api/(assistants|reviews|sessions)'],
  'api/reviews': [...RESOURCE, 'api/(assistants|runs)'],
  'api/sessions': [...RESOURCE, 'api/(assistants|reviews|runs|streams)'],
  'api/batches': [...RESOURCE, 'api/(assistants|requests|runs|sessions)'],
  'api/mcp': [...RESOURCE, 'api/requests', 'package.json'],
  'api/workspaces': [...RESOURCE, 'api/mail'],
  'api/sso': [...RESOURCE, 'api/(account|mail|workspaces)'],
  'api/account': [...RESOURCE, 'api/(assistants|audit|batches|deliveries|keys|mail|runs|sessions|workspaces)'],
  clients: ['contract/(values/(constants|csv-line)|fields/field-value).ts'],
  'console/src': [NAMES, TURNS, 'type contract'],
};

/** The folders of the console. Each may import its own line and the lines above it. */
const CONSOLE =
  'format|texts search server live components analysis-settings|budget|deliveries|fields|palette|uploads lists conversation shell pages';
CONSOLE.split(' ').forEach((line, index, lines) => {
  const above = lines.slice(0, index + 1).join('|');
  ROOMS[`console/src/(${line})`] = [`console/src/(${above})`, NAMES, TURNS, 'examples', 'type contract'];
});
// The first load waits for texts, so they cannot wait for a file of it.
ROOMS['console/src/texts/(en|ru|uz)'] = [NAMES, 'type console/src/texts', 'type contract'];

/** Packages that one room imports; the database's types may appear everywhere. */
const HOMES = {
  'activities/providers': '@anthropic-ai|@google/generative-ai|jsonrepair|openai',
  'activities/webhooks': 'standardwebhooks',
  'api/(guard|http)': '@fastify/busboy|@koa|@node-rs|content-type|jsonwebtoken|koa-body|rate-limiter-flexible',
  'api/mail': 'nodemailer',
  'api/sso': 'openid-client',
  db: 'knex|objection|pg',
  'runtime/audio': '@aws-sdk|file-type|music-metadata|strtok3',
  'runtime/outbound': 'undici',
  'runtime/prices': '@pydantic',
  'runtime/telemetry': 'pino|prom-client',
  workflows: '@temporalio/workflow',
};

const PRODUCT = '^(activities|api|contract|db|redaction|runtime|worker|workflows)/';
const paths = (entries) => entries.map((entry) => `^${entry.replaceAll('.ts', '[.]ts')}(/|$)`);
const packages = (names) => `^(node_modules/)?(${names})(/|$)`;
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });
const values = { dependencyTypesNot: ['type-only'] };

const roomRules = Object.keys(ROOMS).flatMap((room, index, rooms) => {
  const from = { path: paths([room]), pathNot: paths(rooms.slice(index + 1)) };
  const types = ROOMS[room].filter((entry) => entry.startsWith('type ')).map((entry) => entry.slice('type '.length));
  const pathNot = paths([room, ...ROOMS[room]]);
  return [
    forbid(`types of ${room}`, from, { dependencyTypes: ['local'], pathNot: [...pathNot, ...paths(types)] }),
    forbid(`values of ${room}`, from, { dependencyTypes: ['local'], pathNot, ...values }),
  ];
});
const homeRules = Object.entries(HOMES).map(([home, names]) =>
  forbid(`only ${home}`, { path: PRODUCT, pathNot: paths([home]) }, { path: packages(names), ...values }),
);
const onlyPackages = (room, names, dependencyTypes) =>
  forbid(`packages of ${room}`, { path: `^${room}/` }, { dependencyTypes, pathNot: packages(names) });

export default {
  forbidden: [
    forbid('no cycle', {}, { circular: true }),
    ...roomRules,
    ...homeRules,
    forbid(
      'no page imports another page',
      { path: '^console/src/pages/([^/]+)/' },
      { path: '^console/src/pages/[^/]+/', pathNot: '^console/src/pages/$1/' },
    ),
    forbid('no development packages in the product', { path: PRODUCT }, { dependencyTypes: ['npm-dev'] }),
    onlyPackages('contract', 'zod|zod-openapi', ['npm', 'core']),
    onlyPackages('console/src', 'p-limit', ['npm', 'core']), // its own packages are development packages
    onlyPackages('workflows', '@temporalio/(common|workflow)', ['npm', 'core']),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^([.]data|console/dist|clients/typescript)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
