import type { Transport } from '../../client/transport.ts';
import type { AttachedFile } from '../../protocol/types.ts';

/** Browsers read the address after the click, some of them only once a person has chosen a folder. */
const KEPT_MS = 60_000;

/** Fetches a file with the credential, and hands it to the downloads of the browser. As bytes: no page is made of it. */
export async function saveAttachedFile(
  transport: Transport,
  sessionId: string,
  { attachmentId, name }: AttachedFile,
): Promise<void> {
  const bytes = await transport.attachedFile(sessionId, attachmentId);
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
