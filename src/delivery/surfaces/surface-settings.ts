/** The settings of a target by its surface: which fields they have, which are valid, and which lists show. */
import type {
  SurfaceFieldsView,
  SurfaceSettings,
  SurfaceType,
} from '../../protocol/schema/surfaces/index.ts';
import { pushSettings } from './push/push-settings.ts';
import { mailSettings } from './mail/mail-settings.ts';
import { slackSettings } from './slack/slack-settings.ts';
import { webhookSettings } from './webhook/webhook-settings.ts';

export interface SurfaceRules<Type extends SurfaceType> {
  /** The names of the settings, beside `type`. */
  readonly fields: readonly string[];
  /** This service makes the secret of such a target, shows it once, and rotates it. */
  readonly hasSecret: boolean;
  /** It shows requests until they settle, so it must be sent the end of each, whatever its filter became since. */
  readonly retires: boolean;
  problem(
    settings: SettingsOf<Type>,
    { allowPrivate }: { readonly allowPrivate: boolean },
  ): SettingsProblem | undefined;
  /** Without secrets. */
  view(settings: SettingsOf<Type>): Extract<SurfaceFieldsView, { type: Type }>;
}

export interface SettingsProblem {
  readonly path: string;
  readonly message: string;
}

export type SettingsOf<Type extends SurfaceType> = Extract<SurfaceSettings, { type: Type }>;

const SURFACE_RULES: { readonly [Type in SurfaceType]: SurfaceRules<Type> } = {
  push: pushSettings,
  webhook: webhookSettings,
  mail: mailSettings,
  slack: slackSettings,
};

function rulesOf(type: SurfaceType): SurfaceRules<SurfaceType> {
  return SURFACE_RULES[type] as SurfaceRules<SurfaceType>;
}

export function hasSecret({ type }: SurfaceSettings): boolean {
  return rulesOf(type).hasSecret;
}

export function isRetiring({ type }: SurfaceSettings): boolean {
  return rulesOf(type).retires;
}

export function settingsProblem(
  settings: SurfaceSettings,
  options: { readonly allowPrivate: boolean },
): SettingsProblem | undefined {
  return rulesOf(settings.type).problem(settings, options);
}

export function viewSettings(settings: SurfaceSettings): SurfaceFieldsView {
  return rulesOf(settings.type).view(settings);
}

/** The settings among the fields of a request. */
export function pickSettings(
  type: SurfaceType,
  input: Readonly<Record<string, unknown>>,
): SurfaceSettings {
  const named = rulesOf(type).fields.filter((field) => input[field] !== undefined);
  const settings = Object.fromEntries(named.map((field) => [field, input[field]]));
  return { type, ...settings } as SurfaceSettings;
}

/** Null removes a setting. A field of another surface is a problem. */
export function changeSettings(
  settings: SurfaceSettings,
  changes: Readonly<Record<string, unknown>>,
): { readonly settings: SurfaceSettings } | SettingsProblem {
  const own = new Set(rulesOf(settings.type).fields);
  const all = new Set(Object.values(SURFACE_RULES).flatMap(({ fields }) => fields));
  const foreign = Object.keys(changes).find((name) => all.has(name) && !own.has(name));
  if (foreign !== undefined) {
    return { path: foreign, message: `A target of type ${settings.type} has no such setting` };
  }
  const changed: Record<string, unknown> = { ...settings };
  for (const field of own) {
    if (changes[field] === null) delete changed[field];
    else if (changes[field] !== undefined) changed[field] = changes[field];
  }
  return { settings: changed as unknown as SurfaceSettings };
}
