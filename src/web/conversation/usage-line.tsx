import type { Usage } from '../../protocol/types.ts';
import { hasTokens, usageDetails, usageText } from '../model/usage-words.ts';

/** The tokens of a turn, beside how it ended. */
export function UsageLine({ usage }: { readonly usage: Usage | undefined }) {
  if (!hasTokens(usage)) return null;
  return (
    <p class="usage" title={usageDetails(usage)}>
      {usageText(usage)}
    </p>
  );
}
