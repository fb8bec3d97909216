/**
 * Whether a label plainly asks for a secret.
 *
 * A form is logged, shown on every device and sent to webhooks, so a person must not type a secret into a form (MCP has
 * the same rule for its form mode). Only the name and the title are judged, in English: the label must ask for the
 * secret itself, as `apiKey` and "Password for the router" do; `passwordLength` and `maxTokens` do not. The check stops
 * an honest mistake; it cannot stop an agent that words the label differently.
 */

const SECRET = [
  'pass ?(?:words?|phrases?|codes?)',
  'passwd|pwd',
  'secrets?',
  '(?:api|access|secret|private|signing|encryption) ?keys?',
  'token',
  '(?:access|api|auth|bearer|refresh|session) ?tokens',
  '(?:seed|recovery) ?phrases?',
  '(?:credit|debit) ?cards?',
  '(?:card|cc) ?(?:numbers?|no)',
  'cvv|cvc|cvv2|card security code',
  'otp|one time codes?',
].join('|');
const ENDS_THE_PHRASE =
  'for|of|to|from|on|in|with|and|or|here|again|please|value|number|confirmation';
const ASKS_FOR_SECRET = new RegExp(`\\b(?:${SECRET})(?: ?\\d+)?(?: (?:${ENDS_THE_PHRASE})\\b|$)`);

export function asksForSecret(label: string): boolean {
  return ASKS_FOR_SECRET.test(inWords(label));
}

/** `githubAPIKey`, `github_api_key` and "GitHub API key:" as the same lower-case words. */
function inWords(label: string): string {
  return label
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
}
