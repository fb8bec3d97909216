/**
 * A team of five on a server of its own, with a login at a real OpenID provider: Ana administers, Ben and Cleo are the group
 * `ops`, Dan and Eva answer.
 */
import type { BrowserContextOptions } from 'playwright';
import {
  CLIENT,
  type OpenIdServer,
  startOpenIdServer,
} from '../../support/login/open-id-server.ts';
import { type Agent, agentOf } from './agent.ts';
import { newPerson } from './browser.ts';
import type { Person } from './person.ts';
import { type Holdpoint, startHoldpoint } from './start-holdpoint.ts';

export type Member = 'ana' | 'ben' | 'cleo' | 'dan' | 'eva';
const MEMBERS: readonly Member[] = ['ana', 'ben', 'cleo', 'dan', 'eva'];

export interface Arrival {
  /** Where the person is after the sign-in; the start page unless given. */
  readonly at?: string;
  readonly device?: BrowserContextOptions;
}

export interface Team {
  readonly holdpoint: Holdpoint;
  readonly agent: Agent;
  readonly provider: OpenIdServer;
  /** As an administrator does over HTTP. */
  call(method: string, path: string, json?: object): Promise<Response>;
  /** A window that has not been here before, in which this person would sign in. */
  arrives(who: Member, arrival?: Arrival): Promise<Person>;
  signsIn(who: Member, arrival?: Arrival): Promise<Person>;
  stop(): Promise<void>;
}

export const addressOf = (who: string) => `${who}@example.com`;
const nameOf = (who: string) => who.charAt(0).toUpperCase() + who.slice(1);

/** To be started before the tests of a file, which close the provider at their end. */
export async function startTeam(): Promise<Team> {
  let callback = '';
  const provider = await startOpenIdServer(() => [callback]);
  const holdpoint = await startHoldpoint({
    HOLDPOINT_OIDC_ISSUER: provider.issuer,
    HOLDPOINT_OIDC_CLIENT_ID: CLIENT.id,
    HOLDPOINT_OIDC_CLIENT_SECRET: CLIENT.secret,
  });
  const { url, adminKey } = holdpoint;
  callback = `${url}/auth/callback`;
  const call = async (method: string, path: string, json?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  await call('PUT', '/v1/groups/ops', { subjects: [] });
  for (const who of MEMBERS)
    await call('POST', '/v1/people', {
      email: addressOf(who),
      name: nameOf(who),
      role: who === 'ana' ? 'admin' : 'answerer',
      ...(['ben', 'cleo'].includes(who) && { groups: ['ops'] }),
    });
  const arrives = async (who: Member, { at = '/', device = {} }: Arrival = {}) => {
    provider.account = { email: addressOf(who), name: nameOf(who) };
    const person = await newPerson(device);
    await person.opens(url + at);
    return person;
  };
  return {
    holdpoint,
    agent: agentOf(holdpoint),
    provider,
    call,
    arrives,
    async signsIn(who, arrival) {
      const person = await arrives(who, arrival);
      await person.presses(/^Sign in with /);
      await person.sees(person.page.locator('.chat'));
      return person;
    },
    stop: () => holdpoint.stop(),
  };
}
