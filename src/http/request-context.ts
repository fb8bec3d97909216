/** What goes along with a command, its idempotency key among it. */
import { textHash } from '../core/digest/digests.ts';
import type { Context } from '../protocol/schema/command.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { IdempotencyKey } from '../protocol/schema/ids.ts';
import type { HttpPorts, Identity } from './ports.ts';
import type { Route } from './route.ts';

export async function readRequestContext(
  request: Request,
  route: Route,
  identity: Identity,
  ports: HttpPorts,
  bodyText: string,
): Promise<Context | Rejection> {
  const { timeouts, forbidSelfApproval } = ports.config;
  if (route.access === 'public') return { caller: identity.caller, timeouts };
  const { settings } = await ports.policy.get(identity.workspace);
  const context: Context = {
    caller: identity.caller,
    timeouts: { ...timeouts, ...settings.timeouts },
    forbidSelfApproval: settings.forbidSelfApproval ?? forbidSelfApproval,
  };
  const key = request.headers.get('Idempotency-Key');
  if (key === null || route.idempotent !== true) return context;
  const parsed = IdempotencyKey.safeParse(key);
  if (!parsed.success) {
    return reject('invalid_request', 'Idempotency-Key: use 8 to 128 of A-Z a-z 0-9 _ -');
  }
  const path = new URL(request.url).pathname;
  const bodyHash = textHash(`${request.method} ${path}\n${bodyText}`);
  const scoped = `${route.method} ${route.path} ${parsed.data}`;
  return { ...context, idempotency: { key: scoped, bodyHash } };
}
