/**
 * Recognizing pictures by their bytes. A bug here looks like a page of a stranger that a browser runs as a picture, or like a
 * conversation that a model refuses for ever.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recognizePicture } from '../../src/core/recognize-picture.ts';
import { ONE_PIXEL, pngBytes } from '../support/sample-files.ts';

const ascii = (text: string) => [...text].map((char) => char.charCodeAt(0));
const bytes = (...parts: readonly (number | readonly number[])[]) => new Uint8Array(parts.flat());

const GIF = bytes(ascii('GIF89a'), 0x40, 0x01, 0xf0, 0x00, 0, 0, 0);
/** A comment, a table that is no frame, and then a progressive frame of 640 × 480. */
const JPEG = bytes(
  [0xff, 0xd8, 0xff, 0xfe, 0x00, 0x04, 0x68, 0x69],
  [0xff, 0xc4, 0x00, 0x03, 0x00],
  [0xff, 0xff, 0xc2, 0x00, 0x0b, 0x08, 0x01, 0xe0, 0x02, 0x80, 0x03],
);
const riff = (form: string, ...content: readonly number[]) =>
  bytes(ascii('RIFF'), [0, 0, 0, 0], ascii('WEBP'), ascii(form), [0, 0, 0, 0], content);
const LOSSY = riff('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, 0x20, 0x03, 0x58, 0x02);
const LOSSLESS = riff('VP8L', 0x2f, 0x1f, 0xc3, 0x95, 0x00);
const EXTENDED = riff('VP8X', 0, 0, 0, 0, 0x1f, 0x03, 0x00, 0x57, 0x02, 0x00);

describe('[ATT-1] recognizePicture', () => {
  it.each([
    ['a png', pngBytes(1_280, 800), 'image/png', 1_280, 800],
    ['a whole png', new Uint8Array(ONE_PIXEL), 'image/png', 1, 1],
    ['a gif', GIF, 'image/gif', 320, 240],
    ['a jpeg', JPEG, 'image/jpeg', 640, 480],
    ['a webp with losses', LOSSY, 'image/webp', 800, 600],
    ['a webp without losses', LOSSLESS, 'image/webp', 800, 600],
    ['an extended webp', EXTENDED, 'image/webp', 800, 600],
  ])('reads type and size of %s', (_, file, mediaType, width, height) => {
    expect(recognizePicture(file)).toEqual({ mediaType, width, height });
  });

  it.each([
    ['nothing', bytes()],
    ['a page', bytes(ascii('<html><script>alert(1)</script>'))],
    ['a vector image', bytes(ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['a page behind the mark of a gif', bytes(ascii('GIF87b<script>'))],
    ['a png without its first chunk', bytes([...pngBytes()].slice(0, 12), ascii('IDATxxxxxxxx'))],
    ['a picture without an area', pngBytes(0, 9)],
    ['a jpeg without a frame', bytes([0xff, 0xd8, 0xff, 0xda, 0, 2, 0, 0, 0])],
    ['a jpeg with a segment that does not go on', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0])],
    ['an unknown form of webp', riff('ANIM', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)],
  ])('is undefined for %s', (_, file) => {
    expect(recognizePicture(file)).toBeUndefined();
  });

  it.each([
    ['png', pngBytes()],
    ['gif', GIF],
    ['jpeg', JPEG],
    ['webp', EXTENDED],
  ])('is undefined for every beginning of a %s that lacks its size', (_, file) => {
    for (let length = 0; length < file.length; length += 1) {
      const part = file.subarray(0, length);
      const read = recognizePicture(part);
      expect(read === undefined || read.width === recognizePicture(file)?.width).toBe(true);
    }
  });

  it('ends for any bytes behind any mark', () => {
    const marks = [pngBytes(), GIF, JPEG, LOSSY, LOSSLESS, EXTENDED].map((one) => [...one]);
    fc.assert(
      fc.property(
        fc.constantFrom(...marks),
        fc.nat(12),
        fc.uint8Array({ maxLength: 200 }),
        (mark, kept, rest) => {
          const read = recognizePicture(bytes(mark.slice(0, kept), [...rest]));
          expect(read === undefined || (read.width > 0 && read.height > 0)).toBe(true);
        },
      ),
    );
  });
});
