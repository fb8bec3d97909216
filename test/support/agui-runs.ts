/**
 * Reads a stream of AG-UI events as its clients must: the order of runs, messages and calls, or the first fault in it.
 *
 * The rules are those of the specification ("Runs and Steps", "Interrupts and Resume"); the official client has them too,
 * and `npm run e2e:agents` asks it.
 */
import type { AguiEvent } from '../../src/http/agui/agui-event.ts';

export interface ShownRun {
  readonly runId: string;
  readonly types: string[];
  /** `success`, `cancelled`, `error`, the ids of the interrupts, or undefined while it is active. */
  ended: string | readonly string[] | undefined;
}

export function readRuns(events: readonly AguiEvent[]): ShownRun[] {
  const runs: ShownRun[] = [];
  const begun = new Set<string>();
  let open = new Set<string>();
  let run: ShownRun | undefined;
  for (const event of events) {
    const { type } = event;
    const fail = (why: string) => {
      throw new Error(`${why}: ${JSON.stringify(event)}`);
    };
    if (type === 'RUN_STARTED') {
      if (run !== undefined) fail('A run began within another one');
      if (runs.some(({ runId }) => runId === event.runId)) fail('Two runs have one id');
      run = { runId: event.runId, types: [], ended: undefined };
      runs.push(run);
      continue;
    }
    if (run === undefined) throw new Error(`No run is active: ${JSON.stringify(event)}`);
    if (type === 'RUN_FINISHED' || type === 'RUN_ERROR') {
      if (open.size > 0) fail(`Still open: ${[...open].join()}`);
      run.ended = type === 'RUN_ERROR' ? 'error' : endOf(event.outcome);
      if (run.ended.length === 0) fail('An interrupt without interrupts');
      run = undefined;
      open = new Set();
      continue;
    }
    run.types.push(type);
    const [, what, part] = /^(.*)_(START|CONTENT|ARGS|END)$/.exec(type) ?? [];
    if (what === undefined || part === undefined) continue;
    const id =
      'toolCallId' in event ? event.toolCallId : 'messageId' in event ? event.messageId : '';
    const name = `${what} ${id}`;
    if (part === 'START' && begun.has(name)) fail('Begun twice');
    if (part !== 'START' && !open.has(name)) fail('Not begun');
    if (part === 'START') begun.add(name);
    if (part === 'START') open.add(name);
    if (part === 'END') open.delete(name);
    if ('delta' in event && event.delta === '') fail('Says nothing');
  }
  return runs;
}

function endOf(outcome: Extract<AguiEvent, { type: 'RUN_FINISHED' }>['outcome']) {
  return outcome.type === 'interrupt' ? outcome.interrupts.map(({ id }) => id) : outcome.type;
}
