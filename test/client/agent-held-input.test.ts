/**
 * An agent that asks about an input which is too large for its record. A bug here looks like a write that is denied for
 * ever, a tool that runs a shortened input, or one that runs another input than the person approved.
 */
import { describe, expect, it } from 'vitest';
import { approvalOutcome } from '../../src/client/agent/outcomes.ts';
import { withOwnDigest, type AskResult } from '../../src/client/agent/ask-until-settled.ts';
import { createCanUseTool } from '../../src/integrations/claude/can-use-tool.ts';
import { pair, type Pair, SESSION } from '../support/agent.ts';

const around = 'line\n'.repeat(30_000);
const call = (middle = 'middle') => ({
  toolName: 'Write',
  input: { file_path: 'a.txt', content: around + middle + around },
  allowEdit: true,
});
const APPROVE = { decision: 'approve', read: 'whole' };

async function answered(world: Pair, answer = APPROVE) {
  const { interactionId } = await world.onlyOpen();
  await world.person.answer(SESSION, interactionId, answer);
  return interactionId;
}

describe('[INT-17] an agent with a large input', () => {
  it('gets its own whole input back once a person approved it', async () => {
    const world = pair();
    const asked = world.agent.approve(call(), { toolCallId: 'call-1' });
    await answered(world);
    const outcome = await asked;
    expect(outcome).toMatchObject({ outcome: 'approved', isEdited: false });
    expect(outcome).toHaveProperty('updatedInput', call().input);
    expect(outcome).not.toHaveProperty('changes');
  });

  it('gets a denial with its reason', async () => {
    const world = pair();
    const asked = world.agent.approve(call());
    await answered(world, { decision: 'deny', reason: 'too long' } as never);
    expect(await asked).toMatchObject({ outcome: 'denied', reason: 'too long' });
  });

  it('gets its input from the mode, without a person', async () => {
    const world = pair();
    await world.host
      .transport()
      .createSession({ id: SESSION, permissionMode: 'bypassPermissions' });
    const outcome = await world.agent.approve(call());
    expect(outcome).toMatchObject({ outcome: 'approved', by: { mode: 'bypassPermissions' } });
    expect(outcome).toHaveProperty('updatedInput', call().input);
  });

  it('runs nothing if the approval is of another middle', async () => {
    const world = pair();
    const request = { kind: 'approval', ...call() } as const;
    await world.agent.open(request, { toolCallId: 'call-1' });
    const interactionId = await answered(world);
    const other = { kind: 'approval', ...call('other') } as const;
    const same = await world.agent.outcome(interactionId, request);
    expect(same).toMatchObject({ outcome: { outcome: 'approved' } });
    await expect(world.agent.outcome(interactionId, other)).rejects.toMatchObject({
      code: 'input_changed',
    });
  });

  it('runs nothing if the digest was not compared, or a reply lost it', async () => {
    const world = pair();
    await world.agent.open({ kind: 'approval', ...call() }, { toolCallId: 'call-1' });
    const interactionId = await answered(world);
    const interaction = await world.agentTransport.interaction(SESSION, interactionId);
    const ended: AskResult = { type: 'interaction', interaction };
    expect(() => approvalOutcome(call(), ended)).toThrow(/not the requested one/);
    const compared = await withOwnDigest(call().input, ended);
    expect(approvalOutcome(call(), compared)).toMatchObject({ outcome: 'approved' });
    const { wholeInput: _, ...lost } = interaction;
    expect(() => approvalOutcome(call(), { ...compared, interaction: lost } as AskResult)).toThrow(
      /not the requested one/,
    );
    const foreign = { ...interaction, toolName: 'Bash' };
    expect(() =>
      approvalOutcome(call(), { ...compared, interaction: foreign } as AskResult),
    ).toThrow(/not the requested one/);
  });

  it('is allowed through `canUseTool` with the whole input, and denied over 8 MiB', async () => {
    const world = pair();
    const denied: unknown[] = [];
    const canUseTool = createCanUseTool({
      client: world.agent,
      onDenied: (_tool, cause) => denied.push(cause),
    });
    const signal = new AbortController().signal;
    const asked = canUseTool('Write', call().input, { signal, toolUseID: 'toolu_1' });
    await answered(world);
    expect(await asked).toMatchObject({ behavior: 'allow', updatedInput: call().input });
    const over = { content: 'x'.repeat(9 * 1_024 * 1_024) };
    const refused = await canUseTool('Write', over, { signal, toolUseID: 'toolu_2' });
    expect(refused).toMatchObject({ behavior: 'deny' });
    expect(denied).toMatchObject([{ code: 'too_large' }]);
  });

  it('[INT-18] gets an odd input back as it was, with reserved names and large numbers', async () => {
    const world = pair();
    const input = JSON.parse('{"constructor":{"a":1},"__proto__":{"b":2},"n":1152921504606846976}');
    const asked = world.agent.approve({ toolName: 'Run', input });
    const { request } = await world.onlyOpen();
    expect(JSON.stringify(request)).toContain('1152921504606847000');
    await answered(world, { decision: 'approve' } as never);
    const outcome = await asked;
    expect(outcome.outcome).toBe('approved');
    const { updatedInput } = outcome as { updatedInput: object };
    expect(JSON.stringify(updatedInput)).toBe(JSON.stringify(input));
    expect(({} as { b?: number }).b).toBeUndefined();
  });
});
