/** `npm run docs`: writes docs/settings.md and .env.example. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { z } from 'zod';
import { SETTING_GROUPS } from '../runtime/settings/environment.ts';
import { SECRETS } from '../runtime/settings/secret-files.ts';
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

const printSetting = ({ name, fallback }: Setting) =>
  fallback === 'required' ? `**\`${name}\`**` : `\`${name}${fallback && `=${fallback}`}\``;

/** One row for all settings of a group with the same meaning. */
const rowsOf = (settings: Setting[]) =>
  Object.entries(Object.groupBy(settings, ({ purpose }) => purpose))
    .map(([purpose, same = []]) => `| ${same.map(printSetting).join(', ')} | ${purpose} |\n`)
    .join('');

const page = `# Settings

Every setting is an environment variable, shown with its default; bold ones are required, except by \`npm start\`. A secret can also come from a file: set \`<NAME>_FILE\` to its path. Secrets are every \`…_API_KEY\`, ${SECRETS.filter(
  (name) => !name.endsWith('_API_KEY'),
)
  .map((name) => `\`${name}\``)
  .join(', ')},
and \`AWS_SECRET_ACCESS_KEY\`, \`AWS_SESSION_TOKEN\`, \`OTEL_EXPORTER_OTLP_HEADERS\` of libraries. \`npm start\` needs no setting; it
also reads \`DATA_DIR\` (default \`.data\`), \`TEMPORAL_CLI_PATH\` and \`FIND_MODEL_SERVER\` (\`false\`: search no model server on this machine). \`npm run docs\` writes this page from \`runtime/settings/environment.ts\`.
${GROUPS.map(({ title, settings }) => `\n## ${title}\n\n| Variable | Meaning |\n|---|---|\n${rowsOf(settings)}`).join('')}`;

/** Settings that only docker-compose.yml uses: docs/compose.md. */
const COMPOSE_ONLY = `# The current release, a version or a commit of letters, digits and .-_ (image tag and build ID of the workers).
RELEASE=

# Public host name of the installation. Caddy gets a certificate for it.
DOMAIN=localhost

# Passwords of PostgreSQL's superuser and of Temporal's role. The second must not contain " or \\.
POSTGRES_PASSWORD=
TEMPORAL_DATABASE_PASSWORD=

# Published ports. The Temporal UI can be reached from this machine only.
#HTTP_PORT=80
#HTTPS_PORT=443
#TEMPORAL_UI_PORT=8233
`;

/** The service's settings that an installation with Compose sets first. */
const FIRST = ['DATABASE_PASSWORD', 'JWT_SECRETS', 'ENCRYPTION_KEYS', 'REGISTRATION', 'OPENAI_API_KEY'];

const { services } = parse(readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8'), {
  merge: true,
}) as {
  services: Record<string, { environment?: Record<string, string> }>;
};
/** Returns whether a value in `.env` has no effect in Compose. An empty value only keeps a secret from a container. */
const isFixed = (name: string) =>
  [services['api'], services['worker']].some((service) => {
    const value = service?.environment?.[name];
    return value && !value.includes(`\${${name}`);
  });

const entry = ({ name, fallback, purpose, production }: Setting) => {
  const isSet = production !== undefined || FIRST.slice(0, 3).includes(name);
  const fixed = isFixed(name) ? ' docker-compose.yml sets it.' : '';
  return `# ${purpose}${fixed}\n${assignment(name, production ?? fallback, { isSet })}\n`;
};

const section = (title: string, settings: Setting[]) => `# == ${title} ==\n\n${settings.map(entry).join('\n')}`;
const all = GROUPS.flatMap(({ settings }) => settings);
const first = FIRST.flatMap((name) => all.filter((setting) => setting.name === name));
const rest = GROUPS.map(({ title, settings }) =>
  section(
    title === GROUPS[0]?.title ? 'Without Compose, also set these' : title,
    settings.filter(({ name }) => !FIRST.includes(name)),
  ),
);

printFiles('npm run docs', {
  'docs/settings.md': page,
  '.env.example': `# Settings of a production installation. \`npm start\` needs none of them. For Compose, \`deploy/init.sh\` copies this file to
# \`.env\` and fills in the release and the secrets.

# == Compose: set these first ==

${COMPOSE_ONLY}\n${[first.map(entry).join('\n'), ...rest].join('\n')}`,
});
