import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { importRules } from './eslint.imports.js';

export default tseslint.config(
  { ignores: ['node_modules/', '.data/', 'clients/typescript/src/', 'clients/typescript/dist/', 'console/dist/'] },
  ...tseslint.configs.strict.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // The environment is read once, by each process's entry; what begins and ends every process asks it for npm's mark.
    files: ['**/*.ts'],
    ignores: [
      '**/main.ts',
      'runtime/process.ts',
      'api/manage-users.ts',
      'db/run-migrations.ts',
      'worker/run-release.ts',
      'worker/run-reseal.ts',
      'scripts/**',
      'console/vite.config.ts',
      'local/**',
      'bench/**',
      'test/**',
      'examples/**',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Take it from the config.' },
      ],
    },
  },
  // Hooks keep their order, and effects name what they depend on.
  { ...reactHooks.configs.flat.recommended, files: ['console/src/**/*.{ts,tsx}'] },
  {
    files: ['console/src/**/*.tsx'],
    // The mark-up of a page is one expression.
    rules: { 'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }] },
  },
  { files: ['console/src/texts/*.ts'], rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' } },
  { files: ['db/migrations/*.ts'], rules: { 'max-lines-per-function': 'off' } },
  {
    files: [
      'local/**/*.ts',
      'bench/**/*.ts',
      'console/build.ts',
      'api/manage-users.ts',
      'examples/**/*.ts',
      'runtime/process.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off', // chai's `to.be.true`
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': 'off',
      'no-console': 'off',
    },
  },
  ...importRules,
);
