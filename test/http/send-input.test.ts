/**
 * Sending the input of an interaction. A bug here looks like a Worker that holds megabytes for readers who do not read, or
 * like half of an input that a person takes for all of it.
 */
import { expect, it } from 'vitest';
import { sendInput } from '../../src/http/send-input.ts';
import type { SessionStub } from '../../src/http/stubs.ts';
import { reject, type Rejection } from '../../src/protocol/errors.ts';

const GONE = reject('not_found', 'There is no such session');

function sending(parts: readonly string[], fails: (part: number) => Rejection | undefined) {
  const asked: number[] = [];
  const session = {
    inputPart: async (_id: string, part: number) => {
      asked.push(part);
      const text = parts[part] ?? '';
      return (
        fails(part) ?? {
          ok: true as const,
          value: {
            text,
            isLast: part === parts.length - 1,
            bytes: new TextEncoder().encode(parts.join('')).byteLength,
          },
        }
      );
    },
  } as Partial<SessionStub> as SessionStub;
  const sent = sendInput(
    async () => ({ ok: true, session }),
    'call_1~1',
    () => undefined,
  );
  return { asked, sent };
}

const works = () => undefined;

it('[INT-17] sends the parts in their order', async () => {
  const { sent } = sending(['{"a":', '"\u{1f600}', '"}'], works);
  expect(await ((await sent) as Response).text()).toBe('{"a":"\u{1f600}"}');
});

it('[INT-17] reads no part before the reader has taken the one before', async () => {
  const parts = Array.from({ length: 16 }, () => 'x'.repeat(1_000));
  const { asked, sent } = sending(parts, works);
  const reader = ((await sent) as Response).body?.getReader();
  await reader?.read();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked.length).toBeLessThanOrEqual(3);
  await reader?.cancel();
});

it('[INT-17] breaks where a part cannot be read, and does not end as if it were whole', async () => {
  const { sent } = sending(['{"a":1', ',"b":2}'], (part) => (part === 1 ? GONE : undefined));
  await expect(((await sent) as Response).text()).rejects.toThrow();
});

it('[INT-17] is a refusal where there is nothing to read', async () => {
  const { sent } = sending([''], () => GONE);
  expect(await sent).toEqual(GONE);
});
