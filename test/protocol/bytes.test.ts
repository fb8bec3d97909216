/** Octets of text. A bug would look like a frame or a row that is up to three times as large as promised. */
import { describe, expect, it } from 'vitest';
import { AgentSettings } from '../../src/protocol/schema/agent-settings.ts';
import { countBytes, fitsInBytes } from '../../src/protocol/bytes.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { CreateSession } from '../../src/protocol/schema/session.ts';

/** Characters of one, two, three and four octets. */
const CHARACTERS = ['x', 'é', '€', '😀'] as const;

describe('a text', () => {
  it.each(CHARACTERS)('of %s has its length in UTF-8', (character) => {
    const bytes = Buffer.byteLength(character);
    expect(countBytes(character.repeat(7))).toBe(7 * bytes);
    for (const count of [1, 33, 34, 50, 99, 100, 101]) {
      const text = character.repeat(count);
      expect(fitsInBytes(text, 100), `${count} times`).toBe(count * bytes <= 100);
      expect(fitsInBytes(text, count * bytes)).toBe(true);
      expect(fitsInBytes(text, count * bytes - 1)).toBe(false);
    }
  });
});

it('a text is measured as it is encoded, whether it is short or long', () => {
  const parts = [...CHARACTERS, '\ud83d', '\ude00', 'y\ud83d€'];
  for (const first of parts) {
    for (const second of parts) {
      for (const times of [1, 1_000, 20_000]) {
        const text = (first + second).repeat(times);
        expect(countBytes(text), JSON.stringify([first, second, times])).toBe(
          new TextEncoder().encode(text).byteLength,
        );
      }
    }
  }
});

describe('JSON in stored fields', () => {
  /** Texts of at most 2,000 characters that are exactly so many octets together. */
  function metadataOf(octets: number, character: string): Record<string, string> {
    const metadata: Record<string, string> = {};
    const bytes = Buffer.byteLength(character);
    let left = octets - '{}'.length;
    for (let index = 10; left > 0; index += 1) {
      const name = index === 10 ? '"m10":""' : ',"m11":""';
      const room = left - name.length;
      const count = Math.min(1_900, Math.floor(room / bytes));
      const rest = room - count * bytes;
      // A remainder too small for one more text is added to this text.
      const filler = rest < 2 * name.length ? 'x'.repeat(rest) : '';
      metadata[`m${index}`] = character.repeat(count) + filler;
      left = rest - filler.length;
    }
    return metadata;
  }

  it.each(CHARACTERS)('[LIM-1] metadata of %s has at most 16 KiB', (character) => {
    const most = metadataOf(LIMITS.metadataBytes, character);
    expect(countBytes(JSON.stringify(most))).toBe(LIMITS.metadataBytes);
    expect(CreateSession.safeParse({ metadata: most }).success).toBe(true);
    const more = { ...most, m10: `${most.m10}x` };
    expect(CreateSession.safeParse({ metadata: more }).success).toBe(false);
  });

  it.each(CHARACTERS)('[LIM-1] the schema of a tool in %s has at most 16 KiB', (character) => {
    const schema = (count: number) => ({ type: 'object', title: character.repeat(count) });
    const settings = (count: number) => ({
      tools: [{ type: 'client', name: 'a', description: 'b', inputSchema: schema(count) }],
    });
    const room = LIMITS.toolSchemaBytes - countBytes(JSON.stringify(schema(0)));
    const most = Math.floor(room / Buffer.byteLength(character));
    expect(AgentSettings.safeParse(settings(most)).success).toBe(true);
    expect(AgentSettings.safeParse(settings(most + 1)).success).toBe(false);
  });
});
