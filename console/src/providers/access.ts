import type { Provider } from '../../../clients/typescript/src/index.ts';

/** Returns how the service reaches a provider, by the name of the word for it. */
export const accessOf = ({ simulated, configured }: Pick<Provider, 'simulated' | 'configured'>) =>
  simulated ? 'simulated' : configured ? 'configured' : 'noKey';
