/** The judge of the crash test finds each rule of the Messages API that a request breaks. */
import { expect, it } from 'vitest';
import { requestFaults } from './request-rules.ts';

const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'ok',
  ...more,
});
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'signed' };
const request = (...messages: object[]) => ({ model: 'a', max_tokens: 1, messages });

const GOOD = [user(text('Hi')), assistant(thinking, text('Look'), use('a'), use('b'))];

it('accepts the requests that the API accepts', () => {
  const whole = request(...GOOD, user(result('b'), result('a'), text('And?')));
  expect(requestFaults(whole)).toEqual([]);
});

it.each([
  ['a result is missing', request(...GOOD, user(result('a'))), 'no result for b'],
  ['a result is there twice', request(...GOOD, user(result('a'), result('a'), result('b'))), 'two'],
  ['a result has no call', request(user(result('z'))), 'not called just before'],
  ['a result follows text', request(...GOOD, user(text('x'), result('a'), result('b'))), 'after'],
  ['nobody answered', request(...GOOD), 'without a result'],
  ['the assistant begins', request(assistant(text('Hi'))), 'role assistant'],
  ['two of the user', request(user(text('a')), user(text('b'))), 'role user'],
  ['the assistant is last', request(user(text('a')), assistant(text('b'))), 'spoke last'],
  ['blank text', request(user(text(' '))), 'without text'],
  ['no content', request(user()), 'no content'],
  [
    'an id twice',
    request(user(text('a')), assistant(use('a'), use('a')), user(result('a'))),
    'second time',
  ],
  [
    'an error without words',
    request(...GOOD, user(result('a'), result('b', { is_error: true, content: '' }))),
    'without a word',
  ],
  [
    'thinking that is not signed',
    request(user(text('a')), assistant({ ...thinking, signature: '' }, text('b')), user(text('c'))),
    'not signed',
  ],
  [
    'thinking at the end',
    request(user(text('a')), assistant(text('b'), thinking), user(text('c'))),
    'at the end',
  ],
  [
    'thinking after a call',
    request(user(text('a')), assistant(use('a'), thinking, text('b')), user(result('a'))),
    'after a call',
  ],
  ['no model', { ...request(user(text('a'))), model: '' }, 'model'],
  ['a tool twice', { ...request(user(text('a'))), tools: [{ name: 'A' }, { name: 'A' }] }, 'twice'],
])('notices that %s', (_what, body, fault) => {
  expect(requestFaults(body).join('; ')).toContain(fault);
});
