/**
 * Whether Claude Code asks at all, by its settings: a permission hook runs only where it would have asked its terminal.
 *
 * 1. From 2.1.283 on a home folder without a mode starts in auto mode, in which a model decides. In three other modes it
 *    allows or denies by itself.
 * 2. Hooks that are switched off are skipped without a word.
 * 3. A mode on the command line (`--permission-mode`, `--dangerously-skip-permissions`) counts before all of this, and no
 *    file has it.
 */
import path from 'node:path';
import { isObject, isText, type JsonObject } from '../protocol/types.ts';
import type { Terminal } from './cli-command.ts';
import { readSettings } from './settings-file.ts';

/** Settings in their order: the first file that says something counts. */
export interface ClaudeSettings {
  readonly file: string;
  readonly settings: JsonObject;
}

const MANAGED =
  process.platform === 'darwin'
    ? '/Library/Application Support/ClaudeCode/managed-settings.json'
    : '/etc/claude-code/managed-settings.json';

/** `userFile`: the settings of the home folder. */
export async function readClaudeSettings(
  { cwd }: Pick<Terminal, 'cwd'>,
  userFile: string,
): Promise<ClaudeSettings[]> {
  const inProject = (name: string) => path.join(cwd, '.claude', name);
  const files = [MANAGED, inProject('settings.local.json'), inProject('settings.json'), userFile];
  return Promise.all(
    files.map(async (file) => ({ file, settings: (await readSettings(file)).settings })),
  );
}

/** `isSet`: a file says so, and not the program. */
export type AskingMode =
  | { readonly asks: true; readonly mode: string }
  | {
      readonly asks: false;
      readonly why: string;
      /** The hooks themselves do not run. */
      readonly isOff: boolean;
      readonly isSet: boolean;
    };

export const MODE_THAT_ASKS = 'default';
const ASKING_MODES = new Set([MODE_THAT_ASKS, 'manual', 'plan', 'acceptEdits']);
const WHAT_OTHERS_DO: Readonly<Record<string, string>> = {
  auto: 'a model decides and no person is asked',
  bypassPermissions: 'everything is allowed and no person is asked',
  dontAsk: 'everything that is not allowed is denied and no person is asked',
};

export function askingModeOf(files: readonly ClaudeSettings[]): AskingMode {
  const off = files.find(({ settings }) => settings.disableAllHooks === true);
  if (off !== undefined)
    return { ...never(`"disableAllHooks" is set in ${off.file}`), isOff: true };
  const managed = files.find(({ settings }) => settings.allowManagedHooksOnly === true);
  if (managed !== undefined)
    return { ...never(`"allowManagedHooksOnly" is set in ${managed.file}`), isOff: true };
  for (const { file, settings } of files) {
    const mode = modeIn(settings);
    if (mode === undefined) continue;
    if (ASKING_MODES.has(mode)) return { asks: true, mode };
    const does = WHAT_OTHERS_DO[mode] ?? 'it is not known whether a person is asked';
    return never(`Claude Code starts in the mode ${mode} (${file}): ${does}`);
  }
  return {
    ...never(
      `Claude Code starts in the mode auto, as no settings name one: ${WHAT_OTHERS_DO['auto']}`,
    ),
    isSet: false,
  };
}

function never(why: string) {
  return { asks: false, why, isOff: false, isSet: true } as const;
}

export function modeIn({ permissions }: JsonObject): string | undefined {
  const mode = isObject(permissions) ? permissions.defaultMode : undefined;
  return isText(mode) ? mode : undefined;
}

export function withMode(settings: JsonObject, mode: string): JsonObject {
  const { permissions } = settings;
  return {
    ...settings,
    permissions: { ...(isObject(permissions) && permissions), defaultMode: mode },
  };
}

/** Takes out the mode that `withMode` set where nothing had set one before. */
export function withoutMode(settings: JsonObject): JsonObject {
  if (!isObject(settings.permissions)) return settings;
  const { defaultMode: _, ...permissions } = settings.permissions;
  const { permissions: _all, ...rest } = settings;
  return Object.keys(permissions).length === 0 ? rest : { ...settings, permissions };
}
