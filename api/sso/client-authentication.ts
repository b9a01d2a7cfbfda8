/** How the client proves itself at the provider's token endpoint. */
import * as client from 'openid-client';
import type { Config } from '../../runtime/settings/config.ts';
import { StartError } from '../../runtime/process/process.ts';

type Settings = Pick<NonNullable<Config['sso']>, 'clientSecret' | 'tokenAuth'>;

const METHODS = { basic: client.ClientSecretBasic, post: client.ClientSecretPost };
type Method = keyof typeof METHODS;

export interface ClientAuthentication {
  authenticate: client.ClientAuth;
  /** The method of requests that start now. */
  present(): Method;
  /**
   * Chooses the other method after the provider refused one, unless another request has chosen it meanwhile. Returns false if there
   * is none.
   */
  useOther(refused: Method): boolean;
}

/**
 * Returns the authentication with the client secret. Providers list the methods that any of their clients may use, so only a
 * refusal shows that a client is registered for the other one. The default of the standard is Basic: OpenID Connect Core §9.
 */
export function createClientAuthentication({ clientSecret, tokenAuth }: Settings): ClientAuthentication {
  if (clientSecret === undefined) return { authenticate: client.None(), present: () => 'basic', useOther: () => false };
  const refused = new Set<Method>();
  const methodsOf = (supported: readonly string[] = ['client_secret_basic']): Method[] => {
    const known = (['basic', 'post'] as const).filter((method) =>
      tokenAuth === 'auto' ? supported.includes(`client_secret_${method}`) : method === tokenAuth,
    );
    if (known.length > 0) return known;
    const detail = `The provider accepts only ${supported.join(', ')} at its token endpoint. Register the client for client_secret_basic or client_secret_post.`;
    throw new StartError(detail);
  };
  let methods: Method[] = [];
  const present = () => methods.find((method) => !refused.has(method)) ?? 'basic';
  return {
    authenticate(server, ...request) {
      methods = methodsOf(server.token_endpoint_auth_methods_supported);
      METHODS[present()](clientSecret)(server, ...request);
    },
    present,
    useOther(before) {
      if (present() !== before) return true;
      refused.add(before);
      if (present() !== before && methods.includes(present()) && !refused.has(present())) return true;
      refused.delete(before);
      return false;
    },
  };
}
