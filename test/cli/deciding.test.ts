/**
 * Who decides, as options of commands and in the settings of hooks. A bug here looks like hooks that `connect --remove`
 * leaves behind, or a name that a shell reads as a command.
 */
import { describe, expect, it } from 'vitest';
import { hasHooks, withHooks, withoutHooks } from '../../src/cli/hook-settings.ts';
import { readArguments } from '../../src/cli/read-arguments.ts';
import { readDeciding } from '../../src/cli/cli-command.ts';
import { shellWord } from '../../src/cli/commands/approve.ts';
import { allOptionsOf } from '../../src/cli/shared-options.ts';
import { decidingFields, readAudienceNames } from '../../src/protocol/deciding.ts';

const read = (...argv: string[]) =>
  readDeciding(
    readArguments(argv, allOptionsOf({ options: {}, shares: ['deciding', 'audience'] })),
  );

describe('[CLI-1, VOTE-1] who decides', () => {
  it('is read from the options of a command', () => {
    expect(read()).toEqual({ approvals: undefined, audience: undefined, notRequester: false });
    expect(read('--approvals', '2', '--not-requester', '--for', 'ann, group:ops')).toEqual({
      approvals: 2,
      audience: { subjects: ['ann'], groups: ['ops'] },
      notRequester: true,
    });
    expect(() => read('--for', ' , ')).toThrow('name people or groups');
    expect(() => read('--approvals', 'two')).toThrow('whole number');
  });

  it('is asked of a request as far as its kind takes it', () => {
    const deciding = { approvals: 2, audience: { groups: ['ops'] }, notRequester: true };
    const others = { audience: { groups: ['ops'] }, notRequester: true };
    for (const kind of ['approval', 'plan_review']) {
      expect(decidingFields(kind, deciding)).toEqual({ quorum: { approvals: 2 }, ...others });
    }
    for (const kind of ['question', 'form', 'link']) {
      expect(decidingFields(kind, deciding)).toEqual(others);
    }
    expect(decidingFields('approval', { notRequester: false })).toEqual({});
  });
});

describe('[HOOK-3] the settings of hooks with people who decide', () => {
  const names = ["Ann O'Neill", 'group:ops'].join(',');
  const wish = (options: string) =>
    ({ program: 'claude-code', start: 'npx holdpoint', every: undefined, options }) as const;
  const foreign = {
    hooks: {
      Stop: [{ hooks: [{ type: 'command', command: 'say hook claude-code; rm -rf /' }] }],
    },
  };

  it.each(['', ' --approvals 2', ` --approvals 2 --not-requester --for ${shellWord(names)}`])(
    'are found and taken out again: hook%s',
    (options) => {
      const settings = withHooks(foreign, wish(options));
      expect(JSON.stringify(settings)).toContain(
        JSON.stringify(`npx holdpoint hook claude-code --wait 3540${options} || exit 2`).slice(
          1,
          -1,
        ),
      );
      expect(hasHooks(settings)).toBe(true);
      expect(withoutHooks(settings)).toEqual(foreign);
      const again = withHooks(settings, wish(''));
      expect(again).toEqual(withHooks(foreign, wish('')));
    },
  );

  it('quotes a name for the shell', () => {
    expect(readAudienceNames(names)).toEqual({ subjects: ["Ann O'Neill"], groups: ['ops'] });
    expect(shellWord(names)).toBe(String.raw`'Ann O'\''Neill,group:ops'`);
  });
});
