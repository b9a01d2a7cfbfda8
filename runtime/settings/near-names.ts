/** Typing errors in the names of settings. */
import { EnvironmentSchema, type Environment } from './environment.ts';

/** Returns a sentence for each variable whose name is one letter away from a setting. Without it, a typing error has no effect. */
export function findNearNames(env: Environment): string[] {
  const settings = Object.keys(EnvironmentSchema.shape);
  const known = new Set([...settings, ...settings.map((name) => `${name}_FILE`)]);
  return Object.keys(env).flatMap((name) => {
    const near = known.has(name) ? undefined : settings.find((setting) => differsByOne(name, setting));
    return near === undefined ? [] : [`${name} is not a setting and has no effect: did you mean ${near}?`];
  });
}

/** Returns whether one letter was added, left out or replaced. */
function differsByOne(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const rest = (text: string, skip: number) => text.slice(start + skip);
  return rest(one, 1) === rest(other, 1) || rest(one, 1) === rest(other, 0) || rest(one, 0) === rest(other, 1);
}
