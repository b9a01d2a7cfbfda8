/** The web application at `/console/`; open to everyone, since it holds no data of its own. */
import { fileURLToPath } from 'node:url';
import type { Middleware } from 'koa';
import { serveDocuments } from '../http/documents.ts';
import { CONSOLE_BASE, followBuilds } from './files.ts';

const DIST = fileURLToPath(new URL('../../console/dist/', import.meta.url));

const NOT_BUILT = 'The console is not built. Run "npm ci && npm run build".\n';

/**
 * Serves the console's files.
 * @param directory where the build is; tests give another one.
 */
export function consoleRoutes(directory = DIST): Middleware {
  const findFiles = followBuilds(directory);
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && (ctx.path === '/' || `${ctx.path}/` === CONSOLE_BASE)) return ctx.redirect(CONSOLE_BASE);
    if (!ctx.path.startsWith(CONSOLE_BASE)) {
      await next();
      return;
    }
    const files = await findFiles();
    if (files)
      await serveDocuments((path) => files.get(path) ?? (isPage(path) ? files.get(PAGE) : undefined))(ctx, next);
    else Object.assign(ctx, { status: 503, body: NOT_BUILT });
  };
}

const PAGE = `${CONSOLE_BASE}index.html`;

/**
 * Returns whether a path is a page, which the application itself knows; one with a dot in its last part means a file
 * that is not there.
 */
const isPage = (path: string) => path.startsWith(CONSOLE_BASE) && !/\.[^/]*$/.test(path);
