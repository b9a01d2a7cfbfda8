import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const ROOT = new URL('../', import.meta.url);

describe('The scripts of package.json', () => {
  const text = readFileSync(new URL('package.json', ROOT), 'utf8');
  const parsed = JSON.parse(text) as { scripts: Record<string, string> };

  it('have unique names, because JSON keeps only the last one', () => {
    expect(`${JSON.stringify(parsed, null, 2)}\n`).to.equal(text);
  });

  for (const [name, command] of Object.entries(parsed.scripts)) {
    const file = /^(?:node|sh) .*?(\S+\.ts)\b/.exec(command)?.[1];
    if (file === undefined) continue;
    it(`${name}: run an existing file`, () => {
      expect(existsSync(new URL(file, ROOT)), file).to.equal(true);
    });
  }
});

describe('The scripts of packages', () => {
  const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };

  it('are refused by npm unless package.json names the package', () => {
    expect(read('.npmrc').split('\n')).to.include('strict-allow-scripts=true');
  });

  it('are listed only for packages that have one', () => {
    const having = Object.entries(packages).flatMap(([path, { hasInstallScript = false }]) =>
      hasInstallScript ? path.replace(/^.*node_modules\//, '') : [],
    );
    expect(having).to.include.members(Object.keys(allowScripts));
  });
});
