import type { SettingsOf } from '../../src/delivery/surfaces/surface-settings.ts';

/** A device of a person who may read and answer, with keys of its own. */
export function deviceSettings(over: Partial<SettingsOf<'push'>> = {}): SettingsOf<'push'> {
  return {
    type: 'push',
    device: 'Phone',
    subject: 'ada',
    endpoint: 'https://push.example.com/send/1',
    p256dh: `B${'A'.repeat(86)}`,
    auth: 'A'.repeat(22),
    vapid: { publicKey: 'public', privateKey: 'private' },
    contact: 'https://holdpoint.example',
    session: null,
    mayRead: true,
    mayAnswer: true,
    chain: ['tok_ada'],
    expiresAt: null,
    usedAt: 1_700_000_000_000,
    ...over,
  };
}
