/**
 * A command that a call runs asks a person: the request stands at the call, and the call stays what it is. A bug looks like
 * a shell call that takes the name or the outcome of the question, or a question without the call that it came from.
 */
import { describe, expect, it } from 'vitest';
import {
  emptyTimeline,
  foldEvents,
  isAskedByCommand,
  type ToolBlock,
} from '../../src/client/timeline/index.ts';
import type { DraftEvent } from '../../src/protocol/schema/event.ts';
import { begins, calls, closes, ends, logOf, opens, results } from './client-events.ts';

const COMMAND = 'holdpoint ask "Which color?" --option Red --option Blue';
const shell = calls('a', {}, { command: COMMAND });
const correlate = { plugin: 'holdpoint', operation: 'ask', tool: 'holdpoint_ask' };
const question = { kind: 'question', toolName: 'holdpoint_ask', correlate };
const approval = { toolName: 'holdpoint_approve', correlate };

const foldAll = (...drafts: readonly DraftEvent[]) =>
  foldEvents(emptyTimeline(), logOf(...drafts)).turns.flatMap((turn) =>
    turn.containers.flatMap(({ blocks }) => blocks),
  );
const callOf = (...drafts: readonly DraftEvent[]) => {
  const [block] = foldAll(...drafts);
  if (block?.type !== 'tool') throw new Error('The call has no block of its own');
  return block.call;
};
/** The events of the call before the request, and after it. */
const ORDERS = (asked: typeof question | typeof approval) =>
  [
    ['after', [shell, ...opens('a', asked)]],
    ['before', [...opens('a', asked), shell]],
  ] as const;

describe('a request of a command in a call', () => {
  it.each(ORDERS(question))(
    '[TL-5, RDV-4] a questionnaire that arrives %s the call stands after its block, which keeps its name and input',
    (_order, drafts) => {
      const blocks = foldAll(...drafts);
      expect(blocks.map(({ type }) => type)).toEqual(['tool', 'questionnaire']);
      for (const block of blocks) {
        if (!('call' in block)) throw new Error('No call');
        const { toolName, input, status } = block.call;
        expect({ toolName, input, status }).toEqual({
          toolName: 'Bash',
          input: { command: COMMAND },
          status: 'pending',
        });
      }
      expect(blocks[1]).toMatchObject({ step: { toolName: 'holdpoint_ask' } });
    },
  );

  it.each(ORDERS(approval))(
    '[TL-5, RDV-4] an approval that arrives %s the call is a step of its block, which keeps its name and input',
    (_order, drafts) => {
      expect(foldAll(...drafts)).toMatchObject([
        {
          type: 'tool',
          isPlaceholder: false,
          call: { toolName: 'Bash', input: { command: COMMAND }, status: 'pending' },
          steps: [{ toolName: 'holdpoint_approve', request: { input: { command: 'ls' } } }],
        },
      ]);
    },
  );

  it.each(['denied', 'expired', 'cancelled'] as const)(
    '[TL-11] leaves the call running when it is %s, because only the command ends',
    (outcome) => {
      for (const asked of [approval, question])
        for (const [, drafts] of ORDERS(asked)) {
          const decided = [...drafts, ...closes('a', outcome, asked)];
          expect(callOf(...decided).status).toBe('running');
          expect(callOf(...decided, results('a')).status).toBe('complete');
        }
      const late = [...opens('a', approval), ...closes('a', outcome, approval), shell];
      expect(callOf(...late).status).toBe('running');
    },
  );

  it('[TL-11] ends with the turn of the call', () => {
    const events = [
      begins('t'),
      shell,
      ...opens('a', question),
      ...closes('a', 'denied', question),
    ];
    expect(callOf(...events, ends('t')).status).toBe('error');
  });

  it('[TL-11] a denied approval of the call itself is still an error', () => {
    const own = callOf(shell, ...opens('a'), ...closes('a', 'denied'));
    expect(own.status).toBe('error');
    const byInput = { correlate: { toolName: 'Bash', inputDigest: '0'.repeat(64) } };
    const hooked = callOf(shell, ...opens('a', byInput), ...closes('a', 'denied', byInput));
    expect(hooked.status).toBe('error');
  });

  it('[RDV-4] is told from a request about the call by how it describes the call', () => {
    const stepOf = (asked: object) =>
      (foldAll(shell, ...opens('a', asked))[0] as ToolBlock).steps[0];
    const asked = stepOf(approval);
    if (asked === undefined) throw new Error('No step');
    expect(isAskedByCommand({ toolName: 'Bash' }, asked)).toBe(true);
    // A tool that asks by itself, over HTTP.
    expect(isAskedByCommand({ toolName: 'holdpoint_approve' }, asked)).toBe(false);
    const { correlate: _, ...plain } = asked;
    expect(isAskedByCommand({ toolName: 'Bash' }, plain)).toBe(false);
    // The call was not reported: there is nothing that it could stand at.
    expect(isAskedByCommand({ toolName: 'AskUserQuestion' }, asked)).toBe(false);
  });
});
