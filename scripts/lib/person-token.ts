/** A token for whoever runs `npm start`, so that the chat opens without anybody typing a key. */
import { userInfo } from 'node:os';

const DAYS_30 = 30 * 24 * 3600;

export async function personToken(url: string, adminKey: string): Promise<string> {
  const response = await fetch(`${url}/v1/tokens`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      scopes: ['read', 'answer', 'send'],
      subject: userName(),
      ttlSeconds: DAYS_30,
    }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer !== null && 'token' in answer)
    return String(answer.token);
  throw new Error(`POST /v1/tokens answered ${response.status}: ${JSON.stringify(answer)}`);
}

/** A container may run us under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username || 'me';
  } catch {
    return 'me';
  }
}
