/**
 * One task of docs/tasks.md as two stories: a member of a team does it in the presses that the page says, and does it again
 * with the mouse put away.
 *
 * A task without a row fails when its file is loaded; `test/docs/tasks.test.ts` finds a row without a task.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readTasks } from '../../support/task-table.ts';
import type { Hands, Person } from '../stage/person.ts';
import { countPresses, type Presses } from '../stage/presses.ts';
import { leavesWithoutProblems } from '../stage/story.ts';
import { type Arrival, type Member, startTeam, type Team } from '../stage/team.ts';

interface CountedPerson extends Person {
  /** What the person did until now. */
  readonly counted: Presses;
}

interface TaskStage extends Omit<Team, 'arrives' | 'signsIn'> {
  /** Both stories are played on one server: what one of them made is there for the other. */
  readonly by: Hands;
  /** Signed in, and from then on counted. */
  enters(who: Member, arrival?: Arrival): Promise<CountedPerson>;
  /** Counted from the first press, and not signed in yet. */
  arrives(who: Member, arrival?: Arrival): Promise<CountedPerson>;
  /** Signed in, and no actor of the task. */
  looksOn(who: Member, arrival?: Arrival): Promise<Person>;
}

let team: Team | undefined;
beforeAll(async () => {
  team = await startTeam();
}, 60_000);
afterAll(() => team?.stop());

const ROWS = readTasks();

export function task(title: string, play: (stage: TaskStage) => Promise<void>): void {
  const row = ROWS.find((one) => one.title === title);
  if (row === undefined) throw new Error(`docs/tasks.md has no row for “${title}”`);
  const ways =
    inject('hands') === 'mouse' ? (['mouse', 'keyboard'] as const) : (['keyboard'] as const);
  // oxlint-disable-next-line vitest/valid-title -- it is a text in each of the stories
  for (const by of ways)
    test(`${title}${by === 'mouse' ? '' : ', by keyboard alone'}`, {
      timeout: 120_000,
    }, async () => {
      const made = await played(play, by);
      if (by === 'mouse')
        expect(made, `${made.length} presses: ${made.join(', ')}`).toHaveLength(row.presses);
    });
}

/** What the actors did. */
async function played(
  play: (stage: TaskStage) => Promise<void>,
  by: Hands,
): Promise<readonly string[]> {
  if (team === undefined) throw new Error('The team did not start');
  const { signsIn, arrives, ...rest } = team;
  const actors: CountedPerson[] = [];
  const present: Person[] = [];
  const count = async (person: Person) => {
    const actor = Object.assign(person, { counted: await countPresses(person) });
    if (by === 'keyboard') await person.putsMouseAway();
    present.push(actor);
    actors.push(actor);
    return actor;
  };
  await play({
    ...rest,
    by,
    enters: async (who, arrival) => count(await signsIn(who, arrival)),
    arrives: async (who, arrival) => count(await arrives(who, arrival)),
    async looksOn(who, arrival) {
      const person = await signsIn(who, arrival);
      present.push(person);
      return person;
    },
  });
  const made = [];
  for (const { counted } of actors) made.push(...(await counted.made()));
  for (const person of present) {
    person.allowsProblems(new RegExp(`asked ${rest.provider.issuer}`));
    await leavesWithoutProblems(person);
  }
  return made;
}
