/** A bug here would look like this: defaults that somebody set are gone after a deploy, unnoticed. */
import { describe, expect, it } from 'vitest';
import { OLGA, valueOf, World } from './workspace-harness.ts';

describe('settings of a workspace', () => {
  it('are none until they are set, and then part of the policy', () => {
    const world = new World();
    expect(world.workspace.settings()).toEqual({ timeouts: {} });
    const settings = { timeouts: { approval: 60, form: null } };
    expect(world.workspace.updateSettings(settings, OLGA)).toEqual(settings);
    world.wake();
    expect(world.workspace.settings()).toEqual(settings);
    expect(world.workspace.policy()).toEqual({ revoked: [], settings });
  });

  it('[AUTH-5] a change is in the audit list; setting the same again is none', () => {
    const world = new World();
    world.workspace.updateSettings({ timeouts: { approval: 60 } }, OLGA);
    world.changes = 0;
    world.workspace.updateSettings({ timeouts: { approval: 60 } }, OLGA);
    expect(world.changes).toBe(0);
    expect(valueOf(world.workspace.audit({})).entries).toEqual([
      { at: world.now, seq: 1, what: 'settings', subject: 'olga', via: 'cli', change: 'updated' },
    ]);
  });

  it('[AUTH-5, AUTH-8] who lets agents answer themselves is in the audit list', () => {
    const world = new World();
    for (const forbidSelfApproval of [false, true]) {
      world.workspace.updateSettings({ timeouts: {}, forbidSelfApproval }, OLGA);
    }
    world.workspace.updateSettings({ timeouts: { form: 9 }, forbidSelfApproval: true }, OLGA);
    world.workspace.updateSettings({ timeouts: {} }, OLGA);
    const { entries } = valueOf(world.workspace.audit({}));
    expect(entries.map((entry) => entry.forbidSelfApproval)).toEqual([
      null,
      undefined,
      true,
      false,
    ]);
  });

  it.each(['{', '{"timeouts":{"approval":-1}}', '{"timeouts":{},"more":1}'])(
    'that cannot be read are none: %s',
    (text) => {
      const world = new World();
      world.store.write(() => world.store.saveSettings(text));
      expect(world.workspace.settings()).toEqual({ timeouts: {} });
    },
  );
});
