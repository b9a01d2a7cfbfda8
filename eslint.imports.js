/**
 * Who may import whom, as a plugin of the lint; docs/architecture.md draws the rooms. A file belongs to the longest entry
 * that its path begins with, and may import what its own room holds. `values` may be imported, of `types` only the types:
 * rooms of this table (`db/**`: that one and all below it) and packages by name. Node's own modules are `node:`.
 */
import { dirname, relative, resolve } from 'node:path';

const API_SHARED = [
  'contract',
  'contract/constants.ts',
  'contract/field-conditions.ts',
  'contract/providers.ts',
  'contract/turn-lines.ts',
  'contract/workflows.ts',
];

export const ROOMS = {
  contract: { values: ['zod', 'contract/**'], types: [] },
  'contract/openapi': { values: ['zod', 'zod-openapi', 'contract/**'], types: [] },
  'contract/turn-lines.ts': { values: [], types: ['contract'] },
  'contract/speaker-names.ts': { values: [], types: ['contract'] },
  'contract/csv-line.ts': { values: [], types: [] },
  // Workflows read these: their sandbox stays small only if these import no more.
  'contract/constants.ts': { values: ['contract/providers.ts'], types: ['contract/**'] },
  'contract/providers.ts': { values: [], types: [] },
  'contract/field-conditions.ts': { values: [], types: ['contract/**'] },
  'contract/workflows.ts': { values: [], types: ['contract/**'] },

  runtime: { values: ['contract/**', 'node:', 'zod'], types: ['runtime/**'] },
  'runtime/audio': { values: ['node:', '@aws-sdk/client-s3'], types: ['runtime'] },
  'runtime/outbound': { values: ['runtime', 'node:', 'undici'], types: ['contract/**'] },
  'runtime/telemetry': {
    values: ['node:', 'pino', 'prom-client', '@opentelemetry', '@temporalio/interceptors-opentelemetry'],
    types: ['contract/**', 'runtime', '@temporalio/client', '@temporalio/worker'],
  },
  'runtime/temporal': {
    values: [
      ...['contract/**', 'runtime', 'runtime/telemetry'],
      ...['@temporalio/client', '@temporalio/common', '@temporalio/worker'],
    ],
    types: [],
  },

  db: {
    values: ['db/migrations', 'db/models', 'runtime', 'runtime/telemetry', 'node:', 'objection', 'knex', 'pg'],
    types: ['contract/**', 'runtime/**'],
  },
  'db/migrations': { values: [], types: ['knex'] },
  'db/models': { values: ['contract/**', 'db', 'runtime', 'node:', 'objection', 'typeid-js'], types: ['knex'] },
  'db/queries': { values: ['contract/**', 'db', 'db/models', 'node:', 'objection', 'typeid-js'], types: [] },

  activities: {
    values: ['activities/**', 'contract/**', 'db/**', 'node:', '@temporalio/activity'],
    types: ['runtime/**'],
  },
  // Reads and checks answers: it calls nobody and stores nothing.
  'activities/fields': { values: ['contract', 'node:'], types: ['contract/**'] },
  // Like fields: it calls nobody and stores nothing.
  'activities/roles': {
    values: ['contract/constants.ts', 'activities/fields'],
    types: ['contract/**'],
  },
  'activities/sessions': {
    values: [
      // The analysis makes the first attempt of what it leaves to deliver.
      ...['activities', 'activities/roles', 'activities/vendors/**', 'activities/webhooks', 'contract/**', 'db/**'],
      ...['runtime/**', 'node:'],
      ...['@temporalio/activity', '@temporalio/common'],
    ],
    types: ['objection', '@temporalio/client'],
  },
  'activities/batches': {
    values: [
      ...['activities', 'activities/sessions', 'contract/**', 'db/**', 'runtime/**', 'node:', '@temporalio/activity'],
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
  'activities/vendors': {
    values: [
      ...[
        'activities',
        'activities/fields',
        'activities/roles',
        'activities/vendors/pricing.ts',
        'contract/**',
        'db/**',
        'runtime',
        'runtime/outbound',
        'runtime/telemetry',
        'node:',
        'zod',
        '@opentelemetry/api',
      ],
      ...['openai', '@anthropic-ai/sdk', '@google/generative-ai', '@pydantic/genai-prices', '@temporalio/common'],
    ],
    types: ['objection'],
  },
  'activities/vendors/pricing.ts': {
    values: ['activities/vendors', 'contract/providers.ts', 'db/models', 'node:', 'zod', '@pydantic/genai-prices'],
    types: ['contract/**'],
  },
  'activities/webhooks': {
    values: [
      ...['activities', 'contract/**', 'db/**', 'runtime/**', 'node:', 'standardwebhooks', 'tldts'],
      ...['@temporalio/activity', '@temporalio/common'],
    ],
    types: ['@temporalio/client'],
  },

  workflows: {
    values: ['contract/constants.ts', 'contract/workflows.ts', '@temporalio/workflow', '@temporalio/common'],
    types: ['activities/**', 'contract/**'],
  },

  api: {
    values: ['api/**', 'activities/vendors/pricing.ts', 'contract/**', 'db/**', 'runtime/**', 'node:', 'koa', 'pg'],
    types: ['knex', 'zod', '@temporalio/client'],
  },
  'api/answers': {
    values: [
      ...['api', 'api/audio', 'api/commands', 'api/http', 'api/presenters', ...API_SHARED, 'db/**', 'runtime/audio'],
      ...['contract/speaker-names.ts', 'node:', 'client-zip', 'content-disposition', 'fresh'],
    ],
    types: ['objection'],
  },
  'api/audio': {
    values: ['api', ...API_SHARED, 'runtime', 'node:', 'file-type', 'music-metadata', 'strtok3'],
    types: ['db/models', 'runtime/audio'],
  },
  'api/commands': {
    values: [
      ...['api', 'api/audio', 'api/lookups', ...API_SHARED, 'db/**', 'runtime', 'runtime/outbound'],
      ...['runtime/telemetry', 'runtime/temporal', 'node:', '@node-rs/argon2', 'typeid-js'],
    ],
    types: ['runtime/audio', 'objection'],
  },
  'api/docs': { values: ['api/http', 'contract/**', 'node:'], types: ['koa'] },
  'api/http': {
    values: [
      ...['api', ...API_SHARED, 'db/**', 'runtime/**', 'node:', '@koa/cors', '@koa/router', 'busboy', 'content-type'],
      ...['@opentelemetry/api', 'jsonwebtoken', 'rate-limiter-flexible', 'raw-body'],
    ],
    types: ['knex', 'koa', 'zod'],
  },
  'api/lookups': { values: ['api', ...API_SHARED, 'activities/vendors/pricing.ts', 'db/**'], types: [] },
  // A presenter shows what it is given: it can't read more.
  'api/presenters': {
    values: ['contract/csv-line.ts', 'contract/turn-lines.ts'],
    types: ['api', 'contract/**', 'db/**'],
  },
  'api/routes': {
    values: [
      ...['api', 'api/answers', 'api/commands', 'api/http', 'api/lookups', 'api/presenters', ...API_SHARED, 'db/**'],
      ...['package.json', 'runtime/temporal', 'typeid-js'],
    ],
    types: ['workflows'],
  },

  worker: {
    values: [
      ...['activities/**', 'contract/**', 'db/**', 'runtime/**', 'node:'],
      ...['@temporalio/worker', '@temporalio/client', '@temporalio/common'],
    ],
    types: ['workflows'],
  },

  clients: { values: [], types: [] },
  // Works over the network, from any machine: it shares with the service what describes the API.
  'clients/submit': {
    values: ['clients', 'contract/constants.ts', 'contract/csv-line.ts', 'node:', '@clack/prompts'],
    types: [],
  },

  'console/src': {
    values: [
      ...[
        'contract/constants.ts',
        'contract/field-conditions.ts',
        'contract/providers.ts',
        'contract/speaker-names.ts',
      ],
      'clients',
      ...['react', 'react-dom', '@tanstack/react-router', '@tanstack/react-query', '@base-ui/react', 'lucide-react'],
      ...['@visx/axis', '@visx/group', '@visx/scale', '@visx/shape'],
    ],
    types: ['contract/**'],
  },
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

export default {
  meta: { name: 'imports' },
  rules: { rooms, 'no-versioning-behavior': noVersioningBehavior },
};
