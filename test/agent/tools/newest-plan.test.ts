/** The plan that a review shows. A bug here makes a person approve an older plan than the agent means. */
import { describe, expect, it } from 'vitest';
import { newestPlan } from '../../../src/agent/tools/person-tools.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

describe('[RUN-8] the newest plan', () => {
  it('is missing if no file is under plans/', () => {
    expect(newestPlan(new MemoryFiles())).toBeUndefined();
    const elsewhere = { plans: 'a', 'Plans/a.md': 'b', 'notes/plans/a.md': 'c', 'plans.md': 'd' };
    expect(newestPlan(new MemoryFiles(elsewhere))).toBeUndefined();
  });

  it('is the newest file anywhere under plans/', () => {
    const files = new MemoryFiles({
      'plans/z.md': 'first',
      'plans/a/b.md': 'second',
      'c.md': 'no',
    });
    expect(newestPlan(files)).toBe('second');
    files.run('Edit', { path: 'plans/z.md', oldText: 'first', newText: 'third' });
    expect(newestPlan(files)).toBe('third');
    files.run('Write', { path: 'plans/0.md', content: '' });
    expect(newestPlan(files)).toBe('');
  });

  it('is, of two written in the same moment, the first by its path', () => {
    const files = new MemoryFiles();
    files.store({ path: 'plans/b.md', content: 'b' }, 5);
    files.store({ path: 'plans/a.md', content: 'a' }, 5);
    files.store({ path: 'plans/0.md', content: 'old' }, 4);
    expect(newestPlan(files)).toBe('a');
  });
});
