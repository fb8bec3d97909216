/**
 * An input that only text carries without loss. A bug here looks like a rounded number that a person approves, a polluted
 * prototype, or a field beside the input in which such a value slips through.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { liftOddInput } from '../../src/http/odd-input.ts';
import { startLocalApp } from '../support/http/local-app.ts';
import { ask, send } from '../support/http/call.ts';

const lift = (text: string) => liftOddInput(text, 'input', 20_000);

describe('[INT-18] an odd input', () => {
  it.each<[string, string]>([
    ['{"n":9007199254740993}', '{"n":9007199254740993}'],
    ['{"n":-9007199254740993,"a":[1.50,1e400]}', '{"a":[1.5,1e400],"n":-9007199254740993}'],
    ['{"n":9007199254740991.4}', '{"n":9007199254740991.4}'],
    ['{"n":1e-400,"m":-0}', '{"m":-0,"n":1e-400}'],
    ['{"constructor":{"prototype":{"x":1}}}', '{"constructor":{"prototype":{"x":1}}}'],
    ['{"b":1,"__proto__":{"polluted":true},"a":2}', '{"__proto__":{"polluted":true},"a":2,"b":1}'],
    ['{"\\u005f_proto__":[]}', '{"__proto__":[]}'],
  ])('%s is the text %s', (input, text) => {
    const lifted = lift(`{"kind":"approval","input": ${input} }`);
    expect(lifted).toEqual({ value: { kind: 'approval', input: {} }, inputText: text });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    '{"input":{"a":1,"a":2,"n":9007199254740993}}',
    '{"input":{"t":"\\ud800","n":9007199254740993}}',
    '{"input":{"t":"\\u0000","n":9007199254740993}}',
    `{"input":${'{"constructor":'.repeat(40)}1${'}'.repeat(40)}}`,
    `{"input":{"constructor":[${'1,'.repeat(20_000)}1]}}`,
    '{"input":9007199254740993}',
    '{"input":[9007199254740993]}',
    '{"input":{"n":9007199254740993},"timeoutSeconds":9007199254740993}',
    '{"input":{"n":9007199254740993},"inputSchema":{"constructor":{}}}',
    '{"input":{"n":9007199254740993},"__proto__":{"kind":"approval"}}',
    '{"input":{"n":9007199254740993},"input":{}}',
    '{"input":{"n":01,"constructor":1}}',
    '{"input":{"constructor":1}',
    '[{"input":{"constructor":1}}]',
  ])('%s is refused as before', (body) => {
    expect(lift(body)).toBeUndefined();
  });
});

const server = startLocalApp();
const path = '/v1/sessions/odd';
await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'odd' } });
let calls = 0;

async function opened(input: string) {
  calls += 1;
  const body = `{"kind":"approval","toolName":"Run","toolCallId":"odd-${calls}","allowEdit":true,"input":${input}}`;
  const reply = await send(server, { method: 'POST', path: `${path}/interactions`, body });
  expect(reply.status).toBe(201);
  const { interaction } = JSON.parse(reply.text) as { interaction: { interactionId: string } };
  return { interaction, iid: `${path}/interactions/${interaction.interactionId}` };
}

it('[INT-18] is shown as its text, downloaded without loss, and approved as what is shown', async () => {
  const input = '{"amount":9007199254740993,"constructor":"x"}';
  const { interaction, iid } = await opened(input);
  const sha256 = createHash('sha256').update(input).digest('hex');
  expect(interaction).toMatchObject({
    request: { input: { 'input as JSON text': input } },
    wholeInput: { bytes: input.length, sha256, hiddenChars: 0, isText: true },
  });
  expect((await send(server, { method: 'GET', path: `${iid}/input` })).text).toBe(input);
  const json = { decision: 'approve' };
  const { interaction: settled } = await ask(server, {
    method: 'POST',
    path: `${iid}/answer`,
    json,
  });
  expect(settled).toMatchObject({
    outcome: 'approved',
    reply: { behavior: 'allow', wholeInput: { sha256 } },
  });
});

it('[INT-18] is repeated by the same text in another order, and not by another number', async () => {
  const open = (input: string) =>
    send(server, {
      method: 'POST',
      path: `${path}/interactions`,
      body: `{"kind":"approval","toolName":"Run","toolCallId":"same","input":${input}}`,
    });
  expect((await open('{"n":9007199254740993,"a":1}')).status).toBe(201);
  expect((await open('{ "a" : 1, "n":9007199254740993 }')).status).toBe(200);
  const changed = await open('{"a":1,"n":9007199254740995}');
  expect(changed.status).toBe(201);
  expect(changed.text).toContain('"replaces":"same~1"');
});

it('[INT-18, LIM-1] is refused in a question and in other bodies', async () => {
  const bodies: [string, string][] = [
    [`${path}/interactions`, '{"kind":"question","toolName":"Q","input":{"constructor":1}}'],
    [`${path}/tool-calls`, '{"toolCallId":"c","toolName":"T","input":{"constructor":1}}'],
    ['/v1/sessions', '{"id":"x","metadata":{"n":9007199254740993}}'],
  ];
  for (const [at, body] of bodies) {
    expect((await send(server, { method: 'POST', path: at, body })).status).toBe(400);
  }
});
