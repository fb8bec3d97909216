/**
 * Which media types a body may have: JSON in UTF-8, without a content encoding.
 *
 * `fetch` sends a string with text/plain or without a type, and curl calls everything after `-d` a form.
 * All three are accepted if the body is JSON. The type does not have to keep pages of other origins out:
 * credentials travel in a header that such a page cannot set.
 */
import { type Rejection, reject } from '../protocol/errors.ts';

const JSON_TYPES = /^(?:application\/(?:[\w.!#$&^-]+\+)?json|text\/(?:json|plain))$/;
const FORM = 'application/x-www-form-urlencoded';
const CHARSETS = /^"?(?:utf-?8|us-ascii)"?$/;
const SEND_JSON = 'Send JSON with "Content-Type: application/json"';

export function mediaRejection({ headers }: Request): Rejection | undefined {
  const encoding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    return unsupportedMedia(
      `A body encoded as ${abbreviate(encoding)} is not read here. Send it as it is`,
    );
  }
  const { type, charset } = contentType(headers);
  if (type !== '' && type !== FORM && !JSON_TYPES.test(type)) {
    return unsupportedMedia(
      `A body of the type ${abbreviate(type)} is not read here. ${SEND_JSON}`,
    );
  }
  if (charset !== '' && !CHARSETS.test(charset)) {
    return unsupportedMedia(`A body in ${abbreviate(charset)} is not read here. Send it in UTF-8`);
  }
  return undefined;
}

/** A body that curl calls a form may be JSON; a list of fields and values is a form. */
export function formRejection({ headers }: Request, text: string): Rejection | undefined {
  if (contentType(headers).type !== FORM || /^\s*(?:[[{"]|$)/.test(text)) return undefined;
  return unsupportedMedia(`Forms are not read here. ${SEND_JSON}`);
}

function contentType(headers: Headers): { readonly type: string; readonly charset: string } {
  const [type = '', ...parameters] = (headers.get('Content-Type') ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*(.*?)\s*$/.exec(parameter)?.[1])
    .find((name) => name !== undefined);
  return { type: type.trim(), charset: charset ?? '' };
}

function unsupportedMedia(message: string): Rejection {
  return reject('unsupported_media_type', message);
}

function abbreviate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
