/** `/healthz`: the process lives. `/readyz`: a request would be served to its end. */
import type { Middleware } from 'koa';

export interface Health {
  /** Returns what is missing for service, by name; empty when ready. */
  findProblems(): Promise<string[]>;
}

export function healthRoutes(health: Health): Middleware {
  return async (ctx, next) => {
    // Probes come every few seconds and from many sides.
    ctx.state['isUnlogged'] = ctx.path === '/healthz' || ctx.path === '/readyz';
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
    } else if (ctx.path === '/readyz') {
      const problems = await health.findProblems();
      ctx.status = problems.length === 0 ? 200 : 503;
      ctx.body = problems.length === 0 ? { status: 'ready' } : { status: 'not ready', problems };
    } else {
      await next();
    }
  };
}
