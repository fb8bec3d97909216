/** A bug here would look like this: nobody can say who approved what the tool did. */
import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../src/protocol/schema/workspace.ts';
import { TellingSession } from './reporting-session.ts';
import { OLGA, valueOf, World } from './workspace-harness.ts';

function wholeAudit(world: World, limit: number): AuditEntry[] {
  const found: AuditEntry[] = [];
  let before: string | undefined;
  for (;;) {
    const { entries, next } = valueOf(world.workspace.audit({ limit, before }));
    found.push(...entries);
    if (next === undefined) return found;
    before = next;
  }
}

describe('[AUTH-5] the audit list', () => {
  it('says who, what, when, from where and over which input', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', null);
    world.workspace.hear(
      session.settle('a~1', { subject: 'ada', via: 'link', digest: 'd1' }).report(),
    );
    const { entries } = valueOf(world.workspace.audit({}));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      sessionId: 's-1',
      seq: 3,
      what: 'interaction',
      interactionId: 'a~1',
      outcome: 'approved',
      subject: 'ada',
      via: 'link',
      digest: 'd1',
    });
    expect(AuditEntry.safeParse(entries[0]).success).toBe(true);
  });

  it('has every decision once, though the log is told again and again', () => {
    const world = new World();
    const session = new TellingSession('s-1');
    for (let n = 0; n < 20; n += 1) {
      world.workspace.hear(session.ask(`call-${n}~1`, null).settle(`call-${n}~1`).report());
    }
    expect(wholeAudit(world, 7).map((entry) => entry.interactionId)).toEqual(
      Array.from({ length: 20 }, (_, n) => `call-${19 - n}~1`),
    );
  });

  it('pages over entries of the same instant without losing one', () => {
    const world = new World();
    for (let n = 0; n < 10; n += 1) {
      const session = new TellingSession(`s-${n}`).ask('a~1', null);
      world.workspace.hear(session.settle('a~1', { at: world.now }).report());
      world.workspace.createKey({ name: `key ${n}`, scopes: ['read'] }, OLGA);
    }
    const found = wholeAudit(world, 3);
    expect(new Set(found.map((entry) => entry.key ?? entry.sessionId)).size).toBe(20);
    expect(found).toHaveLength(20);
  });

  it('stays when the session is deleted', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', null).settle('a~1');
    world.workspace.hear(session.remove(world.now).report());
    expect(wholeAudit(world, 10)).toHaveLength(1);
  });

  it('is not stopped by an entry it cannot read: it is left out, with a warning', () => {
    const world = new World();
    const { store } = world;
    for (const [seq, entry] of ['{', '{"what":"a new thing"}'].entries()) {
      store.write(() => store.audit.add({ at: world.now, source: 's-1', seq, entry }));
    }
    world.workspace.createKey({ name: 'ci', scopes: ['read'] }, OLGA);
    expect(wholeAudit(world, 1)).toHaveLength(1);
    expect(world.warned).toHaveLength(2);
  });

  it('shows what it knows of an entry that says more', () => {
    const world = new World();
    const { store } = world;
    const known = { at: 1, seq: 1, what: 'gate', subject: 'rule r', via: 'rule' };
    const entry = JSON.stringify({ ...known, mood: 'good' });
    store.write(() => store.audit.add({ at: 1, source: 's-1', seq: 1, entry }));
    expect(wholeAudit(world, 1)).toEqual([known]);
  });
});
