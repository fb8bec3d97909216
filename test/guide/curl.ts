/** The part of a shell that the commands of a guide need: `curl`, `sleep`, quotes and variables. */

export type Step =
  | { readonly sleepMs: number }
  | { readonly url: string; readonly method: string; readonly init: RequestInit };

export function stepsOf(commands: string, variables: Readonly<Record<string, string>>): Step[] {
  const lines = commands.replaceAll('\\\n', ' ').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => stepOf(wordsOf(line, variables)));
}

function stepOf([command, ...words]: readonly string[]): Step {
  if (command === 'sleep') return { sleepMs: Number(words[0]) * 1_000 };
  if (command !== 'curl') throw new Error(`The guide runs ${command}`);
  const headers: Record<string, string> = {};
  let url = '';
  let method: string | undefined;
  let body: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const value = words[at + 1] ?? '';
    if (word.startsWith('-')) at += 1;
    if (word === '-H') {
      const [name = '', content = ''] = value.split(': ');
      headers[name] = content;
    } else if (word === '-d') body = value;
    else if (word === '-X') method = value;
    else if (word.startsWith('-')) throw new Error(`curl ${word} is not known here`);
    else url = word;
  }
  method ??= body === undefined ? 'GET' : 'POST';
  return { url, method, init: { method, headers, ...(body !== undefined && { body }) } };
}

function wordsOf(line: string, variables: Readonly<Record<string, string>>): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const filled = (text: string) =>
    text.replace(/\$(\w+)/g, (_all, name: string) => variables[name] ?? '');
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_all, single, double, bare) =>
      typeof single === 'string' ? single : filled((double ?? bare) as string),
    ),
  );
}
