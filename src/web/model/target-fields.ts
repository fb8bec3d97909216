/** The types of target that an administrator makes here, and the settings that only one type has. */

import type { FieldForm } from './field-text.ts';
import { t } from './language.ts';

export type FormType = 'webhook' | 'slack' | 'mail';

export interface SettingField {
  /** Where the server has it, with dots: also the path in what it says of a wrong one. */
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** It is never listed: empty in a change, it stays as it is. */
  readonly isSecret?: true;
  readonly isOptional?: true;
  /** More than one line. */
  readonly form?: FieldForm;
}

interface FormTypeWords {
  readonly type: FormType;
  readonly words: string;
  readonly fields: readonly SettingField[];
  /** What the field “Answers as” does. */
  readonly audience: string;
}

const SECRET = { isSecret: true } as const;
const OPTIONAL = { isOptional: true } as const;

export const formTypes = (): readonly FormTypeWords[] => [
  {
    type: 'webhook',
    words: t('Webhook: a program of yours'),
    fields: [
      {
        path: 'url',
        label: t('Address'),
        hint: t('HTTPS with a public host name. Requests are posted there, signed.'),
        placeholder: 'https://hooks.example.com/holdpoint',
      },
    ],
    audience: t('The name that is shown when this receiver decides a request.'),
  },
  {
    type: 'slack',
    words: t('Slack: a channel'),
    fields: [
      {
        path: 'botToken',
        label: t('Bot token'),
        hint: t('In the Slack app under “OAuth & Permissions”. It begins with xoxb-.'),
        ...SECRET,
      },
      {
        path: 'signingSecret',
        label: t('Signing secret'),
        hint: t('In the Slack app under “Basic Information”.'),
        ...SECRET,
      },
      {
        path: 'channel',
        label: t('Channel'),
        hint: t('Its id, at the end of the details of the channel. Invite the app to it.'),
        placeholder: 'C0123456789',
      },
      {
        path: 'people',
        label: t('People (optional)'),
        hint: t(
          'A line for each: the id of the user in Slack, = and the name in which that person decides. Other people decide as slack:TEAM/USER.',
        ),
        placeholder: 'U0123456789 = mia',
        form: 'pairs',
        ...OPTIONAL,
      },
      {
        path: 'apiUrl',
        label: t('Address of the API of Slack (optional)'),
        hint: t('For tests alone, and only where private targets are allowed.'),
        ...OPTIONAL,
      },
    ],
    audience: t(
      'The person or team that this channel stands for: requests for them are posted here. People of Slack decide in their own names.',
    ),
  },
  {
    type: 'mail',
    words: t('Mail'),
    fields: [
      {
        path: 'to',
        label: t('To'),
        hint: t('One address, or several with commas between them.'),
        placeholder: 'mia@example.com',
      },
      { path: 'from', label: t('From'), placeholder: 'holdpoint@example.org' },
      {
        path: 'provider.url',
        label: t('Address of the mail provider (optional)'),
        hint: t(
          'HTTPS; each mail is posted there as JSON. Empty: the mail binding of the deployment.',
        ),
        placeholder: 'https://api.mail.example/emails',
        ...OPTIONAL,
      },
      {
        path: 'provider.authorization',
        label: t('Authorization of the mail provider (optional)'),
        hint: t('For example “Bearer …”. With another address of the provider, write it again.'),
        ...SECRET,
        ...OPTIONAL,
      },
      {
        path: 'provider.header',
        label: t('Header of the authorization (optional)'),
        hint: t(
          'Where the provider takes another one than Authorization. With another header, write the authorization again.',
        ),
        placeholder: 'X-Api-Key',
        ...OPTIONAL,
      },
      {
        path: 'template',
        label: t('JSON for the mail provider (optional)'),
        hint: t(
          'What the provider takes, as one object. {from}, {to}, {toList}, {subject}, {text}, {html}, {headers} and {id} are filled in.',
        ),
        placeholder: '{"recipients": "{toList}", "title": "{subject}", "body": "{text}"}',
        form: 'json',
        ...OPTIONAL,
      },
    ],
    audience: t(
      'The name in which the link of a mail decides. Without a name, the link only opens the chat.',
    ),
  },
];

/** Undefined for a type whose settings this page does not know. */
export function formTypeOf(type: string): FormTypeWords | undefined {
  return formTypes().find((one) => one.type === type);
}

export function settingFields(type: FormType): readonly SettingField[] {
  return formTypeOf(type)?.fields ?? [];
}
