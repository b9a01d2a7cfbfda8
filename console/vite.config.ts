/** How the console is built, and served during development (`npm run dev:console`). */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { CONSOLE_LANGUAGES } from '../contract/values/constants.ts';
import { ON_MOST_PAGES } from './most-pages.ts';

/** The API that the development server forwards API requests to. */
const API_URL = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

/** Pages, the texts of the first load, and what the first load consists of. */
const NAMED = /-page$|^(?:toast-list|palette|first|preload|most-pages|rolldown-runtime)$/;

// Vite reads the default export.
// oxlint-disable-next-line no-restricted-exports
export default defineConfig(({ mode }) => {
  // The development server shows English.
  const built = CONSOLE_LANGUAGES.find((each) => each === mode);
  const language = built ?? 'en';
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    base: built ? `/console/${built}/` : '/console/',
    // A build copies the files that need no language once.
    publicDir: built ? (false as const) : 'public',
    // Compressing files below 1,000 bytes saves less than the response headers cost.
    // The console reads events with `EventSource`, so the build leaves out the client's event reader.
    resolve: {
      alias: [
        { find: /^#texts\//, replacement: fileURLToPath(new URL(`src/texts/${language}/`, import.meta.url)) },
        {
          find: '../core/serverSentEvents.gen.js',
          replacement: fileURLToPath(new URL('no-event-reader.ts', import.meta.url)),
        },
        // React has had this function since 18.
        { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
      ],
    },
    plugins: [
      { name: 'language', transformIndexHtml: (html: string) => html.replace('lang="en"', `lang="${language}"`) },
      react(),
      compression({ threshold: 1_000, logLevel: 'silent' }),
    ],
    build: {
      target: 'es2023',
      outDir: `dist/${language}`,
      // The page's Content-Security-Policy forbids inline scripts, inline styles and `data:` addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 700,
      // Without groups, the build has 87 small files, and loading them takes longer than running them.
      rolldownOptions: {
        // Texts do nothing when they are loaded, so each file of them is in the parts of the page that use it.
        treeshake: { moduleSideEffects: [{ test: /src\/texts\//, sideEffects: false }] },
        output: {
          // The first load lists all files, so only those that tests and people look for have names.
          chunkFileNames: ({ name }) => (NAMED.test(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js'),
          assetFileNames: 'assets/[hash:7][extname]',
          codeSplitting: {
            groups: [
              // The first load waits for the texts of a language, whose file needs this one.
              { name: 'preload', test: /preload-helper/, priority: 2 },
              { name: 'first', tags: ['$initial'], priority: 1 },
              { name: 'most-pages', test: ON_MOST_PAGES },
            ],
          },
        },
      },
    },
    server: { proxy: { '^/(w/[^/]+/)?api/': { target: API_URL, changeOrigin: false } } },
  };
});
