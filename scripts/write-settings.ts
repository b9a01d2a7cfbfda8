/**
 * `npm run docs`: prints the settings into the README's table and .env.example. With `--check` it writes nothing and
 * fails where they are not current.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EnvironmentSchema } from '../runtime/environment.ts';

const README = fileURLToPath(new URL('../README.md', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../.env.example', import.meta.url));
const TABLE = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;

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

const table = `\n| Variable | Default | Meaning |\n|---|---|---|\n${SETTINGS.map(row).join('')}\n`;

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

const outdated = [
  [README, readFileSync(README, 'utf8').replace(TABLE, (_, before: string, after: string) => before + table + after)],
  [EXAMPLE, `# Settings of a production installation. \`npm start\` needs none of them.\n\n${COMPOSE}\n${example}`],
].filter(([file = '', text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text) as [string, string][];

if (!process.argv.includes('--check')) {
  for (const [file, text] of outdated) writeFileSync(file, text);
} else if (outdated.length > 0) {
  process.stderr.write(
    `Not what runtime/environment.ts says: ${outdated.map(([file]) => file).join(', ')}. Run: npm run docs\n`,
  );
  process.exitCode = 1;
}
