/** Finds or builds llama.cpp's server, and writes a model for it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheDir, fetchOnce, type Say } from '../../local/fetch-once.ts';
import { findPythonPackage } from '../../local/python-program.ts';
import { StartError } from '../../runtime/process/process.ts';

type Env = Record<string, string | undefined>;

/** This package contains the complete source of llama.cpp. */
const SOURCE = { name: 'llama_cpp_python', version: '0.3.36' };
const GGUF = { name: 'gguf', version: '0.19.0' };

const run = promisify(execFile);

/** Returns the path of the program: `LLAMA_SERVER`, or a build in the project's cache. */
export async function findLlamaServer(env: Env, say: Say): Promise<string> {
  const given = env['LLAMA_SERVER'];
  if (given) {
    if (!existsSync(given)) throw new StartError(`LLAMA_SERVER names ${given}, which does not exist.`);
    return given;
  }
  const target = join(cacheDir(env), `llama-server-${SOURCE.version}`);
  return fetchOnce(target, (folder) => build(folder, say));
}

async function build(folder: string, say: Say): Promise<string> {
  const { name, version } = SOURCE;
  say(`llama-server: building it from ${name} ${version} (once; ten minutes or more) …`);
  const source = join(folder, `${name}-${version}`, 'vendor', 'llama.cpp');
  const output = join(folder, 'build');
  const options = [
    'CMAKE_BUILD_TYPE=Release',
    'BUILD_SHARED_LIBS=OFF',
    'LLAMA_OPENSSL=OFF',
    'LLAMA_USE_PREBUILT_UI=OFF',
  ];
  const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', name, '--dest', folder];
  try {
    await run('python3', [...download, `${name}==${version}`]);
    await run('tar', ['-xzf', join(folder, `${name}-${version}.tar.gz`), '-C', folder]);
    await run('cmake', ['-S', source, '-B', output, ...options.map((option) => `-D${option}`)], QUIET);
    const jobs = String(availableParallelism());
    await run('cmake', ['--build', output, '--target', 'llama-server', '--parallel', jobs], QUIET);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = stderr.trim().slice(-2_000) || message;
    throw new StartError(
      `The build needs Python 3.10, cmake, a C++ compiler and PyPI; or set LLAMA_SERVER.\n${reason}`,
    );
  }
  return join(output, 'bin', 'llama-server');
}

/** Large, because a build prints a line for each file. */
const QUIET = { maxBuffer: 64 * 1024 * 1024 };

/** Writes a model with random weights to the folder and returns its path. */
export async function writeModel(folder: string, env: Env, say: Say): Promise<string> {
  const python = join(await findPythonPackage(GGUF, env, say), 'bin', 'python');
  const model = join(folder, 'random.gguf');
  await run(python, [fileURLToPath(new URL('write_model.py', import.meta.url)), model]);
  return model;
}
