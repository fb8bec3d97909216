/** Generates the commands of clients from their view of a session and from chance. */
import type { AppendedEvent } from '../../src/protocol/schema/event.ts';
import type { OpenCommon } from '../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import {
  answer,
  answerCall,
  append,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
} from '../support/asks.ts';
import { choice, NOTE, PORT, sendMessage, SIZES } from '../support/asks.ts';
import { admin, agent, person, sender } from '../support/callers.ts';
import type { Random } from '../support/random.ts';
import type { InteractionModel } from './interaction-model.ts';
import { firstMark } from './marks.ts';
import type { GeneratedCommand } from './operation.ts';
import type { SessionModel } from './session-model.ts';

type Common = Partial<OpenCommon>;

export interface Sight {
  readonly model: SessionModel;
  readonly mark: string;
  readonly random: Random;
  /** Part of the id of a new tool call. */
  readonly id: string;
}

const KINDS = ['approval', 'question', 'plan_review', 'form'] as const;

export function generateAsk({ model, mark, random, id }: Sight): GeneratedCommand {
  const isNew = random.chance(0.5);
  const toolCallId = isNew ? `call-${id}` : `call-${random.int(1, 5)}`;
  const latest = model.latest.get(toolCallId);
  const caller = latest?.asked.openedBy.subject === 'stranger' ? agent('stranger') : agent();
  const kind = random.pick(KINDS);
  const common: Common = { toolCallId, ...commonOf(random), ...onExpire(kind, mark, random) };
  return { caller, command: requestOf(kind, common, mark, random) };
}

function commonOf(random: Random): Common {
  return withoutLateMarks({
    ...(random.chance(0.8) && { timeoutSeconds: random.pick([1, 5, 30, 60, 600, 3_600, null]) }),
    ...(random.chance(0.1) && { remindAfter: random.pick([1, 20]) }),
    ...(random.chance(0.1) && { escalateAfter: random.pick([1, 45]) }),
    ...(random.chance(0.3) && { turnId: random.pick(['turn-1', 'turn-2']) }),
    ...(random.chance(0.2) && { detached: true }),
    ...(random.chance(0.1) && { reopen: true }),
  });
}

/** A mark at or after the deadline is refused. */
function withoutLateMarks({ remindAfter = 0, escalateAfter = 0, ...common }: Common): Common {
  const seconds = common.timeoutSeconds === null ? Infinity : (common.timeoutSeconds ?? 0);
  return {
    ...common,
    ...(remindAfter > 0 && remindAfter < seconds && { remindAfter }),
    ...(escalateAfter > 0 && escalateAfter < seconds && { escalateAfter }),
  };
}

function onExpire(kind: (typeof KINDS)[number], mark: string, random: Random): Common {
  if (random.chance(0.7)) return {};
  if (kind === 'question') return { onExpire: { answer: { answers: { '0': `late ${mark}` } } } };
  return { onExpire: 'keep' };
}

function requestOf(kind: (typeof KINDS)[number], common: Common, mark: string, random: Random) {
  switch (kind) {
    case 'approval':
      return askApproval(
        { ...common, toolName: random.pick(['Bash', 'Deploy', 'Read']) },
        { input: { command: mark }, offers: ['once', 'session'], allowEdit: true },
      );
    case 'question': {
      const first = choice(`Which ${mark}?`, ['Red', 'Green']);
      const isAlone = common.onExpire !== undefined || random.chance(0.5);
      return askQuestion(common, isAlone ? [first] : [first, SIZES]);
    }
    case 'plan_review':
      return askPlan(common, `Plan ${mark}`);
    case 'form':
      return askForm(common, { ...(random.chance(0.5) ? PORT : NOTE), description: mark });
  }
}

/** An answer to this interaction, or to one that never existed. */
export function generateAnswer(
  record: InteractionModel | undefined,
  { mark, random }: Sight,
): GeneratedCommand {
  const [given, fits, isMarked] = record === undefined ? UNKNOWN : givenTo(record, mark, random);
  const caller = person(random.pick(['ada', 'bob']));
  const byCall = record !== undefined && random.chance(0.2);
  const command = byCall
    ? answerCall(record.toolCallId, given)
    : answer(record?.id ?? 'call-0~9', given);
  // An answer by tool call may reach another interaction than the one that the client saw.
  const meant = fits && !byCall ? firstMark(record?.asked.request) : undefined;
  return { caller, command, fits: meant, isUnmarked: !isMarked };
}

type Given = readonly [given: JsonObject, fits: boolean, isMarked: boolean];
const UNKNOWN: Given = [{ decision: 'approve' }, false, false];

function givenTo({ asked }: InteractionModel, mark: string, random: Random): Given {
  const reason = `because ${mark}`;
  switch (asked.kind) {
    case 'approval': {
      const kept = { decision: 'approve', offer: 'session', reason };
      return random.pick<Given>([
        [{ decision: 'approve', reason }, true, true],
        [{ decision: 'deny', reason }, true, true],
        [{ decision: 'approve', updatedInput: { command: 'ls' }, reason }, true, true],
        random.chance(0.8)
          ? [{ ...kept, exact: true }, true, true]
          : keptForTool(asked, kept, random),
      ]);
    }
    case 'question': {
      const isAlone = (asked.request.questions as unknown[]).length === 1;
      const whole = isAlone ? { '0': mark } : { '0': mark, '1': ['S'] };
      return random.pick<Given>([
        [{ answers: whole }, true, true],
        [{ question: 0, text: mark }, false, true],
        [{ question: 1, options: [0, 2] }, false, false],
        [{ decline: true, reason }, true, true],
      ]);
    }
    case 'plan_review':
      return random.pick<Given>([
        [{ decision: random.pick(['edit', 'clean_edit', 'default']) }, true, false],
        [{ decision: 'default' }, true, false],
        [{ decision: 'adjust' }, true, false],
        [{ decision: 'adjust', feedback: mark }, true, true],
      ]);
    default: {
      const { properties } = asked.request.schema as { properties: object };
      const values = 'host' in properties ? { host: mark } : { note: mark };
      return random.chance(0.8)
        ? [{ values }, true, true]
        : [{ decline: true, reason }, true, true];
    }
  }
}

/** A rule for a whole tool that runs commands must say so. */
function keptForTool(
  { toolName }: InteractionModel['asked'],
  kept: JsonObject,
  random: Random,
): Given {
  if (toolName !== 'Bash') return [{ ...kept, exact: false }, true, true];
  return random.chance(0.7)
    ? [{ ...kept, everyCommand: true }, true, true]
    : [{ ...kept, exact: false }, false, true];
}

export function generateMessage(
  record: InteractionModel | undefined,
  { mark, random }: Sight,
): GeneratedCommand {
  const caller = random.chance(0.2) ? sender() : person();
  const text = random.weighted({ words: 20, '/cancel': 1, '/clear': 1 });
  if (text !== 'words') return { caller, command: sendMessage(text), isUnmarked: true };
  return {
    caller,
    command: sendMessage(`hello ${mark}`, random.chance(0.3) ? record?.id : undefined),
  };
}

/** An agent reports its turn, and tool calls that may still have open interactions. */
export function generateAppend({ model, mark, random }: Sight): GeneratedCommand {
  const open = random.pick(model.open);
  const turnId = open?.turnId ?? random.pick(['turn-1', 'turn-2']);
  const toolCallId = open?.toolCallId ?? 'call-1';
  const text = { type: 'assistant_text', payload: { text: `says ${mark}` } } as const;
  const others = [
    { type: 'turn_started', turnId, payload: {} },
    { type: 'turn_ended', turnId, payload: { reason: 'completed' } },
    { type: 'tool_result', toolCallId, payload: {} },
    { type: 'tool_result', toolCallId, payload: { isError: true } },
    { type: 'thinking', payload: { text: 'Hm' } },
  ] as const;
  return { caller: agent(), command: append(text, ...random.sample(others, random.int(0, 3))) };
}

/** An agent without turn ids, or one of two agents that share a session without knowing of each other. */
export function generateReport({ model, mark, random, id }: Sight): GeneratedCommand {
  const caller = random.chance(0.4) ? agent('stranger') : agent();
  if (random.chance(0.3)) {
    const common = { toolCallId: `call-${id}`, ...commonOf(random) };
    return { caller, command: requestOf('approval', common, mark, random) };
  }
  if (random.chance(0.1)) {
    return { caller, command: { type: 'interactions.cancel', reason: `because ${mark}` } };
  }
  const text = { type: 'assistant_text', payload: { text: `says ${mark}` } } as const;
  const named = random.chance(0.3) ? { turnId: random.pick(['turn-1', 'turn-2'] as const) } : {};
  const toolCallId = random.pick(model.open)?.toolCallId ?? 'call-1';
  const events: readonly AppendedEvent[] = [
    { type: 'turn_started', ...named, payload: {} },
    { type: 'turn_ended', ...named, payload: { reason: 'completed' } },
    { type: 'error', ...named, payload: { message: 'Out of credit' } },
    { type: 'tool_result', toolCallId, payload: {} },
  ];
  return { caller, command: append(text, ...random.sample(events, 1)) };
}

export function generateUpdate({ mark, random }: Sight): GeneratedCommand {
  const isTitle = random.chance(0.5);
  const permissionMode = random.pick(['default', 'default', 'acceptEdits', 'plan'] as const);
  const changes = isTitle ? { title: `Title ${mark}` } : { permissionMode };
  return {
    caller: random.chance(0.5) ? person() : admin(),
    command: { type: 'session.update', changes },
    isUnmarked: !isTitle,
  };
}
