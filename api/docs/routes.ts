/** `/api/openapi.json` and the page that shows it, `/api/docs`; open to everyone. */
import type { Middleware } from 'koa';
import { serveDocuments } from '../http/documents.ts';
import { listDocuments } from './documents.ts';

export function docsRoutes(): Middleware {
  const documents = listDocuments();
  return serveDocuments((path) => documents.get(path));
}
