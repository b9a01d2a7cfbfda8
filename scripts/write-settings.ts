/**
 * `npm run docs`: prints the settings into docs/settings.md and .env.example. With `--check` it writes nothing and fails
 * where they are not current.
 */
import { EnvironmentSchema } from '../runtime/environment.ts';
import { printFiles } from './print-files.ts';

interface Setting {
  name: string;
  /** Empty: none. */
  fallback: string;
  purpose: string;
  /** What `.env.example` sets; undefined: the default, commented out. */
  production: string | undefined;
}

const SETTINGS: Setting[] = Object.entries(EnvironmentSchema.shape).map(([name, schema]) => {
  const { success, data } = schema.safeParse(undefined);
  return {
    name,
    fallback: !success ? 'required' : data === undefined ? '' : String(data),
    purpose: schema.description ?? '',
    production: schema.meta()?.['production'] as string | undefined,
  };
});

const assignment = (name: string, value: string, { isSet }: { isSet: boolean }) =>
  value === 'required' ? `${name}=` : `${isSet ? '' : '#'}${name}=${value}`;

const row = ({ name, fallback, purpose }: Setting) =>
  `| \`${name}\` | ${fallback && (fallback === 'required' ? fallback : `\`${fallback}\``)} | ${purpose} |\n`;

const page = `# Settings

All by environment; a secret may also be a file that \`<NAME>_FILE\` names. \`npm start\` needs none; it also takes \`DATA_DIR\` (default
\`.data\`) and \`TEMPORAL_CLI_PATH\`. (\`npm run docs\` prints this page from \`runtime/environment.ts\`.)

| Variable | Default | Meaning |
|---|---|---|
${SETTINGS.map(row).join('')}`;

const example = SETTINGS.map(
  ({ name, fallback, purpose, production }) =>
    `# ${purpose}\n${assignment(name, production ?? fallback, { isSet: production !== undefined })}\n`,
).join('\n');

/** What docker-compose.yml takes beside the service's own settings: docs/operations.md, "Compose". */
const COMPOSE = `# Compose: the release that runs, a version or a commit of letters, digits and .-_ (image tag and build id of its workers).
RELEASE=
# Compose: public name of the installation, for which Caddy gets a certificate.
DOMAIN=localhost
# Compose: passwords of PostgreSQL's superuser and of Temporal's role. No " and no \\ in the latter.
POSTGRES_PASSWORD=
TEMPORAL_DATABASE_PASSWORD=
`;

printFiles('npm run docs', {
  'docs/settings.md': page,
  '.env.example': `# Settings of a production installation. \`npm start\` needs none of them.\n\n${COMPOSE}\n${example}`,
});
