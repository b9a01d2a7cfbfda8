/** Answers for what no endpoint takes: 404 for an unknown path, 405 for a known one with another method. */
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { ApiError } from '../errors.ts';

/**
 * Refuses a method that the path does not have, and lists those that it has. The methods of a path are those of the
 * very path: `/v1/deliveries/redeliver` has the form of `/v1/deliveries/{id}` too, and takes none of its methods.
 */
export function refuseOtherMethods(router: Router): Middleware {
  return (ctx, next) => {
    const layers = router.match(ctx.path, ctx.method).path;
    const literal = layers.filter(({ paramNames }) => paramNames.length === 0);
    const allowed = new Set((literal.length > 0 ? literal : layers).flatMap(({ methods }) => methods));
    if (allowed.size === 0) throw new ApiError('not_found', 'There is nothing at this path.');
    if (allowed.has(ctx.method)) return next();
    const methods = [...allowed].sort().join(', ');
    throw new ApiError('method_not_allowed', `This path takes ${methods}.`, { headers: { Allow: methods } });
  };
}
