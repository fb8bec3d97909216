/** A bug here looks like a search that says nothing waits, while an agent does. */
import { describe, expect, it } from 'vitest';
import type { InboxFilter } from '../../src/protocol/inbox-filter.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { InboxEntry } from '../../src/protocol/schema/workspace.ts';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const ADA = { subject: 'ada', isAdmin: false };

function asks(harness: WorkspaceHarness, id: string, more: Partial<InboxEntry>, title = id) {
  const session = new ReportingSession(id).ask('call~1', harness.now + MINUTE, more).rename(title);
  harness.workspace.applyReport(session.report());
}

function find(harness: WorkspaceHarness, filter: InboxFilter, reader = ADA): string[] {
  const page = valueOf(harness.workspace.inbox({ search: { filter, reader } }));
  return page.interactions.map(({ sessionId }) => sessionId);
}

function sampleInbox(): WorkspaceHarness {
  const harness = new WorkspaceHarness();
  const input = (command: string) => ({ request: { input: { command } } });
  asks(harness, 'a', { toolName: 'Bash', ...input('npm test') }, 'Deploy');
  asks(harness, 'b', { toolName: 'Write', ...input('NPM run'), sessionLabels: { env: 'live' } });
  asks(harness, 'c', {
    toolName: 'Probe',
    kind: 'question',
    request: { questions: [{ question: 'Which door?' }] },
    openedBy: { credential: 'k', subject: 'painter' },
    audience: { groups: ['ops'] },
  });
  asks(harness, 'd', { toolName: 'Probe', request: null, audience: { subjects: ['bob'] } });
  return harness;
}

describe('[BOX-2] a search of the inbox', () => {
  it.each<[InboxFilter, string]>([
    [{ find: 'npm' }, 'a b'],
    [{ find: 'NPM  deploy' }, 'a'],
    [{ find: 'door' }, 'c'],
    [{ find: 'painter' }, 'c'],
    [{ find: 'probe' }, 'c d'],
    // A name of a field is no text of the request.
    [{ find: 'command' }, ''],
    [{ session: 'b' }, 'b'],
    [{ by: 'painter' }, 'c'],
    [{ tool: 'Bash' }, 'a'],
    [{ kind: 'question' }, 'c'],
    [{ risk: 'execute' }, 'a'],
    [{ risk: 'edit' }, 'b'],
    // A question runs nothing by its answer.
    [{ risk: 'unknown' }, 'd'],
    [{ label: 'env' }, 'b'],
    [{ label: 'env=live' }, 'b'],
    [{ label: 'env=test' }, ''],
    [{ label: 'constructor' }, ''],
    [{ for: 'me' }, 'a b'],
    [{ for: 'me', tool: 'Bash' }, 'a'],
  ])('%j finds %j', (filter, expected) => {
    expect(find(sampleInbox(), filter).join(' ')).toBe(expected);
  });

  it('knows the groups of the reader, and that an administrator is always asked', () => {
    const harness = sampleInbox();
    harness.workspace.putGroup('ops', ['ada'], OLGA);
    expect(find(harness, { for: 'me' })).toEqual(['a', 'b', 'c']);
    expect(find(harness, { for: 'me' }, { subject: 'root', isAdmin: true })).toHaveLength(4);
  });

  it('counts everything that is open, whatever it finds', () => {
    const search = { filter: { find: 'npm' }, reader: ADA };
    expect(valueOf(sampleInbox().workspace.inbox({ search })).total).toBe(4);
  });

  it('looks through the whole inbox, page by page, and finds each match once', () => {
    const harness = new WorkspaceHarness();
    const wanted: string[] = [];
    const count = LIMITS.inboxSearchRows + 700;
    for (let n = 0; n < count; n += 1) {
      const isWanted = n % 900 === 899;
      if (isWanted) wanted.push(`s-${n}`);
      asks(harness, `s-${n}`, { toolName: isWanted ? 'Rare' : 'Bash' });
    }
    const found: string[] = [];
    let after: string | undefined;
    let pages = 0;
    do {
      const search = { filter: { tool: 'Rare' }, reader: ADA };
      const page = valueOf(harness.workspace.inbox({ limit: 2, after, search }));
      found.push(...page.interactions.map(({ sessionId }) => sessionId));
      after = page.next;
      pages += 1;
    } while (after !== undefined);
    expect(found.toSorted()).toEqual(wanted.toSorted());
    expect(pages).toBeLessThan(5);
  });

  it('refuses the cursor of another list', () => {
    const search = { filter: { find: 'x' }, reader: ADA };
    const harness = sampleInbox();
    expect(harness.workspace.inbox({ after: 'WyJhdWRpdCIsMCwiIiwwXQ', search }).ok).toBe(false);
  });
});
