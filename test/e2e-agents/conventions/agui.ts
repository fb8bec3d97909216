/**
 * AG-UI: a person who answers in a client of AG-UI, the example with the real `HttpAgent`. The agent that asks is the one of
 * LangGraph, which offers edits and asks questions.
 *
 * Whatever the client received is checked again as a whole: the log of each case, read with the schemas of `@ag-ui/core`.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { JsonObject } from '../../../src/protocol/types.ts';
import type { Convention } from '../convention.ts';
import { installPackages } from '../install-packages.ts';
import { LANGGRAPH } from './langgraph.ts';
import { bundleClient } from './node-programs.ts';

const PINS = {
  '@ag-ui/client': '1.0.0',
  '@ag-ui/core': '1.0.0',
  '@ag-ui/encoder': '1.0.0',
  '@ag-ui/proto': '1.0.0',
  zod: '3.25.76',
};
let client = '';

export const AGUI: Convention = {
  ...LANGGRAPH,
  name: 'ag-ui',
  title: 'AG-UI 1.0.0 (`HttpAgent`), answering LangGraph',
  async prepare(stage) {
    client = await bundleClient('ag-ui', PINS);
    return LANGGRAPH.prepare(stage);
  },

  async giveAnswer(stage, scene, { interactionId }, answer) {
    const program = { file: process.execPath, args: [client] };
    const person = stage.startClient(scene, program, `${JSON.stringify(payloadOf(answer))}\n`);
    stage.transcript.line('person', `in AG-UI: ${JSON.stringify(payloadOf(answer))}`);
    const { transport } = stage.person;
    let isOver = false;
    void person.ended.then(() => (isOver = true));
    for (;;) {
      const hasEnded = isOver;
      const { status } = await transport.interaction(scene, interactionId);
      if (status === 'settled') return;
      if (hasEnded) throw new Error(`The client ended: ${(await person.end()).output.slice(-500)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  },

  async check(stage, scene) {
    const response = await fetch(`${stage.url}/v1/sessions/${scene}/agui?limit=1000`, {
      headers: { Authorization: `Bearer ${stage.token}` },
    });
    if (response.status === 404) return [];
    const { events } = (await response.json()) as { events: readonly { type: string }[] };
    const schemas = eventSchemas();
    return events
      .filter((event) => !schemas.safeParse(event).success)
      .map((event) => `AG-UI refuses ${event.type}: ${JSON.stringify(schemas.safeParse(event))}`);
  },
};

/** In the words of AG-UI for an approval; other answers are those of the route. */
function payloadOf({ decision, updatedInput, ...rest }: JsonObject): JsonObject {
  if (decision === undefined) return rest;
  const edited = updatedInput === undefined ? {} : { editedArgs: updatedInput };
  return { approved: decision === 'approve', ...edited, ...rest };
}

interface Schema {
  safeParse(value: unknown): { readonly success: boolean };
}

function eventSchemas(): Schema {
  const folder = installPackages('ag-ui', PINS);
  const load = createRequire(path.join(folder, 'package.json'));
  const { EventSchemas } = load('@ag-ui/core/schemas') as { EventSchemas: Schema };
  return EventSchemas;
}
