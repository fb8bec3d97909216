/** The words of the interface that the chat is written against. */
import type { Transport } from '../client/transport.ts';

export type { FileEntry as SessionFile, SessionFile as FileContent } from '../client/words.ts';
export type WebTransport = Transport;
