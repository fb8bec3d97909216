/** Makes one fault in a text or its bytes. */
import type { Random } from '../support/random.ts';
import { oddToken } from './odd-values.ts';

/** Matches a value or a key in JSON text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g;

export function mutateText(text: string, random: Random): Buffer {
  switch (random.weighted({ token: 5, twice: 2, bytes: 3, cut: 2, around: 1, charset: 1 })) {
    case 'token':
      return Buffer.from(withOddToken(text, random));
    case 'twice':
      return Buffer.from(withKeyTwice(text, random));
    case 'bytes':
      return mutateBytes(Buffer.from(text), random);
    case 'cut':
      return Buffer.from(text).subarray(0, random.int(0, text.length));
    case 'around':
      return Buffer.from(
        random.pick([
          `\ufeff${text}`,
          ` \r\n${text}\n `,
          `${text}${text}`,
          `${text}\0`,
          `[${text}]`,
        ]),
      );
    case 'charset':
      return Buffer.from(text, random.pick(['utf16le', 'latin1']));
  }
}

function withOddToken(text: string, random: Random): string {
  const found = random.pick([...text.matchAll(TOKEN)]);
  if (found === undefined) return oddToken(random);
  return text.slice(0, found.index) + oddToken(random) + text.slice(found.index + found[0].length);
}

function withKeyTwice(text: string, random: Random): string {
  const found = random.pick([...text.matchAll(/([{,])("(?:[^"\\]|\\.)*"):/g)]);
  if (found === undefined) return `{"a":1,"a":1}`;
  const [whole, before, key] = found;
  const twice = `${before}${key}:${random.pick(['1', 'null', key ?? '0'])},${whole.slice(1)}`;
  return text.slice(0, found.index) + twice + text.slice(found.index + whole.length);
}

/** Flips, drops, doubles and inserts a few bytes. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const list = [...bytes];
  for (let times = random.int(1, 4); times > 0; times -= 1) {
    const at = random.int(0, Math.max(0, list.length - 1));
    const byte = random.pick([0, 0x0a, 0x22, 0x5c, 0x7b, 0x7f, 0x80, 0xc0, 0xed, 0xff]);
    switch (random.pick(['flip', 'drop', 'double', 'insert'])) {
      case 'flip':
        list[at] = (list[at] ?? 0) ^ (1 << random.int(0, 7));
        break;
      case 'drop':
        list.splice(at, random.int(1, 8));
        break;
      case 'double':
        list.splice(at, 0, ...list.slice(at, at + random.int(1, 64)));
        break;
      case 'insert':
        list.splice(at, 0, byte);
    }
  }
  return Buffer.from(list);
}
