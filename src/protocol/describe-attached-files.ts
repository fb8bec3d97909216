/** What an agent reads about the files of a message or an answer, in words. */
import type { AttachedFile } from './schema/attached-file.ts';

const KIB = 1_024;

export function describeAttachedFiles(files: readonly AttachedFile[]): string {
  const lines = files.map((file) => `- ${describeAttachedFile(file)}: GET ${file.path}`);
  return ['Attached files, which this server has for you:', ...lines].join('\n');
}

export function describeAttachedFile({ name, mediaType, bytes }: AttachedFile): string {
  return `${name} (${mediaType}, ${describeSize(bytes)})`;
}

/** To two digits: people compare sizes. */
export function describeSize(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  if (bytes < KIB * KIB) return `${roundSize(bytes / KIB)} KB`;
  return `${roundSize(bytes / KIB / KIB)} MB`;
}

function roundSize(size: number): number {
  return size < 10 ? Math.round(size * 10) / 10 : Math.round(size);
}
