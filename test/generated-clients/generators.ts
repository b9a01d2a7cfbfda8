/** Generates clients from the OpenAPI document, each with the options that docs/build-a-back-end.md names. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPythonPackage } from '../../local/python-program.ts';
import { StartError } from '../../runtime/process/process.ts';

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OPENAPI_GENERATOR = { name: 'openapi-generator-cli', version: '7.26.0' };
const OPENAPI_PYTHON_CLIENT = { name: 'openapi-python-client', version: '0.29.1' };

const PROGRAMS = fileURLToPath(new URL('.', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../examples/python', import.meta.url));

const execute = promisify(execFile);

/** Runs a program and returns its output. Throws `StartError` with the output if it fails. */
export async function run(program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  try {
    const { stdout, stderr } = await execute(program, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new StartError([message.split('\n')[0], stdout.slice(-4_000), stderr.slice(-4_000)].join('\n'));
  }
}

/** A program that calls the service with a generated client. */
export interface Program {
  program: string;
  args: string[];
  env?: Record<string, string>;
}

interface Generation {
  /** Path of the OpenAPI document. */
  document: string;
  /** An empty directory. */
  directory: string;
}

type Generate = (generation: Generation) => Promise<Program[]>;

/** Go: compiles the client and its program. */
const generateGo: Generate = async ({ document, directory }) => {
  const bin = join(directory, 'bin');
  await run('go', ['install', OAPI_CODEGEN], { env: { ...process.env, GOBIN: bin } });
  mkdirSync(join(directory, 'service'));
  writeFileSync(join(directory, 'go.mod'), 'module example.com/test\n\ngo 1.24\n');
  cpSync(join(PROGRAMS, 'go/main.go'), join(directory, 'main.go'));
  const options = ['-generate', 'types,client,skip-prune', '-package', 'service', '-o', 'service/client.go'];
  await run(join(bin, 'oapi-codegen'), [...options, document], { cwd: directory });
  await run('go', ['mod', 'tidy'], { cwd: directory });
  await run('go', ['build', '-o', 'call-service', '.'], { cwd: directory });
  return [{ program: join(directory, 'call-service'), args: [] }];
};

async function openApiGenerator(
  generator: string,
  { document, directory }: Generation,
  properties = '',
): Promise<string> {
  const generating = await findPythonPackage(OPENAPI_GENERATOR, process.env, console.log);
  const options = ['-g', generator, '-i', document, '-o', directory, '--skip-validate-spec'];
  const compatible = `--additional-properties=disallowAdditionalPropertiesIfNotPresent=false${properties}`;
  await run(join(generating, 'bin/openapi-generator-cli'), ['generate', ...options, compatible]);
  return generating;
}

const generateJava: Generate = async (generation) => {
  const { directory } = generation;
  await openApiGenerator('java', generation);
  cpSync(join(PROGRAMS, 'java/CallService.java'), join(directory, 'src/main/java/CallService.java'));
  const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
  await run('mvn', ['--quiet', '--batch-mode', ...goals], { cwd: directory });
  const libraries = readFileSync(join(directory, 'classpath.txt'), 'utf8').trim();
  return [
    { program: 'java', args: ['-cp', [join(directory, 'target/classes'), libraries].join(delimiter), 'CallService'] },
  ];
};

const generatePython: Generate = async (generation) => {
  const { directory } = generation;
  const python = join(await openApiGenerator('python', generation), 'bin/python');
  const libraries = join(directory, 'libraries');
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', libraries];
  await run(python, [...install, '-r', join(directory, 'requirements.txt')]);
  const env = { PYTHONPATH: [directory, libraries].join(delimiter) };
  return [{ program: python, args: [join(PROGRAMS, 'python/call_service.py')], env }];
};

const generateWithOpenApiPythonClient: Generate = async ({ document, directory }) => {
  const bin = join(await findPythonPackage(OPENAPI_PYTHON_CLIENT, process.env, console.log), 'bin');
  const [client, config] = [join(directory, 'client'), join(EXAMPLES, 'client.yml')];
  const args = ['generate', '--path', document, '--config', config, '--output-path', client];
  // Finds the formatter ruff, which is installed beside the generator.
  const env = { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter) };
  const output = await run(join(bin, 'openapi-python-client'), args, { env });
  // The generator exits with 0 even if it skips endpoints, so its output is checked.
  if (/parsing|Unable|Cannot/.test(output)) throw new StartError(output);
  const [program, PYTHONPATH] = [join(bin, 'python'), client];
  return [
    { program, args: [join(EXAMPLES, 'analyze_dialogue.py')], env: { PYTHONPATH } },
    { program, args: [join(PROGRAMS, 'python/call_service_openapi_python_client.py')], env: { PYTHONPATH } },
  ];
};

/** Not compiled: that needs .NET and packages from NuGet. Mono's compiler accepts it with declarations in place of Polly. */
const generateCSharp: Generate = async (generation) => {
  await openApiGenerator('csharp', generation, ',library=httpclient');
  return [];
};

/** By title. The last program of each prints the values that the client has read. */
export const GENERATORS: Record<string, Generate> = {
  'Go (oapi-codegen)': generateGo,
  'Java (OpenAPI Generator)': generateJava,
  'Python (OpenAPI Generator)': generatePython,
  'Python (openapi-python-client)': generateWithOpenApiPythonClient,
  'C# (OpenAPI Generator), generated only': generateCSharp,
};
