/** The sentences of the chat: sizes, times, banners, tools, notices. */
import { decidedWords } from '../../../src/web/model/decided-words.ts';
import { describe, expect, it } from 'vitest';
import { ClientError } from '../../../src/client/errors.ts';
import type { NoticeBlock, ToolBlock } from '../../../src/client/timeline/index.ts';
import { bannerOf, hasConnection } from '../../../src/web/model/banner.ts';
import { loadMessageDraft, saveMessageDraft } from '../../../src/web/model/drafts.ts';
import { failureText } from '../../../src/web/model/failure.ts';
import {
  byteCount,
  byteLength,
  hidesPart,
  inputPairs,
  isLong,
  sizeOfText,
  startOfText,
} from '../../../src/web/model/folding.ts';
import { setNames } from '../../../src/web/model/names.ts';
import { noticeText } from '../../../src/web/model/notice-text.ts';
import { startersFor } from '../../../src/web/model/starters.ts';
import { GERMAN } from '../../../src/web/languages/de.ts';
import { ENGLISH, setLanguage } from '../../../src/web/model/language.ts';
import { relativeTime } from '../../../src/web/model/times.ts';
import { isShell } from '../../../src/protocol/shell-tools.ts';
import { resultText } from '../../../src/web/model/tool-result.ts';
import {
  undeliveredApproval,
  groupWords,
  statusWords,
  toolSubject,
} from '../../../src/web/model/tool-words.ts';
import { memoryStore } from '../../support/web/memory-store.ts';

it.each([
  [1, '1 byte'],
  [1_023, '1023 bytes'],
  [1_024, '1.0 KB'],
  [102_400, '100 KB'],
  [3 * 1_024 * 1_024, '3.0 MB'],
])('counts %d bytes as %s', (bytes, words) => {
  expect(byteCount(bytes)).toBe(words);
});

it.each([
  ['line\n'.repeat(36), '36 lines'],
  ['a\nb\nc\nd\ne\nf', '6 lines'],
  ['x'.repeat(1_500), '1.5 KB'],
  [`a\n${'x'.repeat(1_500)}`, '1.5 KB'],
])(
  '[UI-2] gives the size of a folded text in lines, or in bytes where lines say little',
  (text, size) => {
    expect(sizeOfText(text)).toBe(size);
  },
);

it('counts bytes and not characters', () => {
  expect(byteLength('é🎉')).toBe(6);
});

it('says how long ago, and never in the future', () => {
  const now = Date.UTC(2026, 10, 18);
  expect(relativeTime(now + 5_000, now)).toBe('just now');
  expect(relativeTime(now - 29_000, now)).toBe('just now');
  expect(relativeTime(now - 31_000, now)).toMatch(/^1\s?m/);
  expect(relativeTime(now - 120_000, now)).toMatch(/^2\s?m/);
  // Not "60 min ago", and not "1 h ago" for what is nearly two.
  expect(relativeTime(now - 59.6 * 60_000, now)).toMatch(/^1\s?h/);
  expect(relativeTime(now - 119 * 60_000, now)).toMatch(/^2\s?h/);
  expect(relativeTime(now - 23.7 * 3_600_000, now)).toMatch(/yesterday/);
  expect(relativeTime(now - 400 * 24 * 3_600_000, now)).toContain('2025');
});

it('[UI-17] says how long ago in words of the language', () => {
  const now = Date.UTC(2026, 10, 18);
  setLanguage({ locale: 'de', direction: 'ltr', ...GERMAN });
  expect(relativeTime(now - 60_000, now)).toBe('vor 1 Min.');
  setLanguage(ENGLISH);
  expect(relativeTime(now - 60_000, now)).toBe('1m ago');
});

describe('[UI-2] a long input', () => {
  it('is long by its characters or by its lines', () => {
    expect(isLong('x'.repeat(1_200))).toBe(false);
    expect(isLong('x'.repeat(1_201))).toBe(true);
    expect(isLong('a\n'.repeat(14))).toBe(true);
  });

  it('is cut between characters', () => {
    const cut = startOfText(`${'x'.repeat(1_199)}🎉${'y'.repeat(50)}`);
    expect(cut).toBe('x'.repeat(1_199));
  });

  it('is known to be folded before it is drawn', () => {
    expect(hidesPart({ command: 'ls' })).toBe(false);
    expect(hidesPart({ command: 'x'.repeat(5_000) })).toBe(true);
    expect(hidesPart(Array.from({ length: 50 }, () => 1))).toBe(true);
  });

  it('is pairs where it is an object, and JSON otherwise', () => {
    expect(inputPairs({ a: 'x', b: [1] })).toEqual([
      { name: 'a', text: 'x' },
      { name: 'b', text: '[\n  1\n]' },
    ]);
    expect(inputPairs({})).toBeUndefined();
    expect(inputPairs([1])).toBeUndefined();
    expect(inputPairs(null)).toBeUndefined();
  });
});

describe('a tool call in one line', () => {
  it('shows its subject with invisible characters escaped', () => {
    expect(toolSubject({ content: 'x', path: 'notes/a\u202Eb.md' })).toBe(
      String.raw`notes/a\u202Eb.md`,
    );
    expect(toolSubject({ command: 'echo 1\necho 2' })).toBe('echo 1…');
    expect(toolSubject({ command: 'x'.repeat(500) })).toBe(`${'x'.repeat(140)}…`);
    expect(toolSubject({ depth: 1 })).toBe('');
    expect(toolSubject('')).toBe('');
  });

  const BUILT_IN = { isBuiltIn: true, hasApproval: undefined };
  const block = (status: string, over: object = {}) =>
    ({ call: { status, ...over }, steps: [] }) as unknown as ToolBlock;

  it.each([
    ['Waiting for you', block('pending')],
    ['Running', block('running')],
    ['Done', block('complete', { result: {} })],
    ['Failed', block('error', { result: {} })],
    ['Ended without a result', block('error')],
    ['Denied', { ...block('error'), steps: [{ outcome: 'denied' }] }],
    ['Expired', { ...block('error'), steps: [{ outcome: 'expired' }] }],
    ['Not allowed', { ...block('error'), decided: { behavior: 'deny', by: { mode: 'plan' } } }],
  ])('[TL-11] shows %s', (words, of) => {
    expect(statusWords(of as ToolBlock, BUILT_IN)).toBe(words);
  });

  const step = (credential: string) => ({ outcome: 'approved', openedBy: { credential } });
  const approved = (isPlaceholder: boolean, credential = 'key_1') => ({
    ...block('running'),
    isPlaceholder,
    steps: [step(credential)],
  });
  const byRule = { behavior: 'allow', by: { rule: 'r1' } } as const;

  it.each([
    ['Approved', approved(true), undefined],
    ['Approved, waiting to be picked up', approved(true), false],
    ['Approved, waiting to be picked up', approved(false), false],
    ['Handed to the agent', approved(true), true],
    ['Running', approved(false), true],
    ['Running', approved(false, 'built-in agent'), undefined],
    ['Handed to the agent', { ...block('running'), decided: byRule }, undefined],
    ['Ended without a result', { ...block('error'), steps: [step('key_1')] }, true],
  ])('[INT-16] shows %s for an external agent', (words, of, hasApproval) => {
    expect(statusWords(of as unknown as ToolBlock, { isBuiltIn: false, hasApproval })).toBe(words);
  });

  it('[INT-16] does not read a record where reading would count as delivery', () => {
    const open = { ...approved(true), steps: [{ ...step('key_1'), interactionId: 'a~1' }] };
    const of = open as unknown as ToolBlock;
    expect(undeliveredApproval(of, { credential: 'c', scopes: ['read'] })).toBe('a~1');
    expect(undeliveredApproval(of, { credential: 'c', scopes: ['read', 'agent'] })).toBeUndefined();
    expect(undeliveredApproval(of, { credential: 'key_1', scopes: ['admin'] })).toBeUndefined();
  });

  it('[APR-3] names the rule or mode that allowed it, and the rule’s creator', () => {
    const rule = { createdBy: 'mia', pattern: 'Read: any input' };
    const own = 'Allowed by rule Read: any input, made by you';
    expect(decidedWords(byRule, rule, 'mia')).toBe(own);
    expect(decidedWords(byRule, rule, 'ada')).toBe('Allowed by rule Read: any input, made by mia');
    const cited = (scope: 'session' | 'workspace') =>
      decidedWords({ behavior: 'deny', by: { rule: 'r1', scope, ...rule } }, undefined, 'ada');
    expect(cited('workspace')).toBe('Denied by rule Read: any input of the workspace, made by mia');
    expect(cited('session')).toBe('Denied by rule Read: any input, made by mia, revoked since');
    // A key may make a rule of its session, and call itself as it likes.
    setNames({ mia: 'Mia Kay' });
    expect(cited('workspace')).toContain('made by Mia Kay');
    expect(cited('session')).toContain('made by mia');
    setNames({});
    expect(decidedWords(byRule, undefined, 'mia')).toBe('Allowed by a rule that was revoked since');
    expect(
      decidedWords({ behavior: 'allow', by: { mode: 'acceptEdits' } }, undefined, 'mia'),
    ).toContain('Allowed by the mode');
    const tools = [{ ...block('complete'), decided: byRule }, block('complete'), block('error')];
    expect(groupWords(tools as ToolBlock[], BUILT_IN)).toBe(
      '3 tool calls, 1 allowed by a rule, 1 failed',
    );
  });

  it.each([
    'Bash',
    'bash',
    'mcp__host__run_command',
    'executeShell',
    'PowerShell',
    'Terminal',
    'local-exec',
    'run',
  ])('[APR-3] treats %s as a shell', (toolName) => {
    expect(isShell(toolName)).toBe(true);
  });

  it.each([
    'run_tests',
    'Read',
    'Edit',
    'Refresh',
    'Publish',
    'Describe',
    'Executive',
    'ExitPlanMode',
  ])('does not treat %s as a shell', (toolName) => {
    expect(isShell(toolName)).toBe(false);
  });

  it('finds text in a result that is text', () => {
    expect(resultText('plain')).toBe('plain');
    expect(
      resultText([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    ).toBe('a\nb');
    expect(resultText([{ type: 'image' }])).toBeUndefined();
    expect(resultText([])).toBeUndefined();
    expect(resultText({ a: 1 })).toBeUndefined();
  });
});

describe('[UI-8] the connection', () => {
  it('shows no banner while it is well', () => {
    for (const type of ['connecting', 'replaying', 'live'] as const)
      expect(bannerOf({ type }, 0)).toBeUndefined();
    expect(bannerOf({ type: 'paused', reason: 'hidden' }, 0)).toBeUndefined();
    expect(bannerOf({ type: 'closed' }, 0)).toBeUndefined();
  });

  it('shows the next try, and offers to retry now', () => {
    const banner = bannerOf({ type: 'waiting', retryAt: 12_500, attempt: 2 }, 10_000);
    expect(banner).toMatchObject({ tone: 'amber', canRetry: true });
    expect(banner?.text).toContain('in 3 s');
    expect(bannerOf({ type: 'waiting', retryAt: 1, attempt: 2 }, 10_000)?.text).toContain('again…');
    expect(bannerOf({ type: 'paused', reason: 'offline' }, 0)?.canRetry).toBe(false);
  });

  it('allows answers only while it is up', () => {
    expect(hasConnection({ type: 'live' })).toBe(true);
    expect(hasConnection({ type: 'waiting', retryAt: 0, attempt: 1 })).toBe(false);
  });
});

it('describes a failure for a person', () => {
  const error = (code: 'unreachable' | 'not_found') =>
    new ClientError({ code, message: 'There is no such session', retry: 'never' });
  expect(failureText(error('unreachable'))).toContain('cannot be reached');
  expect(failureText(error('not_found'))).toBe('There is no such session');
  expect(failureText(new TypeError('x is not a function'))).not.toContain('function');
});

it('[UI-8] keeps a draft for each session, and forgets an empty one', () => {
  const store = memoryStore();
  saveMessageDraft(store, 'a', 'half a thought');
  saveMessageDraft(store, 'b', 'another');
  saveMessageDraft(store, 'b', '  ');
  expect(loadMessageDraft(store, 'a')).toBe('half a thought');
  expect(loadMessageDraft(store, 'b')).toBe('');
  saveMessageDraft(store, 'a', 'x'.repeat(40_000));
  expect(loadMessageDraft(store, 'a')).toHaveLength(32_768);
});

it('[RUN-9] offers scenarios with the demo model, tasks with a real model, and nothing without an agent', () => {
  expect(startersFor('demo').map(({ text }) => text)).toEqual([
    'questions',
    'write',
    'edit',
    'deny',
    'plan',
    'parallel',
    'fail',
    'long',
  ]);
  expect(startersFor('claude-sonnet-5-5').length).toBeGreaterThan(2);
  expect(startersFor('none')).toEqual([]);
});

it.each([
  [{ change: 'reminder' }, 'Reminded'],
  [{ change: 'escalated', escalatedTo: { groups: ['leads'] } }, 'Escalated to group leads'],
  [{ change: 'escalated' }, 'Escalated'],
])('[ROUTE-8] says in words what became of %j', (payload, words) => {
  const event = { seq: 5, type: 'interaction_update', payload };
  expect(noticeText({ type: 'notice', id: 'event-5', event } as unknown as NoticeBlock)).toBe(
    words,
  );
});
