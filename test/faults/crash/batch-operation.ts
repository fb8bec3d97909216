/** A batch of openings as one request, and what its results claim: each opening by itself, and all in one commit. */
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { CrashContext } from './crash-context.ts';
import { interactionIn } from './reply-claims.ts';
import type { Operation, TestedSession } from './tested-session.ts';

export interface BatchPart {
  readonly body: JsonObject;
  /** Only a new question has one. */
  readonly mark?: string;
}

/** An approval of no tool. */
export const UNREADABLE: BatchPart = { body: { kind: 'approval' } };

export function batchOperation(
  context: CrashContext,
  session: TestedSession,
  parts: readonly BatchPart[],
  wait?: number,
): Operation {
  const what = `open ${parts.length} at once`;
  return {
    what,
    ask: {
      method: 'POST',
      path: `${session.path}/interactions/batch`,
      token: context.tokens.agent,
      key: context.key(),
      body: { requests: parts.map(({ body }) => body) },
      ...(wait !== undefined && { wait }),
    },
    statuses: [200],
    claims: ({ body: { results = [] }, text }) => {
      if (results.length !== parts.length) {
        context.findings.add('BATCH', session.id, `${what} has ${results.length} results: ${text}`);
      }
      const asked = parts.flatMap(({ mark }, index) =>
        mark !== undefined && results[index]?.ok === true ? [mark] : [],
      );
      return [
        { what, inOneCommit: asked },
        ...parts.map(({ mark }, index) => {
          const result = results[index];
          if (result?.ok !== true) return { what, ...(mark !== undefined && { mark, times: 0 }) };
          const named = interactionIn({ body: result });
          return { what, ...named, ...(mark !== undefined && { mark, times: 1 }) };
        }),
      ];
    },
  };
}
