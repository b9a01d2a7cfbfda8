/** `npm run docs`: writes docs/settings.md and .env.example. */
import type { z } from 'zod';
import { SETTING_GROUPS } from '../runtime/environment.ts';
import { SECRETS } from '../runtime/secret-files.ts';
import { printFiles } from './print-files.ts';

interface Setting {
  name: string;
  /** The default; empty if there is none. */
  fallback: string;
  purpose: string;
  /** The value in `.env.example`. Undefined: the default is listed there as a comment. */
  production: string | undefined;
}

const readSetting = ([name, schema]: [string, z.ZodType]): Setting => {
  const { success, data } = schema.safeParse(undefined);
  return {
    name,
    fallback: !success ? 'required' : data === undefined ? '' : `${data as string | number}`,
    purpose: schema.description ?? '',
    production: schema.meta()?.['production'] as string | undefined,
  };
};

/** Each setting is listed once, in its first group. */
const listed = new Set<string>();
const GROUPS = Object.entries(SETTING_GROUPS).map(([title, group]) => {
  const entries = Object.entries(group).filter(([name]) => !listed.has(name));
  for (const [name] of entries) listed.add(name);
  return { title, settings: entries.map(readSetting) };
});

const assignment = (name: string, value: string, { isSet }: { isSet: boolean }) =>
  value === 'required' ? `${name}=` : `${isSet ? '' : '#'}${name}=${value}`;

const factsOf = ({ fallback, purpose }: Setting) =>
  `${fallback && (fallback === 'required' ? fallback : `\`${fallback}\``)} | ${purpose}`;

/** One row for all settings of a group with the same default and meaning. */
const rowsOf = (settings: Setting[]) =>
  Object.entries(Object.groupBy(settings, factsOf))
    .map(([facts, same = []]) => `| ${same.map(({ name }) => `\`${name}\``).join(', ')} | ${facts} |\n`)
    .join('');

const page = `# Settings

Every setting is an environment variable. A secret can also come from a file: set \`<NAME>_FILE\` to its path. Secrets are every \`…_API_KEY\`, ${SECRETS.filter(
  (name) => !name.endsWith('_API_KEY'),
)
  .map((name) => `\`${name}\``)
  .join(', ')},
and \`AWS_SECRET_ACCESS_KEY\`, \`AWS_SESSION_TOKEN\`, \`OTEL_EXPORTER_OTLP_HEADERS\` of libraries. \`npm start\` needs no setting; it
also reads \`DATA_DIR\` (default \`.data\`) and \`TEMPORAL_CLI_PATH\`. \`npm run docs\` writes this page from \`runtime/environment.ts\`.
${GROUPS.map(({ title, settings }) => `\n## ${title}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${rowsOf(settings)}`).join('')}`;

const entry = ({ name, fallback, purpose, production }: Setting) =>
  `# ${purpose}\n${assignment(name, production ?? fallback, { isSet: production !== undefined })}\n`;

const example = GROUPS.map(({ title, settings }) => `# == ${title} ==\n\n${settings.map(entry).join('\n')}`).join('\n');

/** Settings that only docker-compose.yml uses: docs/operations.md, "Compose". */
const COMPOSE = `# Compose: the current release, a version or a commit of letters, digits and .-_ (image tag and build ID of the workers).
RELEASE=
# Compose: public host name of the installation. Caddy gets a certificate for it.
DOMAIN=localhost
# Compose: passwords of PostgreSQL's superuser and of Temporal's role. The second must not contain " or \\.
POSTGRES_PASSWORD=
TEMPORAL_DATABASE_PASSWORD=
`;

printFiles('npm run docs', {
  'docs/settings.md': page,
  '.env.example': `# Settings of a production installation. \`npm start\` needs none of them.\n\n${COMPOSE}\n${example}`,
});
