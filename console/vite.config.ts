/** How the console is built, and served while it is worked on (`npm run dev:console`). */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkOf } from './chunks.ts';

/** Where the API listens that the development server hands `/api` to. */
const API_URL = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

// Vite reads the default export.
// oxlint-disable-next-line no-restricted-exports
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'es2023',
    // The policy of the page forbids inline scripts, styles and `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: [{ debugName: 'by chunks.ts', name: chunkOf }] } } },
  },
  server: { proxy: { '/api': { target: API_URL, changeOrigin: false } } },
});
