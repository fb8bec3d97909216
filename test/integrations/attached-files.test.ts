/**
 * [ATT-5] The files of an answer, as each convention gives them to its agent. A bug here looks like a person who attaches a
 * picture and an agent that never learns of it.
 */
import { expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import type { Holdpoint } from '../../src/client/agent/holdpoint.ts';
import { claude } from '../../src/integrations/claude/index.ts';
import { askHuman } from '../../src/integrations/ask-human.ts';
import { questionOf } from '../../src/integrations/hooks/hook-question.ts';
import { readHook } from '../../src/integrations/hooks/read-hook.ts';
import { settledResult } from '../../src/integrations/mcp/question-result.ts';
import type { JsonObject } from '../../src/protocol/types.ts';
import { pair, SESSION } from '../support/agent.ts';
import { pngBytes } from '../support/sample-files.ts';

const CALL = { toolName: 'Bash', input: { command: 'make' } };
const BYTES = pngBytes(8, 6);
const NAMED = 'screen.png (image/png, 33 B): GET /v1/sessions/';

async function answered(
  start: (both: ReturnType<typeof pair>) => Promise<unknown>,
  answer: JsonObject,
) {
  const both = pair();
  const result = start(both);
  const { interactionId } = await both.onlyOpen();
  const picture = { name: 'screen.png', bytes: BYTES };
  const file = await both.person.attach(SESSION, picture);
  const attachments = [file.attachmentId];
  await both.person.answer(SESSION, interactionId, { ...answer, attachments });
  const { interaction } = { interaction: await both.person.interaction(SESSION, interactionId) };
  return { result: await result, file, interaction, ...both };
}

const bridgeOf = (agent: Holdpoint) => claude(agent, { hooks: {} });

it.each([
  ['an approval', { decision: 'approve' }, 'approved'],
  ['a denial', { decision: 'deny' }, 'denied'],
])('the client has those of %s, and reads their bytes', async (_, answer, outcome) => {
  const { result, file, agent } = await answered(({ agent: one }) => one.approve(CALL), answer);
  expect(result).toMatchObject({ outcome, attachments: [file] });
  const read = await agent.attachedFile(file.attachmentId);
  expect(Buffer.from(read).equals(Buffer.from(BYTES))).toBe(true);
  await expect(agent.attachedFile(`att_${'0'.repeat(32)}`)).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('a model reads their names in the message of answers and of a denial', async () => {
  const questions = [
    { question: 'Which?', header: 'A', options: [{ label: 'X' }, { label: 'Y' }] },
  ];
  const answer = { answers: { '0': 'X' } };
  const asked = await answered(({ agent }) => agent.ask(questions), answer);
  expect(asked.result).toMatchObject({ message: expect.stringContaining(NAMED) });
  const denied = await answered(({ agent }) => agent.approve(CALL), { decision: 'deny' });
  expect(denied.result).toMatchObject({ message: expect.stringContaining(NAMED) });
  const tool = await answered(({ agent }) => askHuman(agent, { questions }, {}), answer);
  expect(tool.result).toContain(NAMED);
});

it('Claude reads them in an answer, and after a tool that was allowed', async () => {
  const question = {
    questions: [
      {
        question: 'Which?',
        header: 'A',
        options: [
          { label: 'X', description: '' },
          { label: 'Y', description: '' },
        ],
      },
    ],
  };
  const asked = await answered(
    ({ agent }) => claude(agent).canUseTool('AskUserQuestion', question, { toolUseID: 'toolu_1' }),
    { answers: { '0': 'X' } },
  );
  expect(asked.result).toMatchObject({
    updatedInput: { answers: { 'Which?': expect.stringMatching(/^\["X"\]\n\nAttached files/) } },
  });
  let hooks: ReturnType<typeof bridgeOf>['hooks'] | undefined;
  await answered(
    ({ agent }) => {
      const bridge = bridgeOf(agent);
      ({ hooks } = bridge);
      const how = { toolUseID: 'toolu_1', signal: new AbortController().signal };
      return bridge.canUseTool('Bash', CALL.input, how);
    },
    { decision: 'approve' },
  );
  const after = await hooks?.PostToolUse?.[0]?.hooks[0]?.(
    { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: {}, tool_use_id: 'toolu_1' },
    'toolu_1',
    { signal: new AbortController().signal },
  );
  expect(after?.hookSpecificOutput).toMatchObject({
    additionalContext: expect.stringContaining(NAMED),
  });
});

it('a hook says them beside what it allows, and in what it denies', async () => {
  const reading = readHook(
    {
      session_id: 'one',
      prompt_id: 'prompt-1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: CALL.input,
      tool_use_id: 'toolu_1',
    },
    'claude-code',
  );
  if (!reading.ok) throw new Error(reading.message);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const question = await questionOf(reading.hook, hash);
  if (question === undefined || 'denied' in question) throw new Error('Nothing is asked');
  for (const [answer, field] of [
    [{ decision: 'approve' }, 'additionalContext'],
    [{ decision: 'deny' }, 'permissionDecisionReason'],
  ] as const) {
    const { interaction } = await answered(
      ({ agent }) => agent.approve({ ...CALL, allowEdit: true, offers: ['once', 'session'] }),
      answer,
    );
    const output = question.output({ type: 'interaction', interaction });
    expect(output.hookSpecificOutput).toMatchObject({ [field]: expect.stringContaining(NAMED) });
  }
});

it('a tool of MCP returns them as data', async () => {
  const { interaction, file } = await answered(
    ({ agent }) => agent.form({ schema: { type: 'object', properties: {} } }),
    { values: {} },
  );
  const { structuredContent } = settledResult(SESSION, interaction);
  expect(structuredContent).toMatchObject({
    attached_files: [
      { name: 'screen.png', media_type: 'image/png', bytes: BYTES.byteLength, path: file.path },
    ],
  });
});
