/** The Worker carries the hosted chat; without it these tests could not import the Worker. */
import { buildWeb, writeWeb } from '../../scripts/lib/web/build-web.ts';

export default async function build(): Promise<void> {
  writeWeb(await buildWeb());
}
