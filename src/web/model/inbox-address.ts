/** What the inbox shows, as its address says it: a link shows another person the same. */
import { type InboxFilter, RISKS } from '../../protocol/inbox-filter.ts';
import type { Location } from './location.ts';

export function filterOf(location: Location): InboxFilter {
  const { find, in: session, by, tool, kind, risk, label } = location;
  const known = RISKS.find((one) => one === risk);
  return withoutEmpty({
    find,
    session,
    by,
    tool,
    kind,
    label,
    risk: known,
    for: location.for === 'me' ? 'me' : undefined,
  });
}

/** The address with another filter. It names no request: the named one may not be in the new list. */
export function withFilter({ tab }: Location, filter: InboxFilter): Location {
  const { session: within, ...rest } = filter;
  return withoutEmpty({ page: 'inbox', tab, ...rest, in: within });
}

export function isFiltered(filter: InboxFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** The address of one request; undefined for the list alone, which is a screen of its own on a phone. */
export function withSelected(
  { session: _session, interaction: _interaction, ...rest }: Location,
  selected: { readonly sessionId: string; readonly interactionId: string } | undefined,
): Location {
  return selected === undefined
    ? rest
    : { ...rest, session: selected.sessionId, interaction: selected.interactionId };
}

type Present<Parts> = { [Name in keyof Parts]?: NonNullable<Parts[Name]> };

function withoutEmpty<Parts extends object>(parts: Parts): Present<Parts> {
  const entries = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(entries) as Present<Parts>;
}
