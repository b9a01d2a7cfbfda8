/**
 * Who may import whom, as a plugin of the lint; docs/architecture.md draws the rooms. A file belongs to the longest entry
 * that its path begins with, and may import what its own room holds. `values` may be imported, of `types` only the types:
 * rooms of this table (`db/**`: that one and all below it) and packages by name. Node's own modules are `node:`.
 */
import { dirname, relative, resolve } from 'node:path';

const API_SHARED = [
  'contract',
  'contract/values/constants.ts',
  'contract/values/field-conditions.ts',
  'contract/values/providers.ts',
  'contract/values/redaction-kinds.ts',
  'contract/values/scopes.ts',
  'contract/sessions/turns.ts',
  'contract/workflows.ts',
];

/** What every resource of the API may import. */
const RESOURCE = [
  'api',
  'api/guard',
  'api/http',
  ...API_SHARED,
  'contract/values/csv-line.ts',
  'db/**',
  'redaction',
  'runtime/**',
  'node:',
  'typeid-js',
];

/** What every folder of the console may import. */
const CONSOLE = [
  'contract/values/constants.ts',
  'contract/values/csv-line.ts',
  'contract/values/field-conditions.ts',
  'contract/values/providers.ts',
  'contract/values/redaction-kinds.ts',
  'contract/values/scope-meanings.ts',
  'contract/values/scopes.ts',
  'contract/sessions/turns.ts',
  'conversation-analysis-client',
  'react',
  'react-dom',
  '@base-ui/react',
  '@tanstack/react-router',
  '@tanstack/react-query',
  '@tanstack/react-store',
  '@visx/axis',
  '@visx/group',
  '@visx/scale',
  '@visx/shape',
  'diff',
  'lucide-react',
  'p-limit',
  'uqr',
];

/** The folders of the console. Each may import its own line and the lines above it. */
const CONSOLE_FOLDERS = [
  ['texts', 'format'],
  ['search'],
  ['server'],
  ['live'],
  ['components'],
  ['analysis-settings', 'deliveries', 'fields', 'palette', 'uploads'],
  ['shell'],
  ['pages'],
].map((line) => line.map((folder) => `console/src/${folder}`));

const consoleRooms = CONSOLE_FOLDERS.flatMap((line, index) => {
  const imported = CONSOLE_FOLDERS.slice(0, index + 1).flatMap((folders) => folders.map((folder) => `${folder}/**`));
  return line.map((folder) => [folder, { values: [...CONSOLE, ...imported], types: ['contract/**'] }]);
});

export const ROOMS = {
  contract: { values: ['zod', 'contract/**'], types: [] },
  'contract/openapi': { values: ['zod', 'zod-openapi', 'contract/**'], types: [] },
  'contract/sessions/turns.ts': { values: [], types: ['contract'] },
  'contract/values/csv-line.ts': { values: [], types: [] },
  // Workflows read these: their sandbox stays small only if these import no more.
  'contract/values/constants.ts': { values: ['contract/values/providers.ts'], types: ['contract/**'] },
  'contract/values/providers.ts': { values: [], types: [] },
  'contract/values/redaction-kinds.ts': { values: [], types: [] },
  'contract/values/scopes.ts': { values: [], types: ['contract/**'] },
  'contract/values/scope-meanings.ts': { values: [], types: ['contract/**'] },
  'contract/values/field-conditions.ts': { values: [], types: ['contract/**'] },
  'contract/workflows.ts': { values: [], types: ['contract/**'] },

  runtime: { values: ['contract/**', 'node:', 'zod'], types: ['runtime/**'] },
  'runtime/audio': {
    values: [
      'contract/values/providers.ts',
      'runtime',
      'node:',
      '@aws-sdk/client-s3',
      'file-type',
      'music-metadata',
      'p-limit',
      'strtok3',
    ],
    types: ['contract/**'],
  },
  'runtime/outbound': { values: ['contract', 'runtime', 'node:', 'undici'], types: ['contract/**'] },
  'runtime/prices': { values: ['contract/**', 'node:', 'zod', '@pydantic/genai-prices'], types: [] },
  'runtime/telemetry': {
    values: ['node:', 'pino', 'prom-client', '@opentelemetry', '@temporalio/interceptors-opentelemetry-v2'],
    types: ['contract/**', 'runtime', '@temporalio/client', '@temporalio/worker'],
  },
  'runtime/temporal': {
    values: [
      'contract/**',
      'runtime',
      'runtime/telemetry',
      '@temporalio/client',
      '@temporalio/common',
      '@temporalio/worker',
    ],
    types: [],
  },

  db: {
    values: ['db/migrations', 'db/models', 'runtime', 'runtime/telemetry', 'node:', 'objection', 'knex', 'pg'],
    types: ['contract/**', 'runtime/**'],
  },
  'db/migrations': { values: ['node:'], types: ['knex'] },
  'db/models': {
    values: ['contract/**', 'db', 'runtime', 'runtime/prices', 'node:', 'objection', 'typeid-js'],
    types: ['knex'],
  },
  'db/queries': {
    values: ['contract/**', 'db', 'db/models', 'runtime/prices', 'node:', 'objection', 'typeid-js'],
    types: [],
  },

  // The rules are pure functions; only the thread and the recognizer's client do more.
  redaction: {
    values: [
      'contract/values/constants.ts',
      'contract/values/redaction-kinds.ts',
      'redaction/words',
      'runtime/outbound',
      'node:',
      'zod',
    ],
    types: ['contract/**', 'runtime'],
  },
  'redaction/words': { values: [], types: [] },

  activities: {
    values: [
      'activities/**',
      'contract/**',
      'db/**',
      'runtime',
      'node:',
      '@temporalio/activity',
      '@temporalio/common',
      'tldts',
    ],
    types: ['runtime/**'],
  },
  // Reads and checks answers: it calls nobody and stores nothing.
  'activities/fields': { values: ['contract', 'node:'], types: ['contract/**'] },
  // Like fields: it calls nobody and stores nothing.
  'activities/roles': {
    values: ['contract/values/constants.ts', 'activities/fields'],
    types: ['contract/**'],
  },
  'activities/sessions': {
    values: [
      'activities',
      'activities/roles',
      'activities/providers/**',
      'contract/**',
      'db/**',
      'redaction',
      'runtime/**',
      'node:',
      '@temporalio/activity',
      '@temporalio/common',
    ],
    types: ['objection', '@temporalio/client'],
  },
  'activities/batches': {
    values: [
      'activities',
      'activities/sessions',
      'contract/**',
      'db/**',
      'runtime/**',
      'node:',
      '@temporalio/activity',
    ],
    types: ['objection', '@temporalio/client'],
  },
  'activities/sweeps': {
    values: [
      'activities',
      'activities/sessions',
      'contract/**',
      'db/**',
      'runtime/**',
      'node:',
      '@temporalio/activity',
    ],
    types: ['@temporalio/client'],
  },
  'activities/providers': {
    values: [
      'activities',
      'activities/fields',
      'activities/roles',
      'contract/**',
      'db/**',
      'runtime',
      'runtime/outbound',
      'runtime/prices',
      'runtime/telemetry',
      'node:',
      'zod',
      'jsonrepair',
      '@opentelemetry/api',
      'openai',
      '@anthropic-ai/sdk',
      '@google/generative-ai',
      '@temporalio/common',
    ],
    types: ['objection'],
  },
  'activities/webhooks': {
    values: [
      'activities',
      'contract/**',
      'db/**',
      'runtime/**',
      'node:',
      'standardwebhooks',
      'tldts',
      '@temporalio/activity',
      '@temporalio/common',
    ],
    types: ['objection', '@temporalio/client'],
  },

  workflows: {
    values: ['contract/values/constants.ts', 'contract/workflows.ts', '@temporalio/workflow', '@temporalio/common'],
    types: ['activities/**', 'contract/**'],
  },

  api: {
    values: [
      'api/**',
      'contract/**',
      'db/**',
      'redaction',
      'runtime/**',
      'node:',
      'koa',
      'nodemailer',
      'p-limit',
      'pg',
    ],
    types: ['knex', 'zod', '@temporalio/client'],
  },
  'api/console': { values: ['api/http', 'node:'], types: ['koa'] },
  'api/docs': { values: ['api/http', 'contract/**', 'node:'], types: ['koa'] },
  'api/guard': {
    values: [
      'api',
      'api/http',
      ...API_SHARED,
      'db/models',
      'runtime',
      'node:',
      '@node-rs/argon2',
      '@zxcvbn-ts/language-common',
      'jsonwebtoken',
      'p-limit',
      'rate-limiter-flexible',
    ],
    types: ['knex', 'koa', 'runtime/telemetry'],
  },
  'api/http': {
    values: [
      'api',
      'api/guard',
      ...API_SHARED,
      'db',
      'runtime/**',
      'node:',
      '@koa/cors',
      '@koa/router',
      '@fastify/busboy',
      'content-type',
      '@opentelemetry/api',
      'koa-body',
    ],
    types: ['koa', 'zod'],
  },
  'api/mail': {
    values: ['api', 'runtime', 'runtime/telemetry', 'nodemailer', 'node:'],
    types: ['db/models', 'runtime/**'],
  },
  'api/streams': { values: ['api', 'contract/**', 'db', 'db/**', 'runtime/**', 'node:', 'pg'], types: [] },
  'api/runs': { values: [...RESOURCE, 'api/assistants'], types: ['objection'] },
  // A folder per resource; each may use the resources that its own rows belong to.
  'api/account': {
    values: [
      ...RESOURCE,
      'api/assistants',
      'api/audit',
      'api/batches',
      'api/deliveries',
      'api/keys',
      'api/mail',
      'api/runs',
      'api/sessions',
      'api/workspaces',
      'objection',
      'otpauth',
    ],
    types: [],
  },
  'api/sso': { values: [...RESOURCE, 'api/account', 'api/mail', 'api/workspaces', 'openid-client'], types: [] },
  'api/assistants': { values: RESOURCE, types: ['objection'] },
  'api/audit': { values: RESOURCE, types: [] },
  'api/batches': { values: [...RESOURCE, 'api/assistants', 'api/requests', 'api/runs', 'api/sessions'], types: [] },
  'api/deliveries': { values: [...RESOURCE, 'api/assistants', 'api/runs'], types: [] },
  'api/events': { values: RESOURCE, types: [] },
  'api/keys': { values: RESOURCE, types: ['objection'] },
  'api/requests': {
    values: [...RESOURCE, 'api/assistants', 'api/runs'],
    types: ['objection'],
  },
  'api/mcp': {
    values: [...RESOURCE, 'api/requests', 'package.json', 'zod', '@modelcontextprotocol/server'],
    types: [],
  },
  'api/reports': { values: [...RESOURCE, 'api/assistants', 'api/sessions'], types: [] },
  'api/service': { values: [...RESOURCE, 'api/assistants', 'package.json'], types: ['knex', 'koa'] },
  'api/sessions': {
    values: [...RESOURCE, 'api/assistants', 'api/runs', 'api/streams', 'client-zip', 'content-disposition', 'fresh'],
    types: ['objection'],
  },
  'api/workspaces': { values: [...RESOURCE, 'api/mail'], types: ['objection'] },

  worker: {
    values: [
      'activities/**',
      'contract/**',
      'db/**',
      'redaction',
      'runtime/**',
      'node:',
      '@temporalio/worker',
      '@temporalio/client',
      '@temporalio/common',
    ],
    types: ['workflows'],
  },

  clients: { values: [], types: [] },
  // Works over the network, from any machine: it shares with the service what describes the API.
  'clients/submit': {
    values: [
      'contract/values/constants.ts',
      'contract/values/csv-line.ts',
      'conversation-analysis-client',
      'node:',
      '@clack/prompts',
    ],
    types: [],
  },

  'console/src': { values: [...CONSOLE, 'console/src/**'], types: ['contract/**'] },
  ...Object.fromEntries(consoleRooms),
  // The first load waits for these files, so they cannot wait for a file of it.
  'console/src/texts/ru.ts': { values: [], types: ['console/src/texts'] },
  'console/src/texts/uz.ts': { values: [], types: ['console/src/texts'] },
};

const ROOT = import.meta.dirname;

/** Returns the longest entry that the path begins with; undefined where the table has none. */
function roomOf(path) {
  return Object.keys(ROOMS)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** Returns what an import names: a room of the table, else a path or a package. */
function targetOf(file, source) {
  if (source.startsWith('node:')) return 'node:';
  if (!source.startsWith('.')) return source;
  const path = relative(ROOT, resolve(dirname(file), source));
  return roomOf(path) ?? path;
}

function covers(entry, target) {
  if (!entry.endsWith('/**')) return target === entry || (!(entry in ROOMS) && target.startsWith(`${entry}/`));
  const room = entry.slice(0, -'/**'.length);
  return target === room || target.startsWith(`${room}/`);
}

const isTypeOnly = ({ importKind, exportKind, specifiers = [] }) =>
  importKind === 'type' ||
  exportKind === 'type' ||
  (specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type' || one.exportKind === 'type'));

const rooms = {
  create(context) {
    const room = roomOf(relative(ROOT, context.filename));
    if (room === undefined) return {};
    const { values, types } = ROOMS[room];
    function check(node) {
      if (typeof node.source?.value !== 'string') return;
      const target = targetOf(context.filename, node.source.value);
      if (target === room || values.some((entry) => covers(entry, target))) return;
      const isType = types.some((entry) => covers(entry, target));
      if (isType && isTypeOnly(node)) return;
      const message = `${room} may import ${isType ? 'only types' : 'nothing'} of ${target}: see eslint.imports.js.`;
      context.report({ node, message });
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

const noVersioningBehavior = {
  create: (context) => ({
    "Property[key.name='versioningBehavior']": (node) => {
      const message = 'A worker without a build id could run no task of it: worker/start.ts says how runs are bound.';
      context.report({ node, message });
    },
  }),
};

/** A row's times come from PostgreSQL: another clock would put an end before its beginning. */
const databaseTime = {
  create: (context) => ({
    "NewExpression[callee.name='Date'][arguments.length=0]": (node) =>
      context.report({ node, message: "Take the database's time, `now()` of db/statements.ts." }),
  }),
};

export default {
  meta: { name: 'imports' },
  rules: { rooms, 'no-versioning-behavior': noVersioningBehavior, 'database-time': databaseTime },
};
