import { errors } from 'oidc-provider';
import { createBrowserCookies } from '../http/cookies.ts';
import type { Services } from '../services.ts';
import { toProviderMetadata } from './clients-store.ts';
import { createProvider } from './provider.ts';

/** Validates a client registration with the provider's own rules. Returns the error message, or undefined if it is valid. */
export function createClientCheck(services: Services) {
  const { providerName: name, secure } = createBrowserCookies(services.config.publicUrl);
  const { provider } = createProvider(services, { name, secure });
  return (client: {
    id: string;
    displayName: string;
    metadata: Record<string, unknown>;
  }): string | undefined => {
    try {
      Reflect.construct(provider.Client, [toProviderMetadata(client)]);
      return undefined;
    } catch (error) {
      if (error instanceof errors.OIDCProviderError) return error.error_description ?? error.message;
      throw error;
    }
  };
}
