/**
 * `npm run e2e:claude [-- scene …]`: the bridge with the real Claude Agent SDK and Claude Code, a scripted model, and a
 * person who answers over HTTP or in a browser. Needs npm's registry once.
 */
import { buildBundle } from '../../scripts/lib/build-bundle.ts';
import { typeProblems } from './check-types.ts';
import { playExample, playKilled } from './example.ts';
import { installSdk, SDK, SDK_VERSION } from './install-sdk.ts';
import { SCENES } from './scenes/index.ts';
import { loadSdk } from './sdk.ts';
import { Stage } from './stage.ts';
import { Transcript } from './transcript.ts';

const SCENE_MS = 120_000;

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
const transcript = new Transcript();
console.log(`${SDK} ${SDK_VERSION}, Node ${process.versions.node}`);

const folder = installSdk();
if (isWanted('types')) {
  transcript.scene('types: the bridge and its example compile against the package');
  const problems = typeProblems(folder);
  transcript.check('no problem', problems === '', problems);
}

await buildBundle();
const stage = new Stage(await loadSdk(folder), transcript);
try {
  await stage.open();
  const scenes = [
    ...SCENES,
    playKilled(folder, false),
    playKilled(folder, true),
    playExample(folder),
  ];
  for (const { name, about, play } of scenes.filter((scene) => isWanted(scene.name))) {
    transcript.scene(`${name}: ${about}`);
    await inTime(play(stage)).catch((cause: unknown) =>
      transcript.check('the scene came to its end', false, String(cause)),
    );
  }
} finally {
  await stage.close();
}
process.exit(transcript.end() === 0 ? 0 : 1);

function inTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`Not over after ${SCENE_MS} ms`)), SCENE_MS);
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
