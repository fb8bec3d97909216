import type { WebAddress } from '../../../display/display.ts';
import { t } from '../../model/language.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Literal } from '../../ui/literal.tsx';
import { FieldRows } from './field-rows.tsx';

interface AddressViewProps {
  readonly part: WebAddress;
  readonly isWhole: boolean;
}

/** The host first, because it says who gets the request. */
export function AddressView({ part, isWhole }: AddressViewProps) {
  const { url, method, host, isPunycode, path, query } = part;
  return (
    <section class="address-part">
      <p class="address-host">
        {method !== undefined && (
          <span class="address-method">
            <Literal text={method} />{' '}
          </span>
        )}
        <strong>
          <Literal text={host} />
        </strong>
      </p>
      {isPunycode && (
        <p class="card-note">{t('Part of the name is written in letters of another alphabet.')}</p>
      )}
      <FieldRows fields={[['path', path], ...query]} isWhole={isWhole} />
      <p class="address-whole">
        <code>
          <Literal text={url} />
        </code>
        <CopyButton kind="quiet" text={url} label={t('Copy the address')} />
      </p>
    </section>
  );
}
