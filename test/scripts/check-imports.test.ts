import { describe, expect, it } from 'vitest';
import { offensesIn } from '../../scripts/lib/import-rules.ts';

const messages = (file: string, text: string) => offensesIn(file, text).map((one) => one.message);

describe('check imports', () => {
  it('names file and line of an import against the direction', () => {
    const text = `import { a } from './a.ts';\n\nimport { decide } from '../../core/decide.ts';\n`;
    expect(offensesIn('src/protocol/schema/event.ts', text)).toEqual([
      {
        file: 'src/protocol/schema/event.ts',
        line: 3,
        message: expect.stringContaining('protocol/schema may not import core'),
      },
    ]);
  });

  it.each([
    ['src/core/decide.ts', `import type { Event } from '../protocol/schema/event.ts';`],
    ['src/core/kinds/form.ts', `import { decide } from '../decide.ts';`],
    ['src/session/session.ts', `export * from '../agent/turn.ts';`],
    [
      'src/http/app.ts',
      `import type { Door } from '../session/door.ts'; import { Hono } from 'hono';`,
    ],
    [
      'src/platform/cloudflare/session-object.ts',
      `import { DurableObject } from 'cloudflare:workers';`,
    ],
    ['src/platform/sqlite/log.ts', `const sql = 'SELECT seq FROM log'; const now = Date.now();`],
    ['src/client/http.ts', `import type { Frame } from '../protocol/schema/frame.ts'; new Date();`],
    ['src/client/http.ts', `import { PROTOCOL } from '../protocol/frames.ts';`],
    ['src/protocol/types.ts', `export type { Frame } from './schema/frame.ts';`],
    ['src/protocol/schema/frame.ts', `import { LIMITS } from '../limits.ts';`],
    [
      'src/core/text.ts',
      `// Date.now() in a comment\nconst hint = 'UPDATE your answer';\nnew Date(0);`,
    ],
    ['src/worker.ts', `import { app } from './http/app.ts';`],
  ])('lets %s alone', (file, text) => {
    expect(messages(file, text)).toEqual([]);
  });

  it.each([
    [
      'src/core/decide.ts',
      `import { Session } from '../session/session.ts';`,
      'core may not import session',
    ],
    [
      'src/core/decide.ts',
      `type S = import('../session/session.ts').Session;`,
      'core may not import session',
    ],
    [
      'src/agent/turn.ts',
      `const m = await import('../platform/anthropic/model.ts');`,
      'agent may not import platform',
    ],
    ['src/http/app.ts', `import { Door } from '../session/door.ts';`, 'only the types of session'],
    [
      'src/client/http.ts',
      `import { Frame } from '../protocol/schema/frame.ts';`,
      'only the types of protocol/schema',
    ],
    [
      'src/protocol/errors.ts',
      `import { ErrorBody } from './schema/rejection.ts';`,
      'only the types of protocol/schema',
    ],
    ['src/protocol/errors.ts', `import { ulid } from 'ulid';`, 'protocol may import no package'],
    ['src/core/kinds/form.ts', `import * as z from 'zod';`, 'src/protocol/schema/zod.ts'],
    [
      'src/session/session.ts',
      `import { env } from 'cloudflare:workers';`,
      'src/platform/cloudflare/',
    ],
    [
      'src/agent/turn.ts',
      `import { Messages } from '@anthropic-ai/sdk/resources/messages/messages';`,
      'src/platform/anthropic/',
    ],
    [
      'src/platform/anthropic/anthropic-model.ts',
      `import Anthropic from '@anthropic-ai/sdk';`,
      'its client, its resource or its errors alone',
    ],
    ['src/protocol/schema/ids.ts', `import { ulid } from 'ulid';`, 'schema may import only zod'],
    ['src/protocol/schema/ids.ts', `import { z } from './zod.ts';`, 'import * as z'],
    ['src/core/decide.ts', `const at = Date.now();`, 'Date.now()'],
    ['src/core/decide.ts', `const at = new Date();`, 'new Date()'],
    ['src/session/id.ts', `const id = crypto.randomUUID();`, 'crypto.randomUUID()'],
    ['src/session/log.ts', 'const sql = `SELECT ${columns} FROM log`;', 'SQL'],
    ['src/core/decide.ts', `import { x } from '../../scripts/x.ts';`, 'outside src/'],
    ['src/utils/x.ts', `import { ulid } from 'ulid';`, 'not a room'],
  ])('stops %s: %s', (file, text, expected) => {
    expect(messages(file, text)).toEqual([expect.stringContaining(expected)]);
  });
});
