/**
 * What a workspace says of those who have voted on a request, when the next approval counts them anew.
 *
 * A vote ends with what it was given by: a credential of its line that was revoked, a browser that was signed out from
 * elsewhere, a target that is gone, a person who was removed. It outlives its credential where that has only expired, and
 * a browser in which the person signed out: neither says that the person did not approve.
 */
import type { Settler } from '../protocol/schema/actor.ts';
import type { VoterStanding } from '../protocol/schema/audience-rule.ts';
import { rejectedBrowser } from './credential-ends.ts';
import type { Directory } from './directory.ts';
import type { Groups } from './groups.ts';
import type { WorkspaceStore } from './store.ts';
import type { TargetOutbox } from './target-outbox.ts';

interface VoterPorts {
  readonly store: WorkspaceStore;
  readonly groups: Pick<Groups, 'namesOf'>;
  readonly directory: Pick<Directory, 'isRemoved'>;
  readonly outbox: Pick<TargetOutbox, 'targets'>;
}

export function standingOf(
  { store, groups, directory, outbox }: VoterPorts,
  { subject, credential, key }: Settler,
): VoterStanding {
  const target = outbox.targets().find(({ id }) => id === credential);
  const isTargetGone = credential?.startsWith('tgt_') === true && target === undefined;
  const chain = credential === undefined ? [] : (store.tokens.find(credential)?.chain ?? []);
  const line = [credential, key, ...chain].flatMap((id) => {
    if (id === undefined) return [];
    return [id.startsWith('sgn_') ? rejectedBrowser(id) : id];
  });
  return {
    subject,
    ...(credential !== undefined && { credential }),
    isGone:
      isTargetGone ||
      directory.isRemoved(subject) ||
      (line.length > 0 && store.revocations.firstAt(line) !== null),
    groups: groups.namesOf(subject, { withFormer: false }),
    targets: target?.name === undefined ? [] : [target.name],
  };
}
