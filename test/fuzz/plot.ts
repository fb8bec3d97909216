/**
 * The targets of requests: sample sessions and the credentials of callers. Requests use up a plot, so a run needs many.
 */
import type { Json } from '../../src/protocol/json.ts';
import { ask } from '../support/http/call.ts';
import { sign } from '../support/http/credentials.ts';
import { openSampleSession, type SampleSession } from '../support/http/sample-session.ts';
import { ADMIN_KEY, type Server } from '../support/http/server.ts';
import type { Random } from '../support/random.ts';
import type { Hints } from './values-of-schema.ts';

export interface Plot {
  readonly samples: readonly [SampleSession, SampleSession];
  readonly deleted: string;
  readonly credentials: Readonly<Record<Credential, string | null>>;
  readonly hints: Hints;
}

/** The weight of each credential. */
const CREDENTIALS = {
  admin: 46,
  agent: 12,
  person: 12,
  session: 8,
  other: 3,
  reader: 4,
  /** A credential that the fuzzer may revoke. */
  doomed: 3,
  expired: 2,
  altered: 2,
  garbage: 5,
  none: 3,
} as const;
export type Credential = keyof typeof CREDENTIALS;

export const pickCredential = (random: Random): Credential => random.weighted(CREDENTIALS);

/** The same in every run, so that a printed request can be sent to another server. */
const FAR = 4_000_000_000_000;
const LONG_AGO = 1_000_000_000_000;

export async function preparePlot(at: Pick<Server, 'url'>, random: Random): Promise<Plot> {
  // The preparation of a sample session needs only the address of the server.
  const server = at as Server;
  const samples = [await openSampleSession(server), await openSampleSession(server)] as const;
  const [{ session }, second] = samples;
  const deleted = `${session}-deleted`;
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: deleted } });
  await ask(server, { method: 'DELETE', path: `/v1/sessions/${deleted}` });
  const inSession = { kind: 'session', expiresAt: FAR, mintedBy: ['key_1'] } as const;
  const inWorkspace = { kind: 'person', expiresAt: FAR, mintedBy: ['key_1'] } as const;
  const agent = await sign({ scopes: ['agent', 'read'], id: 'key_agent' });
  return {
    samples,
    deleted,
    credentials: {
      admin: ADMIN_KEY,
      agent,
      person: await sign({ ...inWorkspace, scopes: ['read', 'answer', 'send'] }),
      session: await sign({ ...inSession, session, scopes: ['read', 'answer', 'send', 'agent'] }),
      other: await sign({ ...inSession, session: second.session, scopes: ['read', 'agent'] }),
      reader: await sign({ scopes: ['read'] }),
      doomed: await sign({ ...inWorkspace, scopes: ['read', 'answer'], id: samples[0].token }),
      expired: await sign({ ...inWorkspace, scopes: ['read'], expiresAt: LONG_AGO }),
      altered: `${agent.slice(0, -6)}AAAAAA`,
      garbage: random.pick([
        'x',
        'hp_',
        'hp_e30.AAAA',
        'hp_..',
        '='.repeat(500),
        'hp_bnVsbA.bnVsbA',
      ]),
      none: null,
    },
    hints: hintsFor(samples, deleted),
  };
}

function hintsFor(samples: readonly SampleSession[], deleted: string): Hints {
  const open = samples.flatMap((sample) => Object.values(sample.open));
  const ids = open.map(({ id }) => id);
  const calls = (random: Random) =>
    random.chance(0.6)
      ? (ids.map((id) => id.slice(0, id.lastIndexOf('~')))[random.int(0, ids.length - 1)] ?? 'call')
      : `call-${random.int(0, 30)}`;
  const interactions = (random: Random) =>
    random.pick([...ids, `${calls(random)}~${random.int(1, 3)}`]) ?? 'call~1';
  const seconds = (random: Random): Json => random.pick([1, 2, 60, 3_600, null]);
  const sessions = (random: Random) =>
    random.pick([samples[0]?.session ?? '', deleted, `fresh-${random.int(0, 1e9)}`]);
  return {
    id: sessions,
    toolCallId: calls,
    interactionId: interactions,
    replyTo: interactions,
    inputDigest: (random) => random.pick(open)?.inputDigest ?? '',
    toolName: (random) =>
      random.pick(['Bash', 'Read', 'Write', 'Task', 'AskUserQuestion', 'constructor']),
    turnId: (random) => `turn-${random.int(0, 3)}`,
    timeoutSeconds: seconds,
    remindAfter: (random) => random.pick([1, 5, 60]),
    escalateAfter: (random) => random.pick([1, 5, 60]),
    ttlSeconds: (random) => random.pick([1, 60, 3_600]),
    expiresAt: () => FAR,
    group: (random) => random.pick(['ops', 'night']),
    decision: (random) => random.pick(['approve', 'deny', 'edit', 'adjust', 'cancel']),
  };
}
