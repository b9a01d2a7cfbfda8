import type { Provider } from 'conversation-analysis-client';

/** Returns whether the provider is simulated, has an API key, or neither: a key of `texts.system`. */
export const accessOf = ({ simulated, configured }: Pick<Provider, 'simulated' | 'configured'>) =>
  simulated ? 'simulated' : configured ? 'configured' : 'noKey';
