/** A bug here looks like default settings that are silently gone after a deploy. */
import { describe, expect, it } from 'vitest';
import { OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

describe('settings of a workspace', () => {
  it('are empty until they are set, and then part of the policy', () => {
    const harness = new WorkspaceHarness();
    expect(harness.workspace.settings()).toEqual({ timeouts: {} });
    const settings = { timeouts: { approval: 60, form: null } };
    expect(harness.workspace.updateSettings(settings, OLGA)).toEqual(settings);
    harness.wake();
    expect(harness.workspace.settings()).toEqual(settings);
    expect(harness.workspace.policy()).toEqual({ revoked: [], settings });
  });

  it('[AUTH-5] a change is in the audit list; setting the same value again is no change', () => {
    const harness = new WorkspaceHarness();
    harness.workspace.updateSettings({ timeouts: { approval: 60 } }, OLGA);
    harness.changes = 0;
    harness.workspace.updateSettings({ timeouts: { approval: 60 } }, OLGA);
    expect(harness.changes).toBe(0);
    expect(valueOf(harness.workspace.audit({})).entries).toMatchObject([
      { at: harness.now, seq: 1, what: 'settings', subject: 'olga', via: 'cli', change: 'updated' },
    ]);
  });

  it('[AUTH-5, AUTH-8] the audit list names the administrator who allows self-approval', () => {
    const harness = new WorkspaceHarness();
    for (const forbidSelfApproval of [false, true]) {
      harness.workspace.updateSettings({ timeouts: {}, forbidSelfApproval }, OLGA);
    }
    harness.workspace.updateSettings({ timeouts: { form: 9 }, forbidSelfApproval: true }, OLGA);
    harness.workspace.updateSettings({ timeouts: {} }, OLGA);
    const { entries } = valueOf(harness.workspace.audit({}));
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
      const harness = new WorkspaceHarness();
      harness.store.write(() => harness.store.saveSettings(text));
      expect(harness.workspace.settings()).toEqual({ timeouts: {} });
    },
  );
});
