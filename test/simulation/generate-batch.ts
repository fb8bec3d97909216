/**
 * Generates a batch of openings: most about new calls or about those of earlier questions, some that repeat an earlier
 * question or one of the same batch, some that ask something else about a call of the same batch, and some that cannot
 * be read.
 */
import type { Caller } from '../../src/protocol/caller.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { type Command, openBatchCommand } from '../../src/protocol/schema/command.ts';
import { generateAsk, type Sight } from './command-generator.ts';
import { openingMark } from './marks.ts';
import type { GeneratedCommand } from './operation.ts';

/** An approval of no tool. */
export const UNREADABLE: JsonObject = { kind: 'approval' };

interface Part {
  readonly body: JsonObject;
  readonly mark?: string;
}

/** `repeated`: earlier questions of this caller. */
export function generateBatch(
  sight: Sight,
  caller: Caller,
  repeated: readonly Command[],
): GeneratedCommand {
  const { random } = sight;
  const parts: Part[] = repeated.map((command) => ({ body: bodyOf(command) }));
  for (let left = random.int(1, 5); left > 0; left -= 1) parts.push(nextPart(sight, parts));
  const shuffled = random.sample(parts, parts.length);
  return {
    caller,
    command: openBatchCommand({ requests: shuffled.map(({ body }) => body) }),
    openingMarks: markFirst(shuffled),
  };
}

/** Of equal openings the first one is asked; what a later one gets is another matter, and it has no mark. */
function markFirst(parts: readonly Part[]): (string | undefined)[] {
  return parts.map(({ mark }, index) => {
    const isRepeat = parts.slice(0, index).some((earlier) => earlier.mark === mark);
    return isRepeat ? undefined : mark;
  });
}

function nextPart(sight: Sight, parts: readonly Part[]): Part {
  const { random } = sight;
  const mark = openingMark(sight.mark, parts.length);
  const id = `${sight.id}-${parts.length}`;
  const body = bodyOf(generateAsk({ ...sight, mark, id }).command);
  const earlier = random.pick(parts);
  switch (random.weighted({ new: 14, unreadable: 2, 'the same': 2, 'another question': 2 })) {
    case 'unreadable':
      return { body: UNREADABLE };
    case 'the same':
      return earlier ?? { body, mark };
    case 'another question': {
      const toolCallId = earlier?.body['toolCallId'];
      return { body: toolCallId === undefined ? body : { ...body, toolCallId }, mark };
    }
    case 'new':
      return { body, mark };
  }
}

/** The body of `POST …/interactions` for an opening. */
export function bodyOf(command: Command): JsonObject {
  if (command.type !== 'interaction.open') throw new Error(`${command.type} opens nothing`);
  return { ...command.common, ...command.request } as JsonObject;
}
