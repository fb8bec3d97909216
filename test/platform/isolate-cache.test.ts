/**
 * An isolate's copy of the policy of a workspace.
 *
 * A bug here looks like a revoked key that works for minutes, a workspace that receives a call for every
 * request, or an outage because one object failed to answer once.
 */
import { expect, it } from 'vitest';
import { IsolateCache } from '../../src/platform/isolate-cache.ts';
import type { Policy } from '../../src/protocol/schema/workspace.ts';

function policyOf(...revoked: string[]): Policy {
  return { revoked, settings: { timeouts: {} } };
}

function world() {
  let now = 1_800_000_000_000;
  let word = policyOf();
  let problem: Error | undefined;
  let gate: Promise<void> | undefined;
  const fetches: string[] = [];
  const warnings: string[] = [];
  const policy = new IsolateCache({
    async fetch(workspace) {
      fetches.push(workspace);
      const answer = word;
      const mayAnswer = gate;
      gate = undefined;
      await mayAnswer;
      if (problem !== undefined) throw problem;
      return answer;
    },
    now: () => now,
    warn: (message) => void warnings.push(message),
  });
  return {
    policy,
    fetches,
    warnings,
    advance: (seconds: number) => (now += seconds * 1_000),
    says: (next: Policy) => (word = next),
    fails: (cause: Error | undefined) => (problem = cause),
    /** The next answer waits until the function that is returned is called. */
    holds() {
      let open = () => {};
      gate = new Promise((resolve) => (open = resolve));
      return open;
    },
    revoked: async (workspace = 'main') => (await policy.get(workspace)).revoked,
  };
}

it('[AUTH-7] reads once, and again only when its copy is 30 seconds old', async () => {
  const { revoked, fetches, advance } = world();
  await revoked();
  advance(29.999);
  for (let count = 0; count < 10; count += 1) await revoked();
  expect(fetches).toHaveLength(1);
  advance(0.001);
  await revoked();
  expect(fetches).toHaveLength(2);
});

it('[AUTH-7] applies a revocation within 30 seconds of the next request', async () => {
  const { revoked, says, advance } = world();
  expect(await revoked()).toEqual([]);
  says(policyOf('key_1'));
  expect(await revoked()).toEqual([]);
  advance(30);
  expect(await revoked()).toEqual(['key_1']);
});

it('[AUTH-7] keeps workspaces apart', async () => {
  const { revoked, says, fetches } = world();
  says(policyOf('key_1'));
  expect(await revoked('one')).toEqual(['key_1']);
  says(policyOf());
  expect(await revoked('two')).toEqual([]);
  expect(await revoked('one')).toEqual(['key_1']);
  expect(fetches).toEqual(['one', 'two']);
});

it('[AUTH-7] keeps the last policy when the workspace does not answer, and warns', async () => {
  const { revoked, says, fails, advance, warnings } = world();
  says(policyOf('key_1'));
  await revoked();
  fails(new Error('Gone'));
  advance(30);
  expect(await revoked()).toEqual(['key_1']);
  expect(warnings).toHaveLength(1);
});

it('[AUTH-7] does not call a failing workspace with every request', async () => {
  const { revoked, fails, advance, fetches } = world();
  await revoked();
  fails(new Error('Gone'));
  advance(30);
  for (let count = 0; count < 10; count += 1) await revoked();
  expect(fetches).toHaveLength(2);
  advance(2);
  await revoked();
  expect(fetches).toHaveLength(3);
});

it('[AUTH-7] does not use a copy older than 50 seconds: then no caller passes without a fresh read', async () => {
  const { revoked, fails, advance } = world();
  await revoked();
  fails(new Error('Gone'));
  advance(49.999);
  expect(await revoked()).toEqual([]);
  advance(0.001);
  await expect(revoked()).rejects.toThrow('Gone');
  fails(undefined);
  expect(await revoked()).toEqual([]);
});

it('[AUTH-7] has no policy when the first read fails', async () => {
  const { revoked, fails, fetches } = world();
  fails(new Error('Gone'));
  await expect(revoked()).rejects.toThrow('Gone');
  await expect(revoked()).rejects.toThrow('Gone');
  expect(fetches).toHaveLength(2);
});

it('[AUTH-7] lets no request wait for a renewal that another request started', async () => {
  const { revoked, says, advance, holds } = world();
  says(policyOf('key_1'));
  await revoked();
  says(policyOf('key_1', 'key_2'));
  advance(30);
  const open = holds();
  const first = revoked();
  expect(await revoked()).toEqual(['key_1']);
  open();
  expect(await first).toEqual(['key_1', 'key_2']);
  expect(await revoked()).toEqual(['key_1', 'key_2']);
});

it('[AUTH-7] applies a local change at once', async () => {
  const { policy, revoked, says } = world();
  await revoked();
  says(policyOf('key_1'));
  await policy.refresh('main');
  expect(await revoked()).toEqual(['key_1']);
});

it('[AUTH-7] is not set back by the late reply to an earlier read', async () => {
  const { policy, revoked, says, advance, holds } = world();
  await revoked();
  advance(30);
  const open = holds();
  const overtaken = revoked();
  says(policyOf('key_1'));
  await policy.refresh('main');
  open();
  expect(await overtaken).toEqual(['key_1']);
  expect(await revoked()).toEqual(['key_1']);
});
