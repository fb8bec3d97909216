import { useLaterParts } from '../../hooks/use-later-parts.ts';
import type { KindProps } from '../card-props.ts';

/** Of all kinds it needs the most script and is asked the least, so it comes after the first screen. */
export function FormCard(props: KindProps) {
  const later = useLaterParts();
  if (later === undefined)
    return <p class="card-note">Loading the form. If it does not come, reload the page.</p>;
  return <later.FormPrompt {...props} />;
}
