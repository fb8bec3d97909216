/**
 * Several people decide on what a tool of MCP asks. A bug here looks like a plan that one person approves although two were
 * wanted, or like a model that is told to wait and not for how many.
 */
import { describe, expect, it } from 'vitest';
import { decidingOf } from '../../../src/integrations/mcp/deciding-input.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { ask } from '../../support/http/call.ts';
import { keyWith } from '../../support/http/credentials.ts';
import { startLocalApp } from '../../support/http/local-app.ts';
import { callTool, stateOf, textOf } from '../../support/mcp-wire.ts';
import { openIn, waitForOpen } from './questions.ts';

const server = startLocalApp({ mcp: { roundMs: 100 } });
const token = await keyWith('agent');

async function personToken(subject: string): Promise<string> {
  const json = { subject, scopes: ['read', 'answer'] };
  return (await ask(server, { method: 'POST', path: '/v1/tokens', json }))['token'] as string;
}

const call = (tool: string, args: JsonObject) =>
  callTool(server, { era: 'legacy', token, tool, args });

describe('[MCP-1, VOTE-1] a tool call that several people decide on', () => {
  it('asks for a plan as often as is wanted, and says how many approved', async () => {
    const args = { session: 'several', plan: '1. Drop it', approvals: 2, groups: ['ops'] };
    const first = stateOf(await call('ask_human', { ...args, not_requester: true }));
    expect(first).toMatchObject({
      status: 'waiting',
      message: expect.stringContaining('0 of 2 approvals; more people must approve.') as string,
    });
    const open = await waitForOpen(server, 'several');
    expect(open).toMatchObject({
      quorum: { approvals: 2 },
      audience: { groups: ['ops'] },
      notRequester: true,
    });
  });

  it('says the same of a tool that may run, and runs nothing before', async () => {
    const args = { tool_name: 'Bash', input: { command: 'make release' }, approvals: 2 };
    const asked = { ...args, tool_use_id: 'toolu_several' };
    const read = async () =>
      JSON.parse(textOf(await call('approve', asked))) as { behavior: string; message: string };
    const first = await read();
    expect(first).toMatchObject({ behavior: 'deny' });
    expect(first.message).toContain(
      '0 of 2 approvals; more people must approve, so this was not run',
    );
    const session = /\(([^/]+)\//.exec(first.message)?.[1] ?? '';
    const [open] = await openIn(server, session);
    const path = `/v1/sessions/${session}/interactions/${open?.interactionId}/answer`;
    const approve = async (subject: string) =>
      ask(server, {
        method: 'POST',
        path,
        token: await personToken(subject),
        json: { decision: 'approve' },
      });
    await approve('ann');
    const second = await read();
    expect(second.behavior).toBe('deny');
    expect(second.message).toContain('1 of 2 approvals: ann; more people must approve');
    await approve('bob');
    expect(await read()).toMatchObject({ behavior: 'allow' });
  });

  it('refuses approvals for a question, which has one answer', async () => {
    const reply = await call('ask_human', { session: 'several', question: 'Which?', approvals: 2 });
    expect(reply.isError).toBe(true);
    expect(textOf(reply)).toContain('approvals belong to a plan');
  });

  it('lets a model ask for more people than its host wants, and never for fewer', () => {
    const host = { approvals: 2, audience: { groups: ['ops'] }, notRequester: true };
    expect(decidingOf({ approvals: 1, not_requester: false }, host)).toEqual({
      approvals: 2,
      audience: { groups: ['ops'] },
      notRequester: true,
    });
    expect(decidingOf({ approvals: 3, people: ['ann'] }, host)).toMatchObject({
      approvals: 3,
      audience: { subjects: ['ann'] },
    });
    expect(decidingOf({}).approvals).toBeUndefined();
  });
});
