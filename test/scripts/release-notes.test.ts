/** A bug here publishes notes of another version, or loses those of an older one. */
import { describe, expect, it } from 'vitest';
import { cutRelease, isVersion } from '../../scripts/lib/release-notes.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n';

describe('the notes of a release', () => {
  it('moves what is unreleased under the version, and keeps what is older', () => {
    const { changelog, notes } = cutRelease(CHANGELOG, '0.2.0', '2026-02-03');
    expect(notes).toBe('- New.');
    expect(changelog).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n',
    );
  });

  it('refuses a second release of a version, and one without notes', () => {
    expect(() => cutRelease(CHANGELOG, '0.1.0', '2026-02-03')).toThrow(/0\.1\.0 already/);
    const empty = '# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n';
    expect(() => cutRelease(empty, '0.2.0', '2026-02-03')).toThrow(/lists nothing/);
    expect(() => cutRelease('# Changelog\n', '0.2.0', '2026-02-03')).toThrow(/no section/);
  });

  it('knows a version from other words', () => {
    expect(['1.2.3', '0.1.0-beta.1', 'v1.2.3', '1.2', 'latest', ''].map(isVersion)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
