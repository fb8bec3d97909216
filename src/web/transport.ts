/** What the hosted chat asks of a server, beyond what every surface does. */
import type { Transport } from '../client/transport.ts';

export interface SessionFile {
  readonly path: string;
  readonly size: number;
  readonly updatedAt: number;
}

export interface FileContent extends SessionFile {
  readonly content: string;
}

export interface WebTransport extends Transport {
  retry(sessionId: string): Promise<void>;
  removeQueued(sessionId: string, messageId: string): Promise<void>;
  files(sessionId: string): Promise<readonly SessionFile[]>;
  file(sessionId: string, path: string): Promise<FileContent>;
}
