/**
 * A soft sound of two notes, made by the browser: no file is fetched, and the policy of the page needs no exception.
 *
 * A browser plays nothing before the person has used the page; then the sound is lost, and the next one is heard.
 */
const NOTES_HZ = [587.33, 783.99];
const NOTE_S = 0.14;
const VOLUME = 0.08;

let context: AudioContext | undefined;

export async function playAlert(): Promise<void> {
  if (!('AudioContext' in globalThis)) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') await context.resume();
  const start = context.currentTime + 0.02;
  for (const [index, hertz] of NOTES_HZ.entries()) playNote(context, hertz, start + index * NOTE_S);
}

/** It swells and fades: a note that is cut off clicks. */
function playNote(on: AudioContext, hertz: number, at: number): void {
  const note = on.createOscillator();
  const volume = on.createGain();
  note.type = 'sine';
  note.frequency.value = hertz;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(VOLUME, at + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 2 * NOTE_S);
  note.connect(volume).connect(on.destination);
  note.start(at);
  note.stop(at + 2 * NOTE_S);
}
