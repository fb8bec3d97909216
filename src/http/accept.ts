/**
 * Which form of a response a client prefers, by the weights in its headers (RFC 9110, 12.4.2): `q=0`
 * excludes a form, and of two forms the one with the greater weight is sent.
 */
const EVENT_STREAM_NAMES = ['text/event-stream'];
const HTML_NAMES = ['text/html'];
/** The form of every other response; the widest name in the header counts. */
const JSON_NAMES = ['application/json', 'application/*', '*/*'];

/** A client must name the type: one that accepts anything must not be left with an open stream. */
export function wantsStream(request: Request): boolean {
  return prefers(request, EVENT_STREAM_NAMES);
}

/** A browser names pages before every other type. */
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

/** The weight of the first of these names that the header has; 0 if it has none of them. */
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
  const written = parameters
    .find((parameter) => /^q\s*=/.test(parameter))
    ?.replace(/^q\s*=\s*/, '');
  return { name, weight: parseWeight(written) };
}

/** A missing or malformed weight counts as 1. */
function parseWeight(written: string | undefined): number {
  return written !== undefined && /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(written)
    ? Number(written)
    : 1;
}
