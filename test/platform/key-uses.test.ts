/** A bug here looks like a key that was "never used" and is revoked while an agent works with it. */
import { describe, expect, it } from 'vitest';
import type { Identity } from '../../src/http/ports.ts';
import { KeyUses } from '../../src/platform/key-uses.ts';
import type { KeyUse } from '../../src/workspace/ports.ts';

const POLICY = { revoked: [], settings: { timeouts: {} } };

function identity(key: string, workspace = 'main'): Identity {
  const caller = { credential: key, subject: 'ci', via: 'api', scopes: [], key } as const;
  return { caller, workspace, session: null, expiresAt: null, chain: [key] };
}

function played() {
  let now = 1_000_000_000;
  const uses = new KeyUses(() => now);
  const received: (readonly KeyUse[])[] = [];
  let isDown = false;
  const workspace = {
    async policy(sent: readonly KeyUse[] = []) {
      if (isDown) throw new Error('down');
      received.push(sent);
      return POLICY;
    },
  };
  const credentials = uses.watch({
    sign: async () => '',
    verify: async (token) => (token === '' ? undefined : identity(token)),
  });
  return {
    use: (key: string) => credentials.verify(key),
    exchange: () => uses.exchange('main', workspace),
    received,
    pass: (ms: number) => void (now += ms),
    fail: (down: boolean) => void (isDown = down),
  };
}

describe('[TEAM-5] the use of keys', () => {
  it('goes to the workspace with the next policy, once an hour for each key', async () => {
    const { use, exchange, received, pass } = played();
    for (let n = 0; n < 5; n += 1) await use('key_1');
    await use('key_2');
    await use('admin');
    await use('');
    await exchange();
    await use('key_1');
    await exchange();
    pass(3_600_000);
    await use('key_1');
    await exchange();
    expect(received.map((sent) => sent.map(({ key }) => key))).toEqual([
      ['key_1', 'key_2'],
      [],
      ['key_1'],
    ]);
  });

  it('is not lost with a call that failed, and not sent to another workspace', async () => {
    const { use, exchange, received, fail } = played();
    await use('key_1');
    fail(true);
    await expect(exchange()).rejects.toThrow('down');
    await use('key_2');
    fail(false);
    await exchange();
    expect(received[0]?.map(({ key }) => key)).toEqual(['key_1', 'key_2']);
  });
});
