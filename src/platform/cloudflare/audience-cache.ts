/** This isolate's copy of whom the requests of each workspace are for; its sessions share the copy. */
import type { AudiencePolicy } from '../../protocol/schema/audience-rule.ts';
import { IsolateCache } from '../isolate-cache.ts';
import type { Env } from './env.ts';
import { warn } from './log.ts';

let cache: IsolateCache<AudiencePolicy> | undefined;

export function audienceCache(env: Env): IsolateCache<AudiencePolicy> {
  cache ??= new IsolateCache({
    fetch: (workspace) => env.WORKSPACE.getByName(workspace).audiencePolicy(),
    now: Date.now,
    warn,
  });
  return cache;
}
