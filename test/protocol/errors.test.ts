/** One table of refusals. A bug would look like an unexpected status, or a 500 for bad input. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  closeOf,
  ERRORS,
  type ErrorCode,
  finalCloseOf,
  reject,
  retryOf,
} from '../../src/protocol/errors.ts';
import { ApprovalRequest } from '../../src/protocol/schema/kinds/approval.ts';
import { ErrorBody, schemaRejection } from '../../src/protocol/schema/rejection.ts';

describe('the table', () => {
  it.each<[ErrorCode, number]>([
    ['cursor_ahead', 400],
    ['invalid_answer', 400],
    ['invalid_request', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['already_settled', 409],
    ['input_changed', 409],
    ['step_moved', 409],
    ['ambiguous_text', 409],
    ['session_deleted', 409],
    ['too_large', 413],
    ['wrong_kind', 422],
    ['invalid_values', 422],
    ['text_not_an_answer', 422],
    ['unknown_event_type', 422],
    ['unknown_attachment', 422],
    ['idempotency_key_reused', 422],
    ['limit_reached', 429],
  ])('[LIM-1] %s is %i', (code, status) => {
    expect(ERRORS[code].status).toBe(status);
  });

  it("[LIM-4] only the server's own failures are 5xx", () => {
    const failures = Object.entries(ERRORS).filter(([, { status }]) => status >= 500);
    expect(failures.map(([code]) => code).sort()).toEqual(
      ['internal', 'model_not_configured', 'not_configured', 'unavailable', 'write_failed'].sort(),
    );
  });

  it('[LIM-1] a request refused for its content is not to be repeated unchanged', () => {
    for (const { status, retry } of Object.values(ERRORS))
      expect(retry === 'never').toBe(status < 429);
  });

  it('[LIM-1] a browser can read every close code', () => {
    for (const { close } of Object.values(ERRORS))
      expect([1008, 1009, 1011, 1013, 4401, 4403, 4404, 4409]).toContain(close);
  });
});

/** A client derives these from the code and the status, without the table. */
describe.each(Object.entries(ERRORS))('after %s', (code, { status, retry, close }) => {
  it('[LIM-1] a client can tell whether to repeat', () => {
    expect(retryOf(code, status)).toBe(retry);
  });

  it('[LIM-1] a stream ends as a socket would', () => {
    const isTransient = close === 1011 || close === 1013;
    expect(closeOf(code, status)).toBe(isTransient ? 1013 : close);
    expect(finalCloseOf(code)).toBe(isTransient || close === 1008 ? undefined : close);
  });
});

describe('a refusal', () => {
  it('[LIM-1] has details only where there are any', () => {
    expect(reject('not_found', 'No')).toEqual({ ok: false, code: 'not_found', message: 'No' });
    expect(reject('forbidden', 'No', { scopes: ['answer'] })).toHaveProperty('details');
  });

  it('[LIM-1] by a schema names the place', () => {
    const schema = z.strictObject({ list: z.array(z.strictObject({ name: z.string() })) });
    const { error } = schema.safeParse({ list: [{ name: 'a' }, { name: 7 }], extra: 1 });
    const { code, details } = schemaRejection(error!);
    expect(code).toBe('invalid_request');
    expect(details).toEqual({
      issues: [
        { path: '', message: expect.stringContaining('extra') },
        { path: 'list.1.name', message: expect.any(String) },
      ],
    });
  });

  it('[LIM-1] by a schema lists at most fifty problems, with their total', () => {
    const { error } = z.array(z.string()).safeParse(Array.from({ length: 500 }, () => 7));
    const { message, details } = schemaRejection(error!);
    expect(details?.issues).toHaveLength(50);
    expect(details?.total).toBe(500);
    expect(message).toBe('0: use text, not a number (and 499 more)');
  });

  it('[LIM-1] by a schema names an unknown field before what is missing', () => {
    const { error } = ApprovalRequest.safeParse({ inptu: {} });
    const { message, details } = schemaRejection(error!);
    expect(message).toBe('unknown field "inptu" (and 1 more)');
    expect(JSON.stringify(details)).toContain('{} if the tool takes none');
  });

  it('[LIM-1] by a schema names the first problem and lists all', () => {
    const { error } = z
      .strictObject({ title: z.string(), limit: z.number() })
      .safeParse({ title: 7, limit: 'x' });
    expect(schemaRejection(error!)).toEqual({
      ok: false,
      code: 'invalid_request',
      message: 'title: use text, not a number (and 1 more)',
      details: {
        issues: [
          { path: 'title', message: 'use text, not a number' },
          { path: 'limit', message: 'use a number, not text' },
        ],
      },
    });
  });

  it('[LIM-1] has one shape on the wire', () => {
    const body = { error: { code: 'not_found', message: 'No', requestId: 'r-1' } };
    expect(ErrorBody.safeParse(body).success).toBe(true);
    expect(ErrorBody.safeParse({ error: { ...body.error, code: 'nonsense' } }).success).toBe(false);
  });
});
