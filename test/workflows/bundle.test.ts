import { readdirSync } from 'node:fs';
import { workflowBundle } from '../support/workflow-runs.ts';

/** Modules that Temporal's SDK adds to every bundle. */
const SDK_PACKAGES = ['@temporalio/common', '@temporalio/workflow', '@temporalio/worker', 'long', 'ms', 'nexus-rpc'];

/** Modules that the bundler leaves out: custom converters, which this worker does not use. */
const SDK_PLACEHOLDERS = ['__temporal_custom_failure_converter', '__temporal_custom_payload_converter'];

const CONTRACT_FILES = [
  'contract/errors/failures.ts',
  'contract/errors/sentence.ts',
  'contract/values/constants.ts',
  'contract/values/providers.ts',
  'contract/workflows.ts',
];

describe('The workflow bundle', () => {
  let code: string;
  let modules: string[];
  before(async function () {
    this.timeout(0);
    ({ code } = await workflowBundle());
    // The bundler writes each module's path above its code.
    modules = [...code.matchAll(/^ {2}!\*\*\* (?:\.\/)?(.+) \*\*\*!$/gm)].map(([, path]) => path ?? '');
  });

  const ownFiles = () => modules.filter((path) => /^[a-z]+\/.*\.ts( |$)/.test(path));

  it('contains every workflow file', () => {
    const files = readdirSync(new URL('../../workflows', import.meta.url), { recursive: true, encoding: 'utf8' });
    const workflows = files.filter((file) => file.endsWith('.ts')).map((file) => `workflows/${file}`);
    expect(ownFiles()).to.include.members(workflows);
  });

  it('contains no files of the service except the workflows and the library-free part of the contract', () => {
    const others = ownFiles().filter((path) => !path.startsWith('workflows/') && !CONTRACT_FILES.includes(path));
    expect(others).to.deep.equal([]);
  });

  it('contains no packages except the SDK: no zod, no objection, no pg', () => {
    const packages = modules
      .filter((path) => path.startsWith('node_modules/'))
      .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1] ?? path);
    expect(new Set(packages)).to.include('@temporalio/workflow');
    expect([...new Set(packages)].filter((name) => !SDK_PACKAGES.includes(name))).to.deep.equal([]);
  });

  it('refers to nothing outside itself, such as Node built-ins', () => {
    const outside = modules.filter((path) => / \((ignored|external)\)$|^external /.test(path));
    expect(outside.map((path) => path.replace(' (ignored)', '')).sort()).to.deep.equal(SDK_PLACEHOLDERS);
    const known = modules.filter((path) => /^(node_modules|workflows|contract)\//.test(path));
    expect(modules.filter((path) => !known.includes(path) && !outside.includes(path))).to.deep.equal([]);
    expect(code).not.to.match(/require\(["']node:/);
  });
});
