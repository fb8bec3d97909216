/** Answer links: what they may be used for, as whom they count, and that only this deployment makes them. */
import { describe, expect, it } from 'vitest';
import {
  type AnswerLink,
  callerOfLink,
  chooseLinkAnswers,
  isOwnLink,
  rejectUnprovenLink,
  rejectLinkAnswer,
} from '../../src/core/answer-links/answer-link.ts';
import {
  answerLinkKey,
  readLinkToken,
  writeLinkToken,
} from '../../src/core/answer-links/link-token.ts';
import { rejectSelfApproval } from '../../src/core/authority.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LinkAnswer } from '../../src/protocol/schema/answer-link.ts';
import type { Interaction } from '../../src/protocol/schema/interaction.ts';

const LINK: AnswerLink = {
  workspace: 'main',
  sessionId: 'demo',
  interactionId: 'call_1~1',
  inputDigest: 'd'.repeat(64),
  subject: 'Mia Müller',
  answers: ['approve', 'deny'],
  expiresAt: 1_800_000_000_000,
  credential: 'tok_1',
  key: 'key_1',
  root: 'tok_1',
  chain: ['tok_1', 'key_1'],
};
const KEY = answerLinkKey('a secret of the deployment, long enough');

describe('the answers of a link', () => {
  it('[LINK-1] are all but a rule unless its maker names them', () => {
    const chosen = (kind: string, wanted?: readonly LinkAnswer[]) => {
      const answers = chooseLinkAnswers({ kind }, wanted);
      return answers.ok ? answers.value : answers.code;
    };
    expect(chosen('approval')).toEqual(['approve', 'deny']);
    expect(chosen('approval', ['allow_for_session'])).toEqual(['allow_for_session']);
    expect(chosen('question')).toEqual(['answer', 'decline']);
    expect(chosen('plan_review')).toEqual(['edit', 'clean_edit', 'default', 'adjust']);
    expect(chosen('form', ['decline', 'decline'])).toEqual(['decline']);
    expect(chosen('form', ['approve'])).toBe('invalid_request');
    expect(chosen('pick_a_color')).toBe('wrong_kind');
  });

  it.each<[string, JsonObject, LinkAnswer | undefined]>([
    ['approval', { decision: 'approve' }, 'approve'],
    ['approval', { decision: 'approve', offer: 'once' }, 'approve'],
    ['approval', { decision: 'deny', reason: 'no' }, 'deny'],
    [
      'approval',
      { decision: 'approve', offer: 'session', everyCommand: true },
      'allow_for_session',
    ],
    ['approval', { decision: 'approve', offer: 'session', exact: true }, 'allow_for_session'],
    ['approval', { decision: 'approve', exact: true }, 'allow_for_session'],
    ['approval', { decision: 'approve', updatedInput: { command: 'ls' } }, undefined],
    ['approval', { decision: 'deny', offer: 'session' }, undefined],
    ['approval', { decision: 'allow_for_session' }, 'allow_for_session'],
    ['approval', {}, undefined],
    ['approval', { decision: ['approve'] }, undefined],
    ['question', { answers: { '0': 'Red' } }, 'answer'],
    ['question', { question: 0, option: 1 }, 'answer'],
    ['question', { decline: true }, 'decline'],
    ['plan_review', { decision: 'edit' }, 'edit'],
    ['plan_review', { decision: 'adjust', feedback: 'x' }, 'adjust'],
    ['plan_review', { decision: 'approve' }, undefined],
    ['form', { values: {} }, 'submit'],
    ['form', { decline: true }, 'decline'],
    ['pick_a_color', { color: 'red' }, undefined],
    ['approval', { choice: 'once' }, 'approve'],
    ['approval', { choice: 'always' }, 'allow_for_session'],
    ['approval', { choice: 'never' }, 'deny'],
    ['approval', { choice: 'unknown' }, undefined],
    // What a sender believes of a choice opens nothing.
    ['approval', { choice: 'always', decision: 'approve' }, 'allow_for_session'],
    ['approval', { choice: 'once', updatedInput: {} }, undefined],
    ['approval', { decision: 'deny', stop: true }, 'deny'],
  ])('[LINK-1] %s: %j needs %s', (kind, answer, needed) => {
    const all = LinkAnswer.options;
    const choices = [
      { id: 'once', label: 'Once', decision: 'approve' },
      { id: 'always', label: 'Always', decision: 'approve', remember: 'exact' },
      { id: 'never', label: 'Never', decision: 'deny' },
    ];
    const allowed = (answers: readonly LinkAnswer[]) =>
      rejectLinkAnswer({ answers }, { kind, request: { choices } }, answer) === undefined;
    expect(allowed(all)).toBe(needed !== undefined);
    expect(allowed(all.filter((name) => name !== needed))).toBe(false);
    if (needed !== undefined) expect(allowed([needed])).toBe(true);
  });
});

describe('the caller of a link', () => {
  const asked = (openedBy: Interaction['openedBy']) => ({ openedBy }) as Interaction;
  const isRefused = (link: AnswerLink, openedBy: Interaction['openedBy']) =>
    rejectSelfApproval({ caller: callerOfLink(link) }, asked(openedBy)) !== undefined;

  it('[LINK-1, AUTH-8] is one party with its maker, whatever its subject', () => {
    expect(callerOfLink(LINK)).toMatchObject({ subject: 'Mia Müller', via: 'link' });
    expect(isRefused(LINK, { credential: 'key_agent', subject: 'agent' })).toBe(false);
    expect(isRefused(LINK, { credential: 'tok_1', subject: 'agent' })).toBe(true);
    expect(isRefused(LINK, { credential: 'tok_2', subject: 'agent', root: 'tok_1' })).toBe(true);
    const { root: _root, ...ofKey } = { ...LINK, credential: 'key_1' };
    expect(isRefused(ofKey, { credential: 'tok_2', subject: 'agent', root: 'key_1' })).toBe(true);
  });

  it('[LINK-1, AUTH-10] answers a request for named people only where its maker vouches for its subject', () => {
    const audience = { subjects: ['ana'] };
    const isRefusedFor = (over: object, link: Partial<AnswerLink>) =>
      rejectUnprovenLink({ ...LINK, ...link }, over) !== undefined;
    const ofKey = { credential: 'key_1', root: 'key_1' };
    const ofPerson = { credential: 'tok_1', root: 'tok_1' };
    expect(isRefusedFor({ audience }, ofKey)).toBe(true);
    expect(isRefusedFor({ audience }, { ...ofKey, isOwn: true })).toBe(true);
    expect(isRefusedFor({ audience }, ofPerson)).toBe(true);
    expect(isRefusedFor({ audience }, { ...ofPerson, isOwn: true })).toBe(false);
    expect(isRefusedFor({ audience }, { ...ofKey, isAdmin: true })).toBe(false);
    expect(isRefusedFor({}, ofKey)).toBe(false);
  });

  it('[LINK-1, AUTH-10] is of the very person only in the own name and with proof', () => {
    const maker = { credential: 'tok_1', root: 'tok_1', subject: 'ana', via: 'web' } as const;
    const scopes = ['answer'] as const;
    expect(isOwnLink({ ...maker, scopes }, 'ana')).toBe(true);
    expect(isOwnLink({ ...maker, scopes }, 'bo')).toBe(false);
    expect(isOwnLink({ ...maker, scopes, root: 'key_1' }, 'ana')).toBe(false);
    expect(
      isOwnLink({ ...maker, scopes, credential: 'key_1', root: 'key_1', via: 'api' }, 'ana'),
    ).toBe(false);
  });

  it('[LINK-1] has the scope `answer` alone, and an administrator keeps its exemption', () => {
    expect(callerOfLink(LINK).scopes).toEqual(['answer']);
    const byAdmin: AnswerLink = { ...LINK, credential: 'admin', isAdmin: true };
    expect(isRefused(byAdmin, { credential: 'admin', subject: 'admin' })).toBe(false);
  });
});

describe('the token of a link', () => {
  it('[LINK-1] is read as it was written', () => {
    expect(readLinkToken(KEY, writeLinkToken(KEY, LINK))).toEqual(LINK);
    const { key: _key, root: _root, ...least } = LINK;
    expect(readLinkToken(KEY, writeLinkToken(KEY, least))).toEqual(least);
    const most: AnswerLink = { ...LINK, isAdmin: true, target: 'tgt_1' };
    expect(readLinkToken(KEY, writeLinkToken(KEY, most))).toEqual(most);
  });

  it('[LINK-1] is refused with any one character altered, removed or added', () => {
    const token = writeLinkToken(KEY, LINK);
    const accepted: string[] = [];
    const attempt = (text: string) => {
      if (text !== token && readLinkToken(KEY, text) !== undefined) accepted.push(text);
    };
    for (let at = 0; at < token.length; at += 1) {
      for (const other of ['A', 'b', '_', '.', '=', ' ']) {
        attempt(token.slice(0, at) + other + token.slice(at + 1));
        attempt(token.slice(0, at) + other + token.slice(at));
      }
      attempt(token.slice(0, at) + token.slice(at + 1));
      attempt(token.slice(0, at));
    }
    expect(accepted).toEqual([]);
  });

  it.each<[string, Partial<AnswerLink>]>([
    ['workspace', { workspace: 'other' }],
    ['session', { sessionId: 'another' }],
    ['interaction', { interactionId: 'call_2~1' }],
    ['digest', { inputDigest: 'e'.repeat(64) }],
    ['subject', { subject: 'ceo' }],
    ['answers', { answers: ['allow_for_session'] }],
    ['time', { expiresAt: 1_900_000_000_000 }],
    ['maker', { credential: 'tok_2', chain: [] }],
    ['right', { isAdmin: true }],
  ])('[LINK-1] does not carry another %s under its signature', (_what, change) => {
    const [, signature] = writeLinkToken(KEY, LINK).split('.');
    const [payload] = writeLinkToken(KEY, { ...LINK, ...change }).split('.');
    expect(readLinkToken(KEY, `${payload}.${signature}`)).toBeUndefined();
  });

  it('[LINK-1] of another deployment, or signed for another purpose, is none', () => {
    const other = answerLinkKey('another secret of a deployment, long enough');
    expect(readLinkToken(KEY, writeLinkToken(other, LINK))).toBeUndefined();
    const plain = new TextEncoder().encode('a secret of the deployment, long enough');
    expect(readLinkToken(KEY, writeLinkToken(plain, LINK))).toBeUndefined();
  });
});
