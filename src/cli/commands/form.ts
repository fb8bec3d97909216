/** `holdpoint form`: a few typed fields, described by a JSON Schema. */
import { isObject } from '../../protocol/types.ts';
import { askPerson } from '../ask-person.ts';
import { type CliAction, parseJsonInput, readInput } from '../cli-command.ts';
import { usageError } from '../exit-code.ts';

export const form: CliAction = (call) =>
  askPerson(call, async () => {
    const { args } = call;
    const [source, more] = args.positionals;
    if (source === undefined || more !== undefined) {
      throw usageError(
        'Name one file with a JSON Schema, or - for stdin: holdpoint form schema.json',
      );
    }
    const schema = parseJsonInput(await readInput(call, source), source);
    if (!isObject(schema)) throw usageError(`${source}: a JSON Schema is an object.`);
    const description = args.text('description');
    const title = args.text('form-title');
    return {
      command: 'form',
      kind: 'form',
      toolName: 'Form',
      content: {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        schema,
      },
    };
  });
