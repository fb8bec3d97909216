/** How long the API asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const ms = number(headers?.get('retry-after-ms'));
  if (ms !== undefined) return Math.round(ms);
  const text = headers?.get('retry-after');
  const seconds = number(text);
  if (seconds !== undefined) return Math.round(seconds * 1_000);
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function number(text: string | null | undefined): number | undefined {
  return text != null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
