/** The way back from another workspace. A bug here leaves a token behind on a device whose person has signed out. */
import { expect, it } from 'vitest';
import { keepHome, loadHome } from '../../../src/web/model/home-workspace.ts';
import { forgetPerson } from '../../../src/web/model/person.ts';
import { memoryStore } from '../../support/web/memory-store.ts';

const HOME = { title: 'Main', token: 'hp_home' };

it('[TEAM-8] leads back to the first workspace, from a third one too', () => {
  const store = memoryStore();
  keepHome(store, HOME, 'hp_second');
  expect(loadHome(store, 'hp_second')).toEqual(expect.objectContaining(HOME));
  keepHome(store, { title: 'Second', token: 'hp_second' }, 'hp_third');
  expect(loadHome(store, 'hp_third')).toEqual(expect.objectContaining(HOME));
});

it('[TEAM-8] is for nobody else on this device, and not for who is at home', () => {
  const store = memoryStore();
  keepHome(store, HOME, 'hp_second');
  expect(loadHome(store, 'hp_of_another_person')).toBeUndefined();
  expect(loadHome(store, HOME.token)).toBeUndefined();
});

it('[TEAM-8] ends with the sign-in', () => {
  const store = memoryStore();
  keepHome(store, HOME, 'hp_second');
  forgetPerson(store);
  expect(loadHome(store, 'hp_second')).toBeUndefined();
});

it.each(['', '{', '[]', '{"title":1,"token":"x"}', '{"title":"x","token":"y"}'])(
  'ignores %j, which another version may have stored',
  (text) => {
    expect(loadHome(memoryStore({ 'holdpoint.home': text }), 'hp_x')).toBeUndefined();
  },
);
