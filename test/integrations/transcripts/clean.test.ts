/**
 * What strict JSON refuses, and files that are cut, long or broken. A bug here looks like an import that the server refuses,
 * or like a text that differs from the transcript and nobody says so.
 */
import { describe, expect, it } from 'vitest';
import {
  detectProvider,
  readTranscript,
  TranscriptReader,
} from '../../../src/integrations/transcripts/transcript-reader.ts';
import { parseJson } from '../../../src/protocol/json.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { HistoryEntry } from '../../../src/protocol/schema/history.ts';
import { claude, linesOf } from './lines.ts';
import { inLongRun } from '../../support/run-length.ts';

const HELLO = linesOf(claude.user(1, 'Hello'));
const read = (text: string) => readTranscript('claude-code', text);

/** A line whose tool result is this JSON. */
const resultLine = (output: string) =>
  `{"type":"user","uuid":"u2","toolUseResult":${output},"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":""}]}}\n`;

function expectAccepted(entries: readonly HistoryEntry[]) {
  for (const entry of entries) expect(HistoryEntry.parse(entry)).toEqual(entry);
  const body = JSON.stringify({ provider: 'claude-code', entries });
  expect(parseJson(body, { maxNodes: LIMITS.historyJsonValues })).toMatchObject({ ok: true });
}

describe('what strict JSON refuses', () => {
  it.each([
    ['"a\\ud83d"', 'a\uFFFD', 'half of a surrogate pair was replaced with U+FFFD'],
    ['"a\\u0000b"', 'a\uFFFDb', 'the character U+0000 was replaced with U+FFFD'],
    ['{"a":1,"a":2}', { a: 2 }, '1 of its keys stood there twice; the last value was kept'],
    [
      '{"b":{"a":1,"\\u0061":2,"a":"\\"a\\":"}}',
      { b: { a: '"a":' } },
      '2 of its keys stood there twice; the last value was kept',
    ],
    ['{"__proto__":1,"a":2}', { a: 2 }, 'the key "__proto__" is reserved and was left out'],
    [
      '{"a":9007199254740993}',
      { a: '9007199254740992' },
      'a number beyond 2^53 was written as text',
    ],
    ['{"a":1e999}', { a: 'Infinity' }, 'a number beyond 2^53 was written as text'],
    ['{"a\\u0000":1}', { 'a\uFFFD': 1 }, 'the character U+0000 was replaced with U+FFFD'],
  ])('[ALN-1] is cleaned with a warning: %s', (written, output, what) => {
    const { entries, warnings } = read(HELLO + resultLine(written));
    expect(entries[2]?.payload).toEqual({ output });
    expect(warnings).toEqual([{ line: 2, what }]);
    expectAccepted(entries);
  });

  it('[ALN-1] is a value nested too deep, and ids with other characters', () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const { entries, warnings } = read(resultLine(deep).replace('"t1"', '"t/1 ü"'));
    expect(JSON.stringify(entries[0]?.payload).match(/\{/g)).toHaveLength(26);
    expect(entries[0]).toHaveProperty('toolCallId', 't_1__');
    expect(warnings.map(({ what }) => what)).toEqual([
      'characters of an id were replaced with _',
      'what is nested more than 26 levels deep was left out',
    ]);
    expectAccepted(entries);
  });

  it('[ALN-1] leaves what is strict as it is, and warns of nothing', () => {
    const output = { a: [1, -0.5, true, null, 'ü🐘', { b: 'x"\\": ' }], 'c:': '' };
    const { entries, warnings } = read(resultLine(JSON.stringify(output)));
    expect(entries[0]?.payload).toEqual({ output });
    expect(warnings).toEqual([]);
  });
});

describe('a long line', () => {
  it.each([
    ['of letters', 'x'],
    ['of letters with three bytes each', '語'],
    ['of pairs', '🐘'],
    ['of escapes', '\\u0001'],
    ['of quotes', '\\"'],
  ])('[ALN-1] %s is cut at the published limits with a warning', (_name, letter) => {
    const { entries, warnings } = read(resultLine(`"${letter.repeat(600_000)}"`));
    const [entry] = entries;
    const output = entry?.type === 'tool_result' ? String(entry.payload.output) : '';
    expect(output.length).toBeGreaterThan(80_000);
    expect(output.length).toBeLessThanOrEqual(LIMITS.eventTextChars);
    expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThanOrEqual(LIMITS.historyEntryBytes);
    expect(warnings[0]).toEqual({ line: 1, what: 'a text was cut at 262,144 characters' });
    expectAccepted(entries);
  });

  it('[ALN-1] of many texts or values is cut as a whole', () => {
    const texts = JSON.stringify(Array.from({ length: 40 }, () => ['x'.repeat(20_000)]));
    const cut = read(resultLine(texts));
    expect(cut.warnings.map(({ what }) => what)).toEqual(['cut at 512,000 bytes']);
    expect(Buffer.byteLength(JSON.stringify(cut.entries[0]?.payload))).toBeLessThanOrEqual(
      LIMITS.historyEntryBytes,
    );
    const values = read(
      resultLine(JSON.stringify(Array.from({ length: 60_000 }, (_, n) => n % 10))),
    );
    expect(values.warnings.map(({ what }) => what)).toEqual(['cut at 20,000 values']);
    expectAccepted([...cut.entries, ...values.entries]);
  });

  it('[ALN-1] of 50 MB is read in pieces and cut; the lines around it are whole', () => {
    const reader = new TranscriptReader('claude-code');
    const [head = '', tail = ''] = resultLine('"|"').split('|');
    const entries = [...reader.push(HELLO), ...reader.push(head)];
    const piece = 'y'.repeat(65_536);
    for (let chars = 0; chars < 50_000_000; chars += piece.length) reader.push(piece);
    entries.push(...reader.push(tail), ...reader.push(HELLO), ...reader.end());
    const result = entries.find(({ type }) => type === 'tool_result');
    expect(result?.payload).toEqual({ output: 'y'.repeat(LIMITS.eventTextChars) });
    expect(entries.filter(({ type }) => type === 'user_message')).toHaveLength(2);
    expect(reader.warnings).toEqual([{ line: 2, what: 'a text was cut at 262,144 characters' }]);
  });

  it('[ALN-1] beyond 64 MiB is left out with a warning', () => {
    const reader = new TranscriptReader('claude-code');
    const piece = 'y'.repeat(1_048_576);
    for (let n = 0; n < 65; n += 1) reader.push(piece);
    expect(reader.push(`\n${HELLO}`)).toHaveLength(2);
    expect(reader.warnings).toEqual([
      { line: 1, what: 'longer than 67,108,864 characters, left out' },
    ]);
  });
});

describe('a file', () => {
  it('[ALN-1] that is cut in the middle of its last line is read up to it, without a warning', () => {
    for (const end of [HELLO.length + 1, HELLO.length + 30, 2 * HELLO.length - 2]) {
      const { entries, warnings } = read((HELLO + HELLO).slice(0, end));
      expect(entries).toHaveLength(2);
      expect(warnings).toEqual([]);
    }
    expect(read((HELLO + HELLO).slice(0, -1)).entries.length).toBeGreaterThan(2);
  });

  it('[ALN-1] with a broken line in its middle loses this line alone, with a warning', () => {
    const { entries, warnings } = read(`${HELLO}{"type":"us\n\n[1]\n${resultLine('"a"')}`);
    expect(entries.map(({ type }) => type)).toEqual([
      'turn_started',
      'user_message',
      'tool_result',
    ]);
    expect(warnings).toEqual([
      { line: 2, what: 'not a JSON object, left out' },
      { line: 4, what: 'not a JSON object, left out' },
    ]);
  });

  it('[ALN-1] may begin with a byte order mark and have carriage returns', () => {
    const { entries, warnings } = read(`\uFEFF${HELLO.replace('\n', '\r\n')}`);
    expect(entries).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  inLongRun(() => {
    it('[ALN-1] of a million lines holds no more than one line and a thousand warnings', () => {
      const reader = new TranscriptReader('claude-code');
      const lines = `${HELLO}{"type":"broken\n${'{"type":"mode"}\n'.repeat(98)}`.repeat(100);
      let entries = 0;
      for (let n = 0; n < 100; n += 1) entries += reader.push(lines).length;
      // Each turn but the last one is ended by the next.
      expect(entries).toBe(10_000 * 3 - 1);
      expect(reader.warningCount).toBe(10_000);
      expect(reader.warnings).toHaveLength(1_000);
    });
  });

  it('[ALN-1] from the future, or with times that are none, keeps its order', () => {
    const from = (timestamp: unknown) => linesOf({ ...claude.user(1, 'Hello'), timestamp });
    const { entries } = read(
      from('2999-01-01T00:00:00Z') + from('soon') + from(-1) + from('1969-01-01T00:00:00Z'),
    );
    const future = Date.parse('2999-01-01T00:00:00Z');
    expect(new Set(entries.map(({ at }) => at))).toEqual(new Set([future]));
    expectAccepted(entries);
    expect(read(from(undefined)).entries[0]?.at).toBe(0);
  });

  it.each([
    ['{"type":"session_meta","payload":{"id":"a"}}', 'codex'],
    ['{"id":"a","timestamp":"2025","instructions":null}', 'codex'],
    ['{"type":"summary","summary":"a","leafUuid":"b"}', 'claude-code'],
    ['{"type":"user","sessionId":"a"}', 'claude-code'],
    ['{"type":"user"}', undefined],
    ['hello', undefined],
  ])('says by its first line which program wrote it: %s', (line, provider) => {
    expect(detectProvider(line)).toBe(provider);
  });
});
