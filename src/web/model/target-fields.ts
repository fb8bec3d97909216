/** The types of target that an administrator makes here, and the settings that only one type has. */

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

export const FORM_TYPES: readonly FormTypeWords[] = [
  {
    type: 'webhook',
    words: 'Webhook: a program of yours',
    fields: [
      {
        path: 'url',
        label: 'Address',
        hint: 'HTTPS with a public host name. Requests are posted there, signed.',
        placeholder: 'https://hooks.example.com/holdpoint',
      },
    ],
    audience: 'The name that is shown when this receiver decides a request.',
  },
  {
    type: 'slack',
    words: 'Slack: a channel',
    fields: [
      {
        path: 'botToken',
        label: 'Bot token',
        hint: 'In the Slack app under “OAuth & Permissions”. It begins with xoxb-.',
        ...SECRET,
      },
      {
        path: 'signingSecret',
        label: 'Signing secret',
        hint: 'In the Slack app under “Basic Information”.',
        ...SECRET,
      },
      {
        path: 'channel',
        label: 'Channel',
        hint: 'Its id, at the end of the details of the channel. Invite the app to it.',
        placeholder: 'C0123456789',
      },
    ],
    audience:
      'The person or team that this channel stands for: requests for them are posted here. People of Slack decide in their own names.',
  },
  {
    type: 'mail',
    words: 'Mail',
    fields: [
      {
        path: 'to',
        label: 'To',
        hint: 'One address, or several with commas between them.',
        placeholder: 'mia@example.com',
      },
      { path: 'from', label: 'From', placeholder: 'holdpoint@example.org' },
      {
        path: 'provider.url',
        label: 'Address of the mail provider (optional)',
        hint: 'HTTPS; each mail is posted there as JSON. Empty: the mail binding of the deployment.',
        placeholder: 'https://api.mail.example/emails',
        ...OPTIONAL,
      },
      {
        path: 'provider.authorization',
        label: 'Authorization of the mail provider (optional)',
        hint: 'For example “Bearer …”. With another address of the provider, write it again.',
        ...SECRET,
        ...OPTIONAL,
      },
    ],
    audience:
      'The name in which the link of a mail decides. Without a name, the link only opens the chat.',
  },
];

/** Undefined for a type whose settings this page does not know. */
export function formTypeOf(type: string): FormTypeWords | undefined {
  return FORM_TYPES.find((one) => one.type === type);
}

export function fieldsOf(type: FormType): readonly SettingField[] {
  return formTypeOf(type)?.fields ?? [];
}
