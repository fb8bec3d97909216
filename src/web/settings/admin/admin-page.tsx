/**
 * The pages for administrators: status, keys, the audit list and the defaults.
 *
 * They are one file that is fetched when the first of them is opened, with their style: most people never see them.
 */
import { useMemo } from 'preact/hooks';
import type { ServerClock } from '../../clock.ts';
import { hasScope, type Person } from '../../model/person.ts';
import { t } from '../../model/language.ts';
import { adoptStyle } from '../../styles/adopt-style.ts';
import adminStyle from '../../styles/admin.css?inline';
import { type AdminRequests, serverAdmin } from './admin-requests.ts';
import { AuditPage } from './audit-page.tsx';
import { DefaultsPage } from './defaults-page.tsx';
import { KeysPage } from './keys-page.tsx';
import { RetentionPage } from './retention-page.tsx';
import { StatusPage } from './status-page.tsx';
import { WorkspacesPage } from './workspaces-page.tsx';

adoptStyle(adminStyle);

export interface AdminPageProps {
  readonly section: string;
  readonly person: Person;
  readonly clock: ServerClock;
  /** Left out, the server that served this page. */
  readonly requests?: (person: Person) => AdminRequests;
}

const PAGES = {
  status: StatusPage,
  keys: KeysPage,
  audit: AuditPage,
  defaults: DefaultsPage,
  retention: RetentionPage,
  workspaces: WorkspacesPage,
} as const;

export function AdminPage({ section, person, clock, requests = serverAdmin }: AdminPageProps) {
  const admin = useMemo(() => requests(person), [person, requests]);
  const Page = PAGES[section as keyof typeof PAGES];
  if (hasScope(person, 'admin')) return <Page requests={admin} {...{ clock, person }} />;
  return (
    <section class="settings-section">
      <p>
        {t(
          'Only administrators see this page. The link that you signed in with does not have that right. Ask an administrator, or sign in with an administrator’s key.',
        )}
      </p>
    </section>
  );
}
