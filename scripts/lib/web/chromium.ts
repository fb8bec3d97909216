/** The browser that tests and screenshots use: CHROME_PATH, else the one that npm brings, else the installed Chrome. */
import type { LaunchOptions } from 'playwright';

export async function chromium(): Promise<LaunchOptions> {
  const chosen = process.env['CHROME_PATH'];
  if (chosen !== undefined && chosen !== '') return { executablePath: chosen };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' };
  const { default: bundled } = await import('@sparticuz/chromium');
  // Containers run as root, and root has no sandbox.
  return { executablePath: await bundled.executablePath(), args: ['--no-sandbox'] };
}
