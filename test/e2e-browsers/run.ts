/**
 * `npm run e2e:browsers [-- firefox | webkit] [--pictures FOLDER]`: the chat in Firefox and in WebKit, as Debian packages
 * them. The other stories run in Chromium, which npm brings.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Transcript } from '../e2e-claude/transcript.ts';
import { startHoldpoint } from '../e2e/stage/start-holdpoint.ts';
import { openFirefox } from './firefox.ts';
import { playChat } from './play-chat.ts';
import type { Tab } from './tab.ts';
import { openWebKit } from './webkit.ts';

const BROWSERS: Readonly<Record<string, () => Promise<Tab>>> = {
  firefox: () => openFirefox(),
  webkit: () => openWebKit(),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pictures: { type: 'string' } },
});
const transcript = new Transcript();
for (const [name, open] of Object.entries(BROWSERS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  transcript.scene(name);
  const holdpoint = await startHoldpoint();
  const tab = await open();
  const keep = async (what: string) => {
    if (values.pictures === undefined) return;
    const file = path.join(values.pictures, `${name}-${what}.png`);
    writeFileSync(file, Buffer.from(await tab.picture(), 'base64'));
  };
  try {
    await playChat({ tab, server: holdpoint, transcript, keep });
  } finally {
    await tab.close();
    await holdpoint.stop();
  }
}
process.exit(transcript.end() === 0 ? 0 : 1);
