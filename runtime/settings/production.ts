import { STEP_PROVIDERS, urlVariable } from '../../contract/values/providers.ts';
import type { Settings } from './environment.ts';
import { includesLoopback, leadsHere } from '../network/loopback.ts';

/** Returns a sentence for each setting that must not be used in production. */
export function findProductionProblems(settings: Settings): string[] {
  const hosted = STEP_PROVIDERS.filter(({ name }) => name !== 'local');
  const loopbackUrls = hosted.map(urlVariable).filter((name) => {
    const url = settings[name];
    return url !== undefined && leadsHere(new URL(url).hostname);
  });
  const opened = (['WEBHOOK_ALLOW_HOSTS', 'AUDIO_URL_ALLOW_HOSTS'] as const).filter((name) =>
    settings[name].some((host) => leadsHere(host) || includesLoopback(host)),
  );
  return [
    ...(settings.SIMULATED_PROVIDERS.length > 0 ? ['SIMULATED_PROVIDERS must not be set'] : []),
    ...loopbackUrls.map((name) => `${name} must not lead to this machine`),
    ...opened.map((name) => `${name} must not hold loopback`),
  ].map((problem) => `${problem} with NODE_ENV=production`);
}
