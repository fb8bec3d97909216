import { describe, expect, it } from 'vitest';
import { judge, readCitations, readRules } from '../../scripts/lib/rule-book.ts';

const BOOK = `# Behavior
- **LOG-1** (built) One log.
- **LOG-2** (built) Its types.
- **LOG-3** (planned) Later.
`;

function verdictOn(test: string) {
  return judge(readRules(BOOK).rules, readCitations('test/log.test.ts', test));
}

describe('check rules', () => {
  it('is content when every built rule is cited, several in one bracket or one each', () => {
    const { errors, warnings, summary } = verdictOn(`
      describe('[LOG-1] the log', () => {});
      it.each([1])(\`[LOG-1, LOG-2] \${'x'}\`, () => {});
    `);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(summary).toBe('3 rules: 2 built (2 cited by tests), 1 planned');
  });

  it('fails for a built rule without a test', () => {
    expect(verdictOn(`it('[LOG-1] holds', () => {});`).errors).toEqual([
      expect.stringContaining('LOG-2 is built, and no test cites it'),
    ]);
  });

  it('counts no skipped test, and no bracket outside a title', () => {
    const { errors } = verdictOn(`
      // [LOG-1]
      it.skip('[LOG-1] holds', () => {});
      test.todo('[LOG-2] holds');
      const x = 'see [LOG-2]';
    `);
    expect(errors).toHaveLength(2);
  });

  it('fails for a rule that does not exist, and says where it is cited', () => {
    const { errors } = verdictOn(
      `it('[LOG-1, LOG-2] holds', () => {});\nit('[LOG-9] holds', () => {});`,
    );
    expect(errors).toEqual(['test/log.test.ts:2  cites LOG-9, which is no rule']);
  });

  it('only warns about a planned rule that is cited', () => {
    const { errors, warnings } = verdictOn(`it('[LOG-1, LOG-2, LOG-3] holds', () => {});`);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('cites LOG-3, which is marked (planned)')]);
  });

  it('refuses a rule written twice and a rule without a mark', () => {
    const { errors } = readRules('- **A-1** (built) x\n- **A-1** (planned) x\n- **A-2** x\n');
    expect(errors).toEqual([
      'docs/behaviour.md:2  A-1 is written twice',
      'docs/behaviour.md:3  A-2 is neither (built) nor (planned)',
    ]);
  });
});
