/** `/healthz`: the process lives. `/readyz`: a request would be served to its end. */
import type { Middleware } from 'koa';

export interface Missing {
  part: 'database' | 'temporal' | 'worker';
  problem: string;
}

export interface Health {
  /** Returns what is missing for service; nothing when ready. */
  findMissing(): Promise<Missing[]>;
  /** Returns what is refused although the rest is served. */
  findWarnings(): Promise<string[]>;
}

/**
 * Answers the probes. `/readyz?exclude=temporal&exclude=worker` leaves parts out, for who routes requests: without those
 * an API still serves what only reads.
 */
export function healthRoutes(health: Health): Middleware {
  return async (ctx, next) => {
    // Probes come every few seconds and from many sides.
    ctx.state['isUnlogged'] = ctx.path === '/healthz' || ctx.path === '/readyz';
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
    } else if (ctx.path === '/readyz') {
      const excluded = [ctx.query['exclude']].flat();
      const missing = await health.findMissing();
      const problems = missing.filter(({ part }) => !excluded.includes(part)).map(({ problem }) => problem);
      ctx.status = problems.length === 0 ? 200 : 503;
      const warnings = await health.findWarnings();
      ctx.body = {
        ...(problems.length === 0 ? { status: 'ready' } : { status: 'not ready', problems }),
        ...(warnings.length > 0 && { warnings }),
      };
    } else {
      await next();
    }
  };
}
