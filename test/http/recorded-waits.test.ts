/**
 * A bug would look like a workspace that each poll of a waiting agent wakes, or like a wait that a revocation does not
 * reach.
 */
import { expect, it } from 'vitest';
import { RecordedWaits, type RecordedWait } from '../../src/http/streaming/recorded-waits.ts';

interface WaitOptions {
  readonly session?: string;
  readonly workspace?: string;
  readonly chain?: readonly string[];
  readonly expiresAt?: number | null;
}

/** A workspace that notes what it is asked to record. */
function workspaceStub({ isRevoked = false } = {}) {
  const recorded: string[] = [];
  const watch = async (credentials: readonly string[], sessionId: string) => {
    recorded.push(`${credentials.join(' of ')} in ${sessionId}`);
    return isRevoked;
  };
  const wait = ({
    session = 's-1',
    workspace = 'main',
    chain = ['token', 'key'],
    expiresAt = null,
  }: WaitOptions = {}): RecordedWait => ({
    identity: { workspace, chain, expiresAt },
    sessionId: session,
    workspace: { watch },
  });
  return { recorded, wait };
}

it('[AUTH-7] has the waits of a credential in a session recorded once', async () => {
  const { recorded, wait } = workspaceStub();
  const waits = new RecordedWaits();
  for (let poll = 0; poll < 3; poll += 1) expect(await waits.record(wait())).toBe(false);
  expect(recorded).toEqual(['token of key in s-1']);
});

it.each([
  ['session', { session: 's-2' }],
  ['workspace', { workspace: 'other' }],
  ['credential', { chain: ['token-2', 'key'] }],
  ['end of the credential', { expiresAt: 1_000 }],
])('[AUTH-7] has the wait of another %s recorded too', async (_what, other) => {
  const { recorded, wait } = workspaceStub();
  const waits = new RecordedWaits();
  await waits.record(wait());
  await waits.record(wait(other));
  expect(recorded).toHaveLength(2);
});

it('[AUTH-7] does not remember a record that the workspace refused for a revoked credential', async () => {
  const { recorded, wait } = workspaceStub({ isRevoked: true });
  const waits = new RecordedWaits();
  expect(await waits.record(wait())).toBe(true);
  expect(await waits.record(wait())).toBe(true);
  expect(recorded).toHaveLength(2);
});

it('[AUTH-7] records again after a call that failed', async () => {
  const { recorded, wait } = workspaceStub();
  const waits = new RecordedWaits();
  const failing = { ...wait(), workspace: { watch: () => Promise.reject(new Error('away')) } };
  await expect(waits.record(failing)).rejects.toThrow('away');
  expect(await waits.record(wait())).toBe(false);
  expect(recorded).toHaveLength(1);
});

it('forgets, and records again, when it would remember too many', async () => {
  const { recorded, wait } = workspaceStub();
  const waits = new RecordedWaits();
  for (let n = 0; n <= 10_000; n += 1) await waits.record(wait({ session: `s-${n}` }));
  await waits.record(wait({ session: 's-0' }));
  expect(recorded).toHaveLength(10_002);
});
