/**
 * What a client would rather have, by the weights it gives (RFC 9110, 12.4.2): `q=0` is a refusal, and
 * of two forms the heavier one is sent.
 */
const EVENT_STREAM_NAMES = ['text/event-stream'];
const HTML_NAMES = ['text/html'];
/** What every reply can be; the widest name that a client gives stands for it. */
const JSON_NAMES = ['application/json', 'application/*', '*/*'];

/** Only who names it gets it, so that a client which takes anything is not left with an open stream. */
export function wantsStream(request: Request): boolean {
  return prefers(request, EVENT_STREAM_NAMES);
}

/** A person at a browser, which names pages before everything else. */
export function wantsPage(request: Request): boolean {
  return prefers(request, HTML_NAMES);
}

export function acceptsGzip(request: Request): boolean {
  return weightOf(request.headers.get('Accept-Encoding'), ['gzip', '*']) > 0;
}

function prefers({ headers }: Request, names: readonly string[]): boolean {
  const accept = headers.get('Accept');
  const weight = weightOf(accept, names);
  return weight > 0 && weight >= weightOf(accept, JSON_NAMES);
}

/** Of the first of these names that the header has; 0 if it has none of them. */
function weightOf(header: string | null, names: readonly string[]): number {
  if (header === null) return 0;
  const listed = header.toLowerCase().split(',').map(readRange);
  for (const name of names) {
    const weights = listed.filter((range) => range.name === name).map(({ weight }) => weight);
    if (weights.length > 0) return Math.max(...weights);
  }
  return 0;
}

function readRange(text: string): { readonly name: string; readonly weight: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const written = parameters.find((one) => /^q\s*=/.test(one))?.replace(/^q\s*=\s*/, '');
  return { name, weight: parseWeight(written) };
}

/** What is no weight says nothing, and who names something without one wants it. */
function parseWeight(written: string | undefined): number {
  return written !== undefined && /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(written)
    ? Number(written)
    : 1;
}
