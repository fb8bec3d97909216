/**
 * Recognizes a picture by its first bytes, and reads its size in pixels; undefined for everything else.
 *
 * What a sender says about a file decides nothing: a page must never run what was sent as a picture, and a model refuses a
 * conversation with a picture of another type than it was given.
 */
export interface Picture {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

export function recognizePicture(bytes: Uint8Array): Picture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const picture = readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
    return picture !== undefined && picture.width > 0 && picture.height > 0 ? picture : undefined;
  } catch (cause) {
    // A read behind the end: the file begins as a picture and breaks off.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function readPng(view: DataView): Picture | undefined {
  if (!startsWith(view, 0, PNG) || textAt(view, 12, 4) !== 'IHDR') return undefined;
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): Picture | undefined {
  const mark = textAt(view, 0, 6);
  if (mark !== 'GIF87a' && mark !== 'GIF89a') return undefined;
  return {
    mediaType: 'image/gif',
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
  };
}

function readWebp(view: DataView): Picture | undefined {
  if (textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP') return undefined;
  const size = readWebpSize(view, textAt(view, 12, 4));
  return size && { mediaType: 'image/webp', ...size };
}

/** Three forms: with losses, without, and extended. */
function readWebpSize(view: DataView, form: string): { width: number; height: number } | undefined {
  switch (form) {
    case 'VP8 ':
      if (!startsWith(view, 23, [0x9d, 0x01, 0x2a])) return undefined;
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 'VP8L': {
      if (view.getUint8(20) !== 0x2f) return undefined;
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return {
        width: (view.getUint32(24, true) & 0xff_ffff) + 1,
        height: (view.getUint32(26, true) >>> 8) + 1,
      };
    default:
      return undefined;
  }
}

function readJpeg(view: DataView): Picture | undefined {
  if (!startsWith(view, 0, [0xff, 0xd8, 0xff])) return undefined;
  let at = 2;
  for (;;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrameStart(marker)) {
      return {
        mediaType: 'image/jpeg',
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
      };
    }
    const length = view.getUint16(at + 2);
    // The picture itself or its end, without a frame before: nothing that is shown.
    if (marker === 0xda || marker === 0xd9 || length < 2) return undefined;
    at += 2 + length;
  }
}

/** `SOF0` to `SOF15`, among which are three markers for other things. */
function isFrameStart(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function startsWith(view: DataView, at: number, bytes: readonly number[]): boolean {
  if (view.byteLength < at + bytes.length) return false;
  return bytes.every((byte, index) => view.getUint8(at + index) === byte);
}

function textAt(view: DataView, at: number, length: number): string {
  if (view.byteLength < at + length) return '';
  return Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join(
    '',
  );
}
