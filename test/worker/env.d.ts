/** The contents of `env` in tests: the bindings of wrangler.toml, and those of vitest.config.ts. */
import type { Env as Deployed } from '../../src/platform/cloudflare/env.ts';

declare global {
  namespace Cloudflare {
    interface Env extends Deployed {
      readonly HOLDPOINT_SECRET: string;
      readonly HOLDPOINT_ADMIN_KEY: string;
    }
  }
}
