/**
 * A file that a person attaches to a message or an answer: what the log, the record and the agent know of it. The bytes are
 * stored beside the log.
 */
import * as z from './zod.ts';
import { deferPattern } from '../defer-pattern.ts';
import { LIMITS } from '../limits.ts';

export const AttachmentId = z
  .string()
  .regex(/^att_[0-9a-f]{32}$/, 'Not the id of an attached file');

export const AttachedFile = z
  .strictObject({
    attachmentId: AttachmentId,
    name: z.string(),
    mediaType: z
      .string()
      .describe('Of a png, jpeg, gif or webp as its first bytes say; else as the sender said.'),
    bytes: z.number(),
    width: z.number().optional().describe('Of a picture, in pixels.'),
    height: z.number().optional(),
    path: z.string().describe('Where this server has the bytes.'),
  })
  .meta({ id: 'AttachedFile' });
export type AttachedFile = z.infer<typeof AttachedFile>;

/** In a message or an answer, in the order in which they are shown. */
export const AttachmentIds = z
  .array(AttachmentId)
  .max(LIMITS.attachmentsPerMessage)
  .refine((ids) => new Set(ids).size === ids.length, 'Name each file once');

/** Of an answer: its other fields are those of its kind. */
export const NamedFiles = z.object({ attachments: AttachmentIds });

/** Controls, line ends, formats that turn or hide text, and what separates folders. */
const ODD_IN_A_NAME = deferPattern(String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]`, 'u');

export const AttachmentName = z
  .string()
  .min(1)
  .max(LIMITS.attachmentNameChars)
  .refine(
    (name) => name.trim() !== '' && name !== '.' && name !== '..',
    'Must be the name of a file',
  )
  .refine(
    (name) => !ODD_IN_A_NAME().test(name),
    'Use a name without folders, line ends and invisible characters',
  );
