/** The requests of the settings, over the client's calls: repeated where that is safe, with a timeout. */
import { readPart } from '../../client/requests/http-calls.ts';
import type { CreateRule, JsonObject, ListedRule, RuleTrial } from '../../protocol/types.ts';
import { type Delivery, type ListedTarget, readTarget } from '../model/targets.ts';
import type { Person } from '../model/person.ts';
import { serverCalls } from '../server-calls.ts';

type TokenHolder = Pick<Person, 'token'>;

/** Shown once: nothing reads them back. */
export interface TargetSecrets {
  readonly secret: string | undefined;
  readonly key: string | undefined;
}

export interface MadeTarget extends TargetSecrets {
  readonly target: ListedTarget;
}

export interface ListedDeliveries {
  readonly deliveries: readonly Delivery[];
  readonly next: string | undefined;
  readonly failingSince?: number | undefined;
}

export interface TargetRequests {
  list(): Promise<readonly ListedTarget[]>;
  create(target: JsonObject): Promise<MadeTarget>;
  update(id: string, changes: JsonObject): Promise<ListedTarget>;
  remove(id: string): Promise<void>;
  rotate(id: string): Promise<TargetSecrets>;
  test(id: string): Promise<Delivery>;
  deliveries(id: string, before?: string): Promise<ListedDeliveries>;
  redeliver(id: string, deliveryId: string): Promise<Delivery>;
  /** All of them, with as many requests as it takes; resolves with their number. */
  redeliverSince(id: string, since: number): Promise<number>;
}

const SETTINGS_PAGE_SIZE = 25;

export function serverTargets(person: TokenHolder): TargetRequests {
  const calls = serverCalls(person);
  const at = (id: string, ...rest: readonly string[]) =>
    `/v1/targets/${[id, ...rest].map(encodeURIComponent).join('/')}`;
  const secretsOf = ({ secret, key }: JsonObject): TargetSecrets => ({
    secret: typeof secret === 'string' ? secret : undefined,
    key: typeof key === 'string' ? key : undefined,
  });
  return {
    async list() {
      const targets = readPart<unknown[]>(await calls.get('/v1/targets'), 'targets');
      return targets.map(readTarget);
    },
    async create(target) {
      const reply = await calls.post('/v1/targets', target);
      return { target: readTarget(readPart(reply, 'target')), ...secretsOf(reply.body) };
    },
    async update(id, changes) {
      return readTarget(readPart(await calls.change('PATCH', at(id), changes), 'target'));
    },
    async remove(id) {
      await calls.change('DELETE', at(id));
    },
    async rotate(id) {
      return secretsOf((await calls.post(at(id, 'rotate'))).body);
    },
    async test(id) {
      return readPart(await calls.post(at(id, 'test')), 'delivery');
    },
    async deliveries(id, before) {
      const reply = await calls.get(at(id, 'deliveries'), { limit: SETTINGS_PAGE_SIZE, before });
      const { next, failingSince } = reply.body;
      return {
        deliveries: readPart(reply, 'deliveries'),
        next: typeof next === 'string' ? next : undefined,
        failingSince: typeof failingSince === 'number' ? failingSince : undefined,
      };
    },
    async redeliver(id, deliveryId) {
      return readPart(await calls.post(at(id, 'deliveries', deliveryId, 'redeliver')), 'delivery');
    },
    async redeliverSince(id, since) {
      let count = 0;
      for (let after: string | undefined; ; ) {
        const path = at(id, 'deliveries', 'redeliver');
        const reply = await calls.post(path, { since, ...(after !== undefined && { after }) });
        count += readPart<number>(reply, 'redelivered');
        const { next } = reply.body;
        if (typeof next !== 'string') return count;
        after = next;
      }
    },
  };
}

export interface MadeKey {
  readonly id: string;
  /** Shown once: nothing reads it back. */
  readonly secret: string;
}

export interface KeyRequests {
  /** For an agent: it asks, and neither reads nor answers. */
  create(name: string): Promise<MadeKey>;
}

export function serverKeys(person: TokenHolder): KeyRequests {
  const calls = serverCalls(person);
  return {
    async create(name) {
      const reply = await calls.post('/v1/keys', { name, scopes: ['agent'] });
      const { id } = readPart<{ readonly id: string }>(reply, 'key');
      return { id, secret: readPart(reply, 'secret') };
    },
  };
}

export interface RuleRequests {
  /** All of them, with as many requests as it takes. */
  list(): Promise<readonly ListedRule[]>;
  create(rule: CreateRule): Promise<void>;
  tryOut(rule: CreateRule): Promise<RuleTrial>;
  /** Of a session if one is given, else of the workspace. */
  revoke(ruleId: string, sessionId: string | undefined): Promise<void>;
}

export function serverRules(person: TokenHolder): RuleRequests {
  const calls = serverCalls(person);
  return {
    async list() {
      const rules: ListedRule[] = [];
      for (let after: string | undefined; ; ) {
        const reply = await calls.get('/v1/rules', { limit: 200, after });
        rules.push(...readPart<ListedRule[]>(reply, 'rules'));
        const { next } = reply.body;
        if (typeof next !== 'string') return rules;
        after = next;
      }
    },
    async create(rule) {
      await calls.post('/v1/rules', rule);
    },
    async tryOut(rule) {
      const reply = await calls.post('/v1/rules/try', rule);
      readPart(reply, 'requests');
      return reply.body as unknown as RuleTrial;
    },
    async revoke(ruleId, sessionId) {
      const rule = encodeURIComponent(ruleId);
      const at = sessionId === undefined ? '/v1' : `/v1/sessions/${encodeURIComponent(sessionId)}`;
      await calls.change('DELETE', `${at}/rules/${rule}`);
    },
  };
}
