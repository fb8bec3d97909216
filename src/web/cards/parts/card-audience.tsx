import type { Interaction } from '../../../protocol/types.ts';
import { audienceNames } from '../../model/audience.ts';
import { t } from '../../model/language.ts';

/** Who is asked; nothing where everyone is. */
export function CardAudience({ record: { audience } }: { readonly record: Interaction }) {
  return (
    audience && (
      <p class="card-audience" dir="auto">
        {t('For {audience}', { audience: audienceNames(audience) })}
      </p>
    )
  );
}
