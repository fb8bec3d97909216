/**
 * One process of the killed client: it continues at the stored position of the last process until it is killed.
 *
 * `node process.ts <url> <token> <session> <stored file> <journal>`. The journal has a line for each
 * delivery, written before the delivery is stored.
 */
import { appendFileSync } from 'node:fs';
import { HttpTransport } from '../../../../src/client/http-transport.ts';
import { TIMING } from '../../../../src/client/backoff.ts';
import { foldLog, foldWelcome } from '../../../../src/client/state/replica.ts';
import { foldEvents } from '../../../../src/client/timeline/index.ts';
import { readStored, writeStored } from './stored.ts';

/** Shorter delays than a real client's. */
const HURRY = { ...TIMING, openMs: 1_000, quietMs: 300, pongMs: 300, baseMs: 5, capMs: 50 };

const [url = '', token = '', session = '', file = '', journal = ''] = process.argv.slice(2);
let { timeline, replica, seqs } = readStored(file);
const record = (line: object) => appendFileSync(journal, `${JSON.stringify(line)}\n`);
record({ began: timeline.head });

new HttpTransport({ url, token, timing: HURRY }).subscribe(
  session,
  {
    welcome: (snapshot) => (replica = foldWelcome(replica, snapshot)),
    events(events) {
      const received = events.map(({ seq }) => seq);
      record({ received });
      const folded = foldLog(replica, events);
      if (!folded.ok) return record({ gap: folded.gap });
      replica = folded.replica;
      timeline = foldEvents(timeline, events);
      seqs = [...seqs, ...received];
      writeStored(file, { timeline, replica, seqs });
    },
    status(status) {
      if (status.type === 'closed') record({ closed: status.error?.message ?? '' });
    },
  },
  timeline.head,
);
