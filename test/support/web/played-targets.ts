/** Targets of a workspace in memory, for the settings: what the server would store, and what its receivers respond. */
import { ClientError } from '../../../src/client/errors.ts';
import type { Delivery, ListedTarget } from '../../../src/web/model/targets.ts';
import { readTarget } from '../../../src/web/model/targets.ts';
import type { TargetRequests } from '../../../src/web/settings/settings-requests.ts';
import { isObject, type JsonObject } from '../../../src/protocol/types.ts';

/** Only the screen that connects an agent follows the inbox. */
export const NO_INBOX = {
  subscribeInbox: () => {
    throw new Error('Targets need no inbox');
  },
};

const NOW = Date.now();
const PAGE = 3;

export interface PlayedTargets extends TargetRequests {
  readonly asked: string[];
  readonly bodies: JsonObject[];
  readonly sent: Delivery[];
  targets: ListedTarget[];
  failingSince: number | undefined;
  /** The next request fails with this. */
  failure: ClientError | undefined;
}

export function webhook(changes: JsonObject = {}): ListedTarget {
  return readTarget({
    id: 'tgt_1',
    type: 'webhook',
    url: 'https://hooks.example.com/holdpoint',
    events: ['*'],
    createdAt: NOW,
    createdBy: 'olga',
    disabledAt: null,
    ...changes,
  });
}

export function delivery(number: number, changes: Partial<Delivery> = {}): Delivery {
  return {
    id: `msg_1_${number}`,
    type: 'interaction.requested',
    sessionId: 'ses_1',
    seq: number,
    createdAt: NOW,
    status: 'delivered',
    attempts: 1,
    nextAt: null,
    last: { at: NOW, status: 200, body: 'ok' },
    ...changes,
  };
}

/** A sentence about the request, or sentences about its fields. */
export function refusal(...found: readonly (string | readonly [string, string])[]): ClientError {
  const issues = found.flatMap((one) =>
    typeof one === 'string' ? [] : [{ path: one[1], message: one[0] }],
  );
  const [first = ''] = found;
  return new ClientError({
    code: 'invalid_request',
    status: 400,
    message: typeof first === 'string' ? first : first[0],
    retry: 'never',
    ...(issues.length > 0 && { details: { issues } }),
  });
}

/** Without what the server never lists. */
function listedTarget({ botToken: _token, signingSecret: _secret, ...rest }: JsonObject) {
  const { provider } = rest;
  if (!isObject(provider)) return webhook(rest);
  const { authorization: _authorization, ...shown } = provider;
  return webhook({ ...rest, provider: shown });
}

/** Deliveries newest first, three on a page. */
export function playTargets(
  targets: readonly ListedTarget[] = [],
  sent: readonly Delivery[] = [],
): PlayedTargets {
  const asked: string[] = [];
  const ask = (what: string) => {
    asked.push(what);
    const { failure } = played;
    played.failure = undefined;
    if (failure !== undefined) throw failure;
  };
  const played: PlayedTargets = {
    asked,
    bodies: [],
    sent: [...sent],
    targets: [...targets],
    failingSince: undefined,
    failure: undefined,
    async list() {
      ask('list');
      return [...played.targets];
    },
    async create(body) {
      ask('create');
      played.bodies.push(body);
      const id = `tgt_${played.targets.length + 1}`;
      const isWebhook = body['type'] === 'webhook';
      const target = listedTarget({ ...(isWebhook ? {} : { url: null }), ...body, id });
      played.targets.push(target);
      return {
        target,
        secret: isWebhook ? 'whsec_first' : undefined,
        key: isWebhook ? 'whkey_first' : undefined,
      };
    },
    async update(id, body) {
      ask(`update ${id}`);
      played.bodies.push(body);
      const { enabled, ...settings } = body;
      const known = played.targets.find((one) => one.id === id) ?? webhook({ id });
      const changed: ListedTarget = {
        ...listedTarget({ ...known.listed, ...settings }),
        ...(enabled === true && { disabledAt: null, disabledBy: undefined }),
        ...(enabled === false && { disabledAt: NOW, disabledBy: 'administrator' }),
      };
      played.targets = played.targets.map((one) => (one.id === id ? changed : one));
      return changed;
    },
    async remove(id) {
      ask(`remove ${id}`);
      played.targets = played.targets.filter((one) => one.id !== id);
    },
    async rotate(id) {
      ask(`rotate ${id}`);
      return { secret: 'whsec_second', key: 'whkey_second' };
    },
    async test(id) {
      ask(`test ${id}`);
      const made = { id: 'msg_1_99', type: 'target.test', createdAt: NOW, status: 'dead' } as const;
      const last = {
        at: NOW,
        status: 500,
        problem: 'The receiver responded 500',
        body: 'no such hook',
      };
      const tested: Delivery = { ...made, attempts: 1, nextAt: null, last };
      played.sent.unshift(tested);
      return tested;
    },
    async deliveries(id, before) {
      ask(`deliveries ${id} ${before ?? ''}`.trim());
      const from = Number(before ?? 0);
      const page = played.sent.slice(from, from + PAGE);
      const next = from + PAGE < played.sent.length ? String(from + PAGE) : undefined;
      return { deliveries: page, next, failingSince: played.failingSince };
    },
    async redeliver(id, deliveryId) {
      ask(`redeliver ${id} ${deliveryId}`);
      const at = played.sent.findIndex((one) => one.id === deliveryId);
      const again = delivery(0, { ...played.sent[at], status: 'pending', attempts: 0 });
      played.sent[at] = again;
      return again;
    },
    async redeliverSince(id, since) {
      ask(`redeliverSince ${id} ${since}`);
      return played.sent.length;
    },
  };
  return played;
}
