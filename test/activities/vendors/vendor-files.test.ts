import { expect } from 'chai';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../../contract/constants.ts';
import { STT_ROWS } from './stt-vendors.ts';

/** Files that are found by the vendor's name, so that no import would tell of one that is not there. */
const FILES = [
  ...LLM_PROVIDERS.flatMap((name) => [
    { path: `activities/vendors/llm/${name}.ts`, holds: 'createProvider' },
    { path: `local/vendors/llm/${name}.ts`, holds: 'format' },
  ]),
  ...STT_PROVIDERS.flatMap((name) => [
    { path: `activities/vendors/stt/${name}.ts`, holds: 'createProvider' },
    { path: `local/vendors/stt/${name}.ts`, holds: 'createDialects' },
  ]),
];

describe('Every vendor of contract/providers.ts', () => {
  for (const { path, holds } of FILES) {
    it(`has ${path}, which exports ${holds}`, async () => {
      expect(await import(`../../../${path}`)).to.have.property(holds);
    });
  }

  it('is in the conformance suite', () => {
    expect(STT_ROWS.map(({ provider }) => provider)).to.include.members([...STT_PROVIDERS]);
  });
});
