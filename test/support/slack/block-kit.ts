/**
 * The documented limits of Block Kit (https://docs.slack.dev/reference/block-kit), as the double of Slack keeps them: a
 * message or dialog that breaks one is refused, as Slack refuses it.
 */
type Part = Readonly<Record<string, unknown>>;

const MESSAGE_BLOCKS = 50;
const VIEW_BLOCKS = 100;
const TEXT = 3_000;
const ID = 255;

/** The first problem of a message; undefined if Slack takes it. */
export function messageProblem({ text, blocks }: Part): string | undefined {
  if (typeof text === 'string' && text.length > 40_000) return 'msg_too_long';
  if (blocks === undefined) return text === undefined || text === '' ? 'no_text' : undefined;
  const problem = collect(() => checkBlocks(blocks, MESSAGE_BLOCKS, false));
  return problem === undefined ? mrkdwnProblem(text) : `invalid_blocks: ${problem}`;
}

export function viewProblem(view: Part): string | undefined {
  return collect(() => {
    expectKeys(view, [
      'type',
      'callback_id',
      'private_metadata',
      'title',
      'submit',
      'close',
      'blocks',
    ]);
    must(view['type'] === 'modal', 'type of a view');
    checkText(view['title'], 'plain_text', 24);
    for (const name of ['submit', 'close']) {
      if (view[name] !== undefined) checkText(view[name], 'plain_text', 24);
    }
    checkLength(view['private_metadata'] ?? ' ', 3_000, 'private_metadata');
    checkLength(view['callback_id'] ?? ' ', ID, 'callback_id');
    const hasInput = checkBlocks(view['blocks'], VIEW_BLOCKS, true);
    must(!hasInput || view['submit'] !== undefined, 'a view with inputs has a submit');
  });
}

class Problem extends Error {}

function collect(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (cause) {
    if (cause instanceof Problem) return cause.message;
    throw cause;
  }
}

function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Problem(what);
}

function asPart(value: unknown, what: string): Part {
  must(typeof value === 'object' && value !== null && !Array.isArray(value), what);
  return value as Part;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function asList(value: unknown, most: number, what: string): Part[] {
  must(Array.isArray(value) && value.length > 0 && value.length <= most, `number of ${what}`);
  return value.map((one) => asPart(one, what));
}

function expectKeys(part: Part, keys: readonly string[]): void {
  const unknown = Object.keys(part).find((key) => !keys.includes(key));
  must(unknown === undefined, `unknown field ${unknown}`);
}

function checkLength(value: unknown, max: number, what: string): string {
  must(typeof value === 'string' && value.length > 0 && value.length <= max, `length of ${what}`);
  return value;
}

function checkText(value: unknown, type: 'plain_text' | 'mrkdwn' | 'any', max: number): void {
  const text = asPart(value, 'text object');
  expectKeys(text, text['type'] === 'plain_text' ? ['type', 'text', 'emoji'] : ['type', 'text']);
  must(text['type'] === 'plain_text' || text['type'] === 'mrkdwn', 'type of a text');
  must(type === 'any' || text['type'] === type, `a text must be ${type}`);
  const shown = checkLength(text['text'], max, 'text');
  must(shown.trim() !== '', 'blank text');
  if (text['type'] === 'mrkdwn') {
    const problem = mrkdwnProblem(shown);
    must(problem === undefined, problem ?? '');
  }
}

/** Not a rule of Slack, but of this service: what an agent sent never mentions, links or formats. */
function mrkdwnProblem(text: unknown): string | undefined {
  const rest = asText(text)
    .replaceAll(/<!date\^\d{1,11}\^[^|<>]+\|[^<>]+>/g, '')
    .replaceAll(/<@[UW][A-Z0-9]+>/g, '');
  return /[<>]/.test(rest) ? `unescaped mrkdwn: ${rest}` : undefined;
}

/** True if one of them is an input. */
function checkBlocks(value: unknown, most: number, isView: boolean): boolean {
  const blocks = asList(value, most, 'blocks');
  const ids = blocks.flatMap(({ block_id: id }) => (id === undefined ? [] : [id]));
  must(new Set(ids).size === ids.length, 'two blocks have one block_id');
  for (const id of ids) checkLength(id, ID, 'block_id');
  for (const block of blocks) checkBlock(block, isView);
  return blocks.some(({ type }) => type === 'input');
}

function checkBlock(block: Part, isView: boolean): void {
  switch (block['type']) {
    case 'header':
      expectKeys(block, ['type', 'block_id', 'text']);
      return checkText(block['text'], 'plain_text', 150);
    case 'section':
      expectKeys(block, ['type', 'block_id', 'text']);
      return checkText(block['text'], 'any', TEXT);
    case 'context':
      expectKeys(block, ['type', 'block_id', 'elements']);
      for (const element of asList(block['elements'], 10, 'context elements')) {
        checkText(element, 'any', TEXT);
      }
      return;
    case 'rich_text':
      return checkRichText(block);
    case 'actions': {
      expectKeys(block, ['type', 'block_id', 'elements']);
      const elements = asList(block['elements'], 25, 'actions');
      const ids = elements.map(({ action_id: id }) => id);
      must(new Set(ids).size === ids.length, 'two elements have one action_id');
      for (const element of elements) checkButton(element);
      return;
    }
    case 'input':
      must(isView, 'an input in a message');
      expectKeys(block, ['type', 'block_id', 'optional', 'label', 'hint', 'element']);
      checkText(block['label'], 'plain_text', 2_000);
      if (block['hint'] !== undefined) checkText(block['hint'], 'plain_text', 2_000);
      return checkElement(asPart(block['element'], 'element'));
    default:
      must(false, `type of a block: ${String(block['type'])}`);
  }
}

function checkRichText(block: Part): void {
  expectKeys(block, ['type', 'block_id', 'elements']);
  for (const element of asList(block['elements'], 50, 'rich text elements')) {
    must(element['type'] === 'rich_text_preformatted', 'type of rich text');
    expectKeys(element, ['type', 'elements', 'border']);
    for (const part of asList(element['elements'], 100, 'rich text parts')) {
      expectKeys(part, ['type', 'text']);
      must(part['type'] === 'text', 'type of a rich text part');
      checkLength(part['text'], TEXT, 'rich text');
    }
  }
}

function checkButton(button: Part): void {
  must(button['type'] === 'button', 'type of an action');
  expectKeys(button, ['type', 'action_id', 'text', 'value', 'url', 'style', 'confirm']);
  if (button['confirm'] !== undefined) checkConfirm(asPart(button['confirm'], 'confirm'));
  checkLength(button['action_id'], ID, 'action_id');
  checkText(button['text'], 'plain_text', 75);
  if (button['value'] !== undefined) checkLength(button['value'], 2_000, 'value');
  if (button['url'] !== undefined) {
    must(URL.canParse(checkLength(button['url'], 3_000, 'url')), 'url of a button');
  }
  must([undefined, 'primary', 'danger'].includes(button['style'] as string), 'style of a button');
}

function checkConfirm(confirm: Part): void {
  expectKeys(confirm, ['title', 'text', 'confirm', 'deny', 'style']);
  checkText(confirm['title'], 'plain_text', 100);
  checkText(confirm['text'], 'plain_text', 300);
  checkText(confirm['confirm'], 'plain_text', 30);
  checkText(confirm['deny'], 'plain_text', 30);
}

function checkElement(element: Part): void {
  checkLength(element['action_id'], ID, 'action_id');
  switch (element['type']) {
    case 'plain_text_input': {
      expectKeys(element, [
        'type',
        'action_id',
        'multiline',
        'min_length',
        'max_length',
        'initial_value',
      ]);
      const { min_length: min = 0, max_length: max = TEXT } = element as Record<string, number>;
      must(min >= 0 && min <= TEXT && max >= 1 && max <= TEXT && min <= max, 'length of an input');
      if (element['initial_value'] !== undefined)
        checkLength(element['initial_value'], max, 'value');
      return;
    }
    case 'email_text_input':
    case 'url_text_input':
      expectKeys(element, ['type', 'action_id', 'initial_value']);
      return;
    case 'number_input':
      expectKeys(element, [
        'type',
        'action_id',
        'is_decimal_allowed',
        'min_value',
        'max_value',
        'initial_value',
      ]);
      must(typeof element['is_decimal_allowed'] === 'boolean', 'is_decimal_allowed');
      for (const name of ['min_value', 'max_value', 'initial_value']) {
        const value = element[name];
        const form = element['is_decimal_allowed'] ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
        must(value === undefined || form.test(asText(value)), name);
      }
      return;
    case 'datepicker':
      expectKeys(element, ['type', 'action_id', 'initial_date']);
      must(/^\d{4}-\d\d-\d\d$/.test(asText(element['initial_date'] ?? '2026-01-01')), 'date');
      return;
    case 'datetimepicker':
      expectKeys(element, ['type', 'action_id', 'initial_date_time']);
      must(
        /^\d{10}$/.test(JSON.stringify(element['initial_date_time'] ?? 1_700_000_000)),
        'date and time',
      );
      return;
    case 'radio_buttons':
    case 'static_select':
      expectKeys(element, ['type', 'action_id', 'options', 'initial_option']);
      return checkOptions(element, element['type'] === 'static_select' ? 100 : 10);
    case 'checkboxes':
      expectKeys(element, ['type', 'action_id', 'options', 'initial_options']);
      return checkOptions(element, 10);
    case 'multi_static_select':
      expectKeys(element, [
        'type',
        'action_id',
        'options',
        'initial_options',
        'max_selected_items',
      ]);
      return checkOptions(element, 100);
    default:
      must(false, `type of an element: ${String(element['type'])}`);
  }
}

function checkOptions(element: Part, most: number): void {
  const options = asList(element['options'], most, 'options');
  for (const option of options) {
    expectKeys(option, ['text', 'value', 'description']);
    checkText(option['text'], 'plain_text', 75);
    checkLength(option['value'], 150, 'value of an option');
  }
  const values = options.map(({ value }) => value);
  must(new Set(values).size === values.length, 'two options have one value');
  const known = new Set(options.map((option) => JSON.stringify(option)));
  const initial = [element['initial_option'] ?? [], element['initial_options'] ?? []].flat();
  for (const one of initial) must(known.has(JSON.stringify(one)), 'an initial option is offered');
}
