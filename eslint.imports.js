/**
 * Who may import whom; docs/architecture.md explains the table. `values`: rooms and packages a room may import at run
 * time, `types`: those of which it may use types only. Node's own modules are `node:`; a file is named by its path.
 */
const ROOMS = [
  'contract',
  'runtime',
  'db',
  'activities',
  'workflows',
  'api',
  'worker',
  'local',
  'clients',
  'console/src',
];

const TABLE = {
  contract: { values: ['zod'], types: [] },
  runtime: {
    values: [
      'contract',
      'node:',
      'zod',
      'pino',
      'prom-client',
      '@opentelemetry',
      '@temporalio/interceptors-opentelemetry',
      'undici',
      '@temporalio/client',
      '@temporalio/common',
      '@temporalio/worker',
      '@aws-sdk/client-s3',
    ],
    types: [],
  },
  db: { values: ['contract', 'runtime', 'node:', 'objection', 'knex', 'pg', 'typeid-js'], types: [] },
  activities: {
    values: [
      ...['contract', 'db', 'runtime', 'node:', 'zod'],
      ...['openai', '@anthropic-ai/sdk', '@google/generative-ai', '@pydantic/genai-prices', 'standardwebhooks'],
      ...['@temporalio/activity', '@temporalio/client', '@temporalio/common'],
    ],
    types: ['objection'],
  },
  workflows: {
    values: ['contract/constants.ts', 'contract/workflows.ts', '@temporalio/workflow', '@temporalio/common'],
    types: ['activities', 'contract'],
  },
  api: {
    values: [
      ...['contract', 'db', 'runtime', 'node:', 'koa', '@koa/router', 'raw-body', 'content-type', 'jsonwebtoken', 'pg'],
      ...['@node-rs/argon2', 'rate-limiter-flexible', 'typeid-js'],
      ...['busboy', 'file-type', 'music-metadata', 'strtok3'],
    ],
    types: ['workflows', 'knex', 'zod', '@temporalio/client'],
  },
  worker: {
    values: [
      'activities',
      'contract',
      'db',
      'runtime',
      'node:',
      '@temporalio/worker',
      '@temporalio/client',
      '@temporalio/common',
    ],
    types: ['workflows'],
  },
  'console/src': {
    values: [
      ...['contract/constants.ts', 'contract/providers.ts', 'clients'],
      ...['react', 'react-dom', '@tanstack/react-router', '@tanstack/react-query', '@base-ui/react', 'lucide-react'],
    ],
    types: ['contract'],
  },
};

const escape = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Imports of a room's own files. */
const OWN = ['\\./', `(\\.\\./)+(?!\\.\\./|(${ROOMS.join('|')}|test|bench)/)`];

/** Regular expressions of what an entry of the table covers. */
const cover = (entries) =>
  entries.map((entry) => {
    if (entry === 'node:') return entry;
    if (entry.endsWith('.ts')) return `(\\.\\./)+${escape(entry)}$`;
    return ROOMS.includes(entry) ? `(\\.\\./)+${entry}/` : `${escape(entry)}(/|$)`;
  });

/** Finds every import which none of `allowed` covers; a room's own files always are. */
const allBut = (allowed) => `^(?!${[...OWN, ...cover(allowed)].join('|')})`;

/** Finds the imports that `types` covers and `values` does not. One that any pattern lets pass as a type passes all. */
const onlyTypes = ({ values, types }) => `${allBut(values)}(${cover(types).join('|')})`;

/** contract/constants.ts and its like are read by workflows, whose sandbox must stay small. */
const IMPORT_FREE = ['contract/constants.ts', 'contract/workflows.ts', 'contract/providers.ts'];

export const importRules = [
  ...Object.entries(TABLE).map(([room, { values, types }]) => ({
    files: [`${room}/**/*.{ts,tsx}`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: allBut([...values, ...types]), message: `${room}/ may not import this: see eslint.imports.js.` },
            ...(types.length === 0
              ? []
              : [
                  {
                    regex: onlyTypes({ values, types }),
                    allowTypeImports: true,
                    message: `${room}/ may import types of this, no values.`,
                  },
                ]),
          ],
        },
      ],
    },
  })),
  {
    files: IMPORT_FREE,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '.', allowTypeImports: true, message: 'Workflows import this file: it must not import anything.' },
          ],
        },
      ],
    },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      'no-restricted-globals': ['error', 'process', 'console', 'fetch', 'require', 'Buffer'].map((name) =>
        name === 'error' ? name : { name, message: 'Workflow code is deterministic.' },
      ),
    },
  },
];
