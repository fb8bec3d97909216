/**
 * The settings of a target of type `mail`.
 *
 * No text of a setting can end a header: an address is of the characters of RFC 5322 atoms, and a value of a header of
 * visible ASCII.
 */
import * as z from '../zod.ts';
import { LIMITS } from '../../limits.ts';
import { JsonObjectSchema } from '../interaction.ts';

const ADDRESS =
  /^(?=.{3,254}$)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
const Address = z.string().regex(ADDRESS, 'Use a plain address such as ops@example.com');
const Recipients = z.array(Address).min(1).max(LIMITS.mailRecipients);

const Provider = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(LIMITS.toolUrlChars)
      .describe(
        'HTTPS at a public host name: the address at which the provider takes a mail as JSON.',
      ),
    authorization: z
      .string()
      .regex(/^[\x21-\x7E](?:[\x20-\x7E]{0,1998}[\x21-\x7E])?$/, 'Use visible ASCII')
      .exactOptional()
      .describe('For example `Bearer …`; it is never listed.'),
    header: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'Use the name of a header')
      .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), 'This header is set here')
      .exactOptional()
      .describe('The header for it, where the provider takes another one than `Authorization`.'),
  })
  .describe('Left out: the mail binding of the deployment.');

const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'transfer-encoding',
]);

const Template = JsonObjectSchema.describe(
  'The JSON that the provider takes. A text that is exactly `{from}`, `{to}`, `{toList}`, `{subject}`, `{text}`, `{html}`, `{headers}` or `{id}` is replaced by that value.',
);

export const MAIL = {
  settings: {
    type: z.literal('mail'),
    to: Recipients,
    from: Address,
    provider: Provider.exactOptional(),
    template: Template.exactOptional(),
    retire: z.boolean().exactOptional().describe('A second mail says how a request ended.'),
  },
  changes: {
    to: Recipients.exactOptional(),
    from: Address.exactOptional(),
    provider: Provider.nullable().exactOptional().describe('Null removes it.'),
    template: Template.nullable().exactOptional().describe('Null removes it.'),
    retire: z.boolean().exactOptional(),
  },
  view: {
    type: z.literal('mail'),
    to: z.array(z.string()),
    from: z.string(),
    provider: z
      .strictObject({ url: z.string(), header: z.string().exactOptional() })
      .exactOptional(),
    template: JsonObjectSchema.exactOptional(),
    retire: z.boolean().exactOptional(),
  },
};
