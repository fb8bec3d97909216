/**
 * The race table of a batch: what each of its openings must get. It is what the same opening gets by itself, after the
 * earlier openings of the batch; only what would replace an interaction of the same batch is refused.
 *
 * It reads the log before the batch is handled.
 */
import type { CommandOf } from '../../src/protocol/schema/command.ts';
import { firstMark } from './marks.ts';
import type { OpeningResult } from './normalize.ts';
import { expectedOpening, type LatestOfCall, latestOf } from './opening-table.ts';
import type { Expected } from './race-table.ts';
import type { SessionModel } from './session-model.ts';

type Openings = CommandOf<'interactions.open'>['openings'];

interface OpenedHere {
  readonly id: string;
  readonly mark: string | undefined;
}

export class BatchTable {
  readonly #openings: Openings;
  readonly #before: readonly (LatestOfCall | undefined)[];

  constructor(model: SessionModel, { openings }: CommandOf<'interactions.open'>, now: number) {
    this.#openings = openings;
    this.#before = openings.map((opening) =>
      'ok' in opening ? undefined : latestOf(model, opening.common.toolCallId, now),
    );
  }

  /** The first result that differs from the table. */
  problem(results: readonly OpeningResult[]): string | undefined {
    if (results.length !== this.#openings.length) return `${results.length} results`;
    const openedHere = new Map<string, OpenedHere>();
    for (const [index, opening] of this.#openings.entries()) {
      const result = results[index];
      if (result === undefined) return `no result ${index}`;
      const { code, interactionId } = readResult(result);
      const toolCallId = 'ok' in opening ? '' : (opening.common.toolCallId ?? '');
      const expected = this.#expected(index, openedHere.get(toolCallId));
      const isNamed = interactionId === undefined || interactionId === expected.interactionId;
      if (!expected.codes.includes(code) || !isNamed) {
        return `result ${index} is ${JSON.stringify(result)}, expected ${JSON.stringify(expected)}`;
      }
      const isNew = interactionId !== undefined && interactionId !== this.#before[index]?.id;
      if (isNew && !('ok' in opening)) {
        openedHere.set(toolCallId, { id: interactionId, mark: firstMark(opening.request) });
      }
    }
    return undefined;
  }

  #expected(index: number, opened: OpenedHere | undefined): Expected {
    const opening = this.#openings[index];
    if (opening === undefined) return { codes: [] };
    if ('ok' in opening) return { codes: [opening.code] };
    if (opened === undefined) return expectedOpening(this.#before[index], opening);
    return firstMark(opening.request) === opened.mark
      ? { codes: ['ok'], interactionId: opened.id }
      : { codes: ['invalid_request', 'limit_reached'] };
  }
}

function readResult(result: OpeningResult) {
  return result.ok
    ? { code: 'ok', interactionId: result.interaction?.interactionId }
    : { code: result.error.code, interactionId: undefined };
}
