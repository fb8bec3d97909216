/** The pages of the settings, in the order of their list, a group together. */
import { t } from './language.ts';
import { hasScope, type Person } from './person.ts';

export const SECTIONS = [
  { id: 'alerts', group: 'you', words: () => t('Sound and badge') },
  { id: 'appearance', group: 'you', words: () => t('Appearance') },
  { id: 'devices', group: 'you', words: () => t('Devices and tokens') },
  { id: 'connect', group: 'agents', words: () => t('Connect an agent') },
  { id: 'people', group: 'workspace', words: () => t('People'), needs: 'admin' },
  { id: 'targets', group: 'workspace', words: () => t('Targets'), needs: 'admin' },
  { id: 'rules', group: 'workspace', words: () => t('Rules'), needs: 'read' },
  { id: 'status', group: 'workspace', words: () => t('Status'), needs: 'admin' },
  { id: 'keys', group: 'workspace', words: () => t('Keys'), needs: 'admin' },
  { id: 'audit', group: 'workspace', words: () => t('Audit'), needs: 'admin' },
  { id: 'defaults', group: 'workspace', words: () => t('Defaults'), needs: 'admin' },
  { id: 'retention', group: 'workspace', words: () => t('Retention'), needs: 'admin' },
  { id: 'workspaces', group: 'workspace', words: () => t('Workspaces'), needs: 'admin' },
] as const;

export type SettingsSection = (typeof SECTIONS)[number];

/** The pages that would show this person something. */
export function sectionsFor(person: Person): readonly SettingsSection[] {
  return SECTIONS.filter((section) => !('needs' in section) || hasScope(person, section.needs));
}
