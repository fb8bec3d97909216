/** The part of the package that the tests use; it has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export type ClientMetadata = Readonly<Record<string, string | readonly string[]>>;

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface LoginContext {
    readonly oidc: {
      readonly provider: {
        readonly Grant: new (of: { accountId: string; clientId: string }) => Grant;
      };
      readonly session?: { readonly accountId?: string };
    };
  }

  export interface Configuration {
    readonly clients: readonly ClientMetadata[];
    readonly jwks: { readonly keys: readonly object[] };
    readonly cookies: { readonly keys: readonly string[] };
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly conformIdTokenClaims: boolean;
    readonly pkce: { readonly required: () => boolean };
    readonly features: Readonly<Record<string, { readonly enabled: boolean }>>;
    readonly ttl: Readonly<Record<string, number>>;
    readonly interactions: {
      readonly url: (context: LoginContext, interaction: { readonly uid: string }) => string;
    };
    readonly findAccount: (
      context: LoginContext,
      id: string,
    ) => { readonly accountId: string; readonly claims: () => object };
    readonly loadExistingGrant: (context: LoginContext) => Promise<Grant>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } },
    ): Promise<void>;
  }
}
