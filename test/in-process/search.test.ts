/** Full text of one session. A bug here looks like a message that is there and is not found, or a server that stands still. */
import { expect, it, onTestFinished } from 'vitest';
import { InProcessHost } from '../../src/in-process/index.ts';
import type { Transport } from '../../src/client/transport.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { AppendedEvent } from '../../src/protocol/types.ts';

async function session(): Promise<{ host: InProcessHost; owner: Transport; id: string }> {
  const host = new InProcessHost({ warn: () => undefined });
  onTestFinished(() => host.close());
  const owner = host.transport();
  const { id } = await owner.createSession({ title: 'Search' });
  return { host, owner, id };
}

const text = (value: string): AppendedEvent => ({
  type: 'assistant_text',
  payload: { text: value },
});

it('[DAILY-5] finds messages, tools, requests and answers, newest first, whatever their case', async () => {
  const { owner, id } = await session();
  await owner.sendMessage(id, 'Look for the Needle').routed;
  await owner.appendEvents(id, [
    text('No such thing'),
    {
      type: 'tool_call',
      toolCallId: 'c1',
      payload: { toolName: 'Grep', input: { at: ['needle'] } },
    },
    { type: 'tool_result', toolCallId: 'c1', payload: { output: { lines: ['a', 'NEEDLE b'] } } },
  ]);
  await owner.open(id, {
    kind: 'approval',
    toolName: 'Bash',
    toolCallId: 'c2',
    input: { command: 'rm needle' },
  });
  await owner.answer(id, 'c2~1', { decision: 'deny', reason: 'Keep the needle' });
  const { events, next } = await owner.search(id, 'nEEdle');
  expect(events.map(({ type }) => type)).toEqual([
    'interaction_response',
    'interaction_request',
    'tool_result',
    'tool_call',
    'user_message',
  ]);
  expect(next).toBeUndefined();
  expect(events.at(-1)?.excerpt).toBe('Look for the Needle');
  expect((await owner.search(id, 'c2~1')).events).toEqual([]);
  expect((await owner.search(id, '%')).events).toEqual([]);
});

it('[DAILY-5] reads a bounded part of a long log, and goes on from its cursor', async () => {
  const { owner, id } = await session();
  const filler = 'x'.repeat(200_000);
  await owner.appendEvents(id, [text('The first needle')]);
  for (let at = 0; at < 14; at += 1) await owner.appendEvents(id, [text(filler)]);
  const first = await owner.search(id, 'needle');
  expect(first.events).toEqual([]);
  expect(14 * filler.length).toBeGreaterThan(LIMITS.searchBytes);
  const pages = [first];
  while (pages.at(-1)?.next !== undefined)
    pages.push(await owner.search(id, 'needle', pages.at(-1)?.next));
  expect(pages.length).toBeLessThan(5);
  expect(pages.flatMap(({ events }) => events)).toMatchObject([{ excerpt: 'The first needle' }]);
});

it('[DAILY-5] shows the text around the place, in pages without a gap or a double', async () => {
  const { owner, id } = await session();
  const long = `${'before '.repeat(50)}needle${' after'.repeat(50)}`;
  await owner.appendEvents(id, [text(long), text('one needle'), text('İ needle')]);
  const seen: string[] = [];
  for (let before: number | undefined; ; ) {
    const page = await owner.search(id, 'needle', before);
    seen.push(...page.events.map(({ excerpt }) => excerpt));
    if (page.next === undefined) break;
    before = page.next;
  }
  expect(seen).toHaveLength(3);
  expect(seen[0]).toBe('İ needle');
  expect(seen[2]).toMatch(/^….*before needle after.*…$/);
  expect(seen[2]?.length).toBeLessThan(140);
});

it('[DAILY-5] needs the scope read in this session', async () => {
  const { host, id } = await session();
  const agent = host.transport({ subject: 'agent', scopes: ['agent'] });
  await expect(agent.search(id, 'x')).rejects.toMatchObject({ code: 'forbidden' });
  const reader = host.transport({ subject: 'ada', scopes: ['read'] });
  await expect(reader.search('ses_unknown', 'x')).rejects.toMatchObject({ code: 'not_found' });
});

it('[DAILY-6] adds the tokens and the costs of turns, live and after a reload', async () => {
  const { owner, id } = await session();
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 1 };
  const turn = (turnId: string, more: object): AppendedEvent[] => [
    { type: 'turn_started', turnId, payload: {} },
    { type: 'turn_ended', turnId, payload: { reason: 'completed', ...more } },
  ];
  const paid = { usage: { ...usage, costUsd: 0.25 } };
  const turns = [...turn('a', paid), ...turn('b', {}), ...turn('c', { usage })];
  await owner.appendEvents(id, turns);
  const { session: view } = await owner.snapshot(id);
  expect(view.usage).toEqual({
    inputTokens: 20,
    outputTokens: 10,
    cacheReadTokens: 200,
    cacheWriteTokens: 2,
    costUsd: 0.25,
  });
});
