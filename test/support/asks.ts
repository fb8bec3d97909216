/** The smallest valid opening of each kind, and its answers; a test changes only the fields that it tests. */
import type { CommandOf } from '../../src/protocol/schema/command.ts';
import type { OpenCommon } from '../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../src/protocol/json.ts';

type Open = CommandOf<'interaction.open'>;
type Answer = CommandOf<'interaction.answer'>;
type Common = Partial<OpenCommon>;

export const COMMAND = { command: 'rm -rf build' };

function ask(kind: string, toolName: string, request: JsonObject, common: Common): Open {
  return {
    type: 'interaction.open',
    common: { toolCallId: 'call-1', toolName, kind, ...common },
    request,
  };
}

export function askApproval(common: Common = {}, request: JsonObject = {}): Open {
  return ask('approval', 'Bash', { input: COMMAND, ...request }, common);
}

export function choice(question: string, labels: readonly string[], multiSelect = false) {
  const options = labels.map((label) => ({ label }));
  return { header: 'Pick', question, options, multiSelect };
}

export const COLOR = choice('Which color?', ['Red', 'Green', 'Blue']);
export const SIZES = choice('Which sizes?', ['S', 'M', 'L'], true);

export function askQuestion(common: Common = {}, questions: readonly JsonObject[] = [COLOR]): Open {
  return ask('question', 'AskUserQuestion', { questions: [...questions] }, common);
}

export const SIGN_IN = { url: 'https://id.example.com/device?code=AB-12', message: 'Sign in' };

export function askLink(common: Common = {}, more: JsonObject = {}): Open {
  return ask('link', 'mcp__drive', { ...SIGN_IN, ...more }, common);
}

export function askPlan(common: Common = {}, plan = '1. Look\n2. Leap'): Open {
  return ask('plan_review', 'ExitPlanMode', { plan }, common);
}

export const PORT: JsonObject = {
  type: 'object',
  properties: { host: { type: 'string' }, port: { type: 'integer', minimum: 1, maximum: 65_535 } },
  required: ['host'],
};

export const NOTE: JsonObject = {
  type: 'object',
  properties: { note: { type: 'string', maxLength: 40 } },
  required: ['note'],
};

export function askForm(common: Common = {}, schema: JsonObject = PORT): Open {
  return ask('form', 'collect', { schema }, common);
}

export function answer(interactionId: string, given: JsonObject): Answer {
  return { type: 'interaction.answer', target: { interactionId }, answer: given };
}

export function answerCall(
  toolCallId: string,
  given: JsonObject,
  only: { kinds?: readonly string[]; missing?: string } = {},
): Answer {
  return { type: 'interaction.answer', target: { toolCallId, ...only }, answer: given };
}

export function sendMessage(text: string, replyTo?: string): CommandOf<'message.send'> {
  return { type: 'message.send', text, ...(replyTo !== undefined && { replyTo }) };
}

export function append(
  ...events: CommandOf<'events.append'>['events']
): CommandOf<'events.append'> {
  return { type: 'events.append', events };
}
