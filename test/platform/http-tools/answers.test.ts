/**
 * The answer of a tool as the model receives it.
 *
 * A bug here shows the model raw bytes, a partial answer as complete, or an error as a success.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { Answer } from '../../support/tool-receiver.ts';
import { callReceiver } from './calls.ts';

const ok = (content: string) => ({ content, isError: false });
const error = (content: string) => ({ content, isError: true });
const CUT =
  /\n\n\[The answer is longer\. It was cut here; how much more there is, is not known\.\]$/;

function reply(status: number, type: string | undefined, body: string | Buffer = ''): Answer {
  const headers = type === undefined ? {} : { 'content-type': type };
  return (response) => response.writeHead(status, headers).end(body);
}

async function outputOf(answer: Answer) {
  return (await callReceiver(answer)).output;
}

describe('[RUN-8] an answer', () => {
  it.each([
    ['text/plain', 'Deployed'],
    ['text/plain; charset=utf-8', 'Grüße 👩‍💻'],
    ['TEXT/HTML; Charset="UTF-8"', '<p>Deployed</p>'],
    ['application/json', '{"isDone":true}'],
    ['application/vnd.api+json; charset=utf-8', '{}'],
    ['text/csv;header=present', 'a,b'],
  ])('of the type %s is given word for word', async (type, body) => {
    expect(await outputOf(reply(200, type, body))).toEqual(ok(body));
    expect(await outputOf(reply(201, type, body))).toEqual(ok(body));
  });

  it('is read in its declared encoding', async () => {
    const body = Buffer.from('Grüße', 'latin1');
    expect(await outputOf(reply(200, 'text/plain; charset=iso-8859-1', body))).toEqual(ok('Grüße'));
  });

  it('may arrive in chunks that split a character', async () => {
    const bytes = Buffer.from('a😀b');
    const answer: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(bytes.subarray(0, 3));
      setTimeout(() => response.end(bytes.subarray(3)), 20);
    };
    expect(await outputOf(answer)).toEqual(ok('a😀b'));
  });

  it('holds no character that cannot be stored', async () => {
    expect(await outputOf(reply(200, 'text/plain', 'a\0b\xff'))).toEqual(ok('a\uFFFDbÿ'));
    const broken = Buffer.from([0x61, 0xff, 0x62]);
    expect(await outputOf(reply(200, 'text/plain', broken))).toEqual(ok('a\uFFFDb'));
  });

  it.each([
    [reply(204, undefined), 'The tool answered 204, without content.'],
    [reply(200, undefined), 'The tool answered 200, without content.'],
    [reply(200, 'application/json'), 'The tool answered 200, without content.'],
  ])('may be empty (%#)', async (answer, content) => {
    expect(await outputOf(answer)).toEqual(ok(content));
  });

  it.each([
    'image/png',
    'application/octet-stream',
    'application/pdf',
    'multipart/form-data; boundary=a',
    'text/plain; charset=klingon',
    'textplain',
    'application/jsonp',
  ])('of the type %s is an error that names it', async (type) => {
    expect(await outputOf(reply(200, type, 'x'))).toEqual(
      error(
        `The tool answered 200, with content of the type ${type}. Only text and JSON can be read.`,
      ),
    );
  });

  it('without a type is an error, and so is an answer with an overlong type', async () => {
    expect(await outputOf(reply(200, undefined, 'x'))).toEqual(
      error('The tool did not say of which type its answer is.'),
    );
    const { content } = await outputOf(reply(200, `image/${'x'.repeat(5_000)}`, 'x'));
    expect(content.length).toBeLessThan(300);
  });
});

describe('[RUN-7] a long answer', () => {
  it('is cut to the limit of an output, and marked as cut', async () => {
    const { content, isError } = await outputOf(reply(200, 'text/plain', 'x'.repeat(5_000_000)));
    expect(isError).toBe(false);
    expect(content).toHaveLength(LIMITS.toolOutputChars);
    expect(content).toMatch(CUT);
  });

  it('is returned whole up to the limit', async () => {
    const { content: cut } = await outputOf(reply(200, 'text/plain', 'x'.repeat(70_000)));
    const room = cut.replace(CUT, '').length;
    expect(await outputOf(reply(200, 'text/plain', 'x'.repeat(room)))).toEqual(
      ok('x'.repeat(room)),
    );
    expect((await outputOf(reply(200, 'text/plain', 'x'.repeat(room + 1)))).content).toBe(cut);
  });

  it('is not cut in the middle of a character', async () => {
    for (const shift of ['', 'x']) {
      const body = `${shift}${'😀'.repeat(40_000)}`;
      const { content } = await outputOf(reply(200, 'text/plain', body));
      expect(content.isWellFormed()).toBe(true);
      expect(content).toMatch(CUT);
    }
  });

  it('without an end is cut as well, and its connection closed', async () => {
    const { output, receiver } = await callReceiver((response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    expect(output.content).toMatch(CUT);
    expect(output.content.length).toBeLessThanOrEqual(LIMITS.toolOutputChars);
    await receiver.hangUp;
  });
});

describe('[RUN-8] a missing answer', () => {
  it.each([
    [reply(500, 'text/plain', 'Out of disk'), 'The tool answered 500: Out of disk'],
    [reply(404, 'application/json', '{"error":"no"}'), 'The tool answered 404: {"error":"no"}'],
    [reply(503, undefined), 'The tool answered 503.'],
    [reply(502, 'text/html', ' \n'), 'The tool answered 502.'],
    [reply(400, 'image/png', 'x'), 'The tool answered 400.'],
    [reply(500, 'text/plain', 'x'.repeat(10_000)), `The tool answered 500: ${'x'.repeat(2_000)}…`],
    [reply(500, 'text/plain', 'x'.repeat(2_000)), `The tool answered 500: ${'x'.repeat(2_000)}`],
  ])('is an error (%#)', async (answer, content) => {
    expect(await outputOf(answer)).toEqual(error(content));
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    '%i is a redirect, and not followed',
    async (status) => {
      const { output, receiver } = await callReceiver((response) => {
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
      expect(output).toEqual(error('The tool answered with a redirect, which is not followed.'));
      expect(receiver.received.map(({ path }) => path)).toEqual(['/run']);
    },
  );
});
