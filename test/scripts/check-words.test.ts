/** The vocabulary check: a bug here lets a word in that every later reader has to look up. */
import { describe, expect, it } from 'vitest';
import { readDeclaredNames, readIdentifiers } from '../../scripts/lib/declared-names.ts';
import {
  findNamingFaults,
  isBareParticiple,
  readForbiddenWords,
} from '../../scripts/lib/vocabulary.ts';

const PAGE = `# Words
| \`door\` | in the first table, allowed |
## Do not use

| word | write |
|---|---|
| \`told\`, \`Teller\` | report |
| \`hub\` | subscribers |

## Afterwards
| \`log\` | allowed |
`;

function faultsIn(sources: Record<string, string>): string[] {
  const files = Object.entries(sources).map(([file, text]) => ({
    file,
    names: readDeclaredNames(file, text),
    identifiers: readIdentifiers(file, text),
  }));
  return findNamingFaults(files, readForbiddenWords(PAGE));
}

describe('check words', () => {
  it('reads the words of the second table alone, in lower case', () => {
    expect(readForbiddenWords(PAGE)).toEqual(['told', 'teller', 'hub']);
  });

  it('finds exported functions that are bare participles, however they are written', () => {
    const faults = faultsIn({
      'a.ts': `export function joined() {}\nexport const left = () => 1;\nexport async function kept() {}`,
      'b.ts': `function drained() {}\nexport const finished = true;\nexport function joinSession() {}\nexport function embed() {}`,
    });
    expect(faults).toEqual([
      expect.stringContaining('a.ts:1  joined'),
      expect.stringContaining('a.ts:2  left'),
      expect.stringContaining('a.ts:3  kept'),
    ]);
  });

  it('takes the verbs that end like participles', () => {
    expect(['embed', 'feed', 'read', 'seed'].map(isBareParticiple)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('finds a name that three files declare, exported or not, as a type or a value', () => {
    const faults = faultsIn({
      'a.ts': 'export interface Place {}',
      'b.ts': 'type Place = 1;',
      'c.tsx': 'const Place = 1;',
      'd.ts': 'interface Other {}',
    });
    expect(faults).toEqual([
      expect.stringContaining('Place is declared in 3 files: a.ts, b.ts, c.tsx'),
    ]);
  });

  it('counts an overloaded function once', () => {
    const text =
      'function one(a: 1): 1;\nfunction one(a: 2): 2;\nfunction one(a: unknown) { return a; }';
    expect(readDeclaredNames('a.ts', text)).toHaveLength(1);
  });

  it('finds a forbidden word as a part of a name, and not within another word', () => {
    const faults = faultsIn({
      'a.ts': 'const isTold = 1;\nclass SocketHub {}\nconst HUB_SIZE = 1;\nconst github = 1;',
    });
    expect(faults).toEqual([
      expect.stringContaining('a.ts:1  isTold'),
      expect.stringContaining('a.ts:2  SocketHub'),
      expect.stringContaining('a.ts:3  HUB_SIZE'),
    ]);
  });

  it('finds a forbidden word in members, parameters and locals too, but no participle as a local, and no word of the wire', () => {
    const faults = faultsIn({
      'a.ts': [
        'class Log {',
        '  #told = 0;',
        '  read(teller: string) { const isTold = 1; const told = 2; return isTold + told; }',
        '}',
        'const CODES = { told_before: 1 };',
      ].join('\n'),
      'b.ts': 'interface Log { told: number }',
    });
    expect(faults).toEqual([
      expect.stringContaining('a.ts:2  told'),
      expect.stringContaining('a.ts:3  teller'),
      expect.stringContaining('a.ts:3  isTold'),
      expect.stringContaining('b.ts:1  told'),
    ]);
  });
});
