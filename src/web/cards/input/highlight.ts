/** Colors of code: the kinds of its tokens, line by line. The scanner and the languages are fetched when code is first shown. */
import { useEffect, useState } from 'preact/hooks';

export interface CodeToken {
  readonly kind: string;
  readonly text: string;
}

/** The tokens of each line; undefined where the code stays plain. */
export type TokenizeLines = (
  lines: readonly string[],
) => readonly (readonly CodeToken[])[] | undefined;

async function loadTokenizer(language: string): Promise<TokenizeLines | undefined> {
  const { tokenizerOf } = await import('./tokenizers.ts');
  return tokenizerOf(language);
}

/** Undefined until it is loaded, and where it fails to load: code is then plain. */
export function useTokenizer(language: string | undefined): TokenizeLines | undefined {
  const [found, setFound] = useState<{
    readonly language: string;
    readonly tokenize: TokenizeLines;
  }>();
  useEffect(() => {
    if (language === undefined) return;
    let isWanted = true;
    loadTokenizer(language).then(
      (tokenize) => {
        if (isWanted && tokenize !== undefined) setFound({ language, tokenize });
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [language]);
  return found?.language === language ? found?.tokenize : undefined;
}
