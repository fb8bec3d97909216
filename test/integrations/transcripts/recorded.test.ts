/** Transcripts that the real programs wrote (test/transcript-fixture). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  detectProvider,
  readTranscript,
  TRANSCRIPT_PROVIDERS,
  TranscriptReader,
} from '../../../src/integrations/transcripts/transcript-reader.ts';
import { HistoryEntry } from '../../../src/protocol/schema/history.ts';

const textOf = (provider: string) =>
  readFileSync(new URL(`../../transcript-fixture/${provider}.jsonl`, import.meta.url), 'utf8');

describe.each(TRANSCRIPT_PROVIDERS)('the recorded transcript of %s', (provider) => {
  const text = textOf(provider);
  const { entries, session, warnings } = readTranscript(provider, text);

  it('[ALN-1] gives entries that the server takes, and nothing to clean', () => {
    expect(entries.length).toBeGreaterThan(15);
    for (const entry of entries) expect(HistoryEntry.parse(entry)).toEqual(entry);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    expect(warnings).toEqual([]);
  });

  it('[ALN-1] has the id, the folder and the model of the session', () => {
    expect(text).toContain(session?.cliSessionId);
    expect(session?.cliSessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(session?.cwd).toBe('/home/mia/work');
    expect(session?.model).toBe(provider === 'codex' ? 'scripted' : 'claude-sonnet-5-5');
    expect(detectProvider(text.slice(0, text.indexOf('\n')))).toBe(provider);
  });

  it('[ALN-1] tells each message, thought and call once, in order, in two turns', () => {
    const shown = entries.flatMap(({ type, payload }) =>
      'text' in payload ? [`${type}: ${payload.text}`] : [],
    );
    const isCodex = provider === 'codex';
    expect(shown).toEqual([
      'user_message: Please choose a database.',
      isCodex
        ? 'thinking: **Looking around** The project is empty.'
        : 'thinking: The project is empty, so I look around first.',
      'assistant_text: I look around.',
      'assistant_text: I need a decision.',
      ...(isCodex ? [] : ['assistant_text: I let a helper look.']),
      'assistant_text: It will be **PostgreSQL**. 🐘',
      'user_message: Write it down.',
      'assistant_text: I write it down.',
      'assistant_text: It is written.',
    ]);
    const turns = entries.filter(({ type }) => type === 'turn_started' || type === 'turn_ended');
    expect(turns.map(({ type }) => type)).toEqual([
      'turn_started',
      'turn_ended',
      'turn_started',
      'turn_ended',
    ]);
    expect(turns[0]?.turnId).toBe(turns[1]?.turnId);
    expect(turns[1]?.turnId).not.toBe(turns[2]?.turnId);
  });

  it('[ALN-1] has the call that asked with its input, and each call has its result', () => {
    const calls = entries.filter((one) => one.type === 'tool_call');
    const asking = calls.find(({ payload }) => JSON.stringify(payload).includes('holdpoint ask'));
    expect(asking?.toolCallId).toMatch(/^(toolu|call)_/);
    for (const call of calls) {
      const results = entries.filter(
        (one) => one.type === 'tool_result' && one.toolCallId === call.toolCallId,
      );
      expect(results).toHaveLength(1);
      const isFailing = JSON.stringify(call.payload).includes('missing.txt');
      expect(results[0]?.payload).toHaveProperty('output');
      expect(results.map(({ payload }) => 'isError' in payload && payload.isError)).toEqual([
        isFailing,
      ]);
    }
  });

  it('[ALN-1] is the same in pieces of any size', () => {
    for (const size of [1, 7, 1_000, 65_536]) {
      const reader = new TranscriptReader(provider);
      const read = [];
      for (let at = 0; at < text.length; at += size)
        read.push(...reader.push(text.slice(at, at + size)));
      read.push(...reader.end());
      expect(read).toEqual(entries);
    }
  });

  it('[ALN-1] begins with the same entries however far the program has written', () => {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      for (const end of [at - 1, at, at + 1, at + 40]) {
        const { entries: first, warnings } = readTranscript(provider, text.slice(0, end));
        expect(first).toEqual(entries.slice(0, first.length));
        expect(warnings).toEqual([]);
      }
    }
  });
});
