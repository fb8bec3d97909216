/**
 * Stories kept as regression tests: failing seeds, reduced to the steps that matter.
 *
 * Each is named for its failure. The first failed in the real code, the others with a planted fault, because no other
 * test contains such a story. A failing run of `npm run faults -- simulate` prints its own story in this form.
 */
import type { StepName } from './story.ts';

export interface Kept {
  readonly title: string;
  readonly seed: string;
  readonly steps: readonly (readonly [number: number, name: StepName])[];
}

export const KEPT: readonly Kept[] = [
  {
    title:
      'a session settles an interaction during a workspace call, crashes, and nothing wakes it to report',
    seed: '10',
    steps: [
      [19, 'connect'],
      [24, 'ask'],
      [28, 'calm'],
      [30, 'poke'],
      [33, 'cancel all'],
    ],
  },
  {
    title:
      'a socket receives the expiry caused by its own connection before its welcome, and again after',
    seed: '7',
    steps: [
      [73, 'connect'],
      [95, 'ask'],
      [96, 'act in the last moment'],
    ],
  },
  {
    title: 'one batch has two results of a call and ends its question twice',
    seed: '7',
    steps: [
      [78, 'ask'],
      [83, 'append'],
    ],
  },
  {
    title: 'a session forgets a waiter that connected before its eviction',
    seed: '19',
    steps: [
      [27, 'calm'],
      [95, 'ask'],
      [106, 'wait'],
      [108, 'evict'],
      [115, 'sleep on a question'],
    ],
  },
  {
    title: 'the log is written without the records',
    seed: '1',
    steps: [
      [40, 'connect'],
      [43, 'crash'],
      [65, 'delete'],
      [66, 'ask'],
      [89, 'break a write'],
      [90, 'append'],
      [91, 'connect'],
    ],
  },
  {
    title: 'a socket stays open although its credential was revoked before',
    seed: '1',
    steps: [
      [160, 'connect'],
      [176, 'revoke credential'],
    ],
  },
  {
    title: 'after the machine was down, unreported events are not reported',
    seed: '11',
    steps: [
      [143, 'append'],
      [147, 'revoke credential'],
      [149, 'restart'],
    ],
  },
  {
    title: 'a session relies on an alarm that was lost long ago',
    seed: '8',
    steps: [
      [35, 'ask'],
      [36, 'calm'],
      [54, 'ask'],
      [55, 'crash'],
      [60, 'sleep on a question'],
      [61, 'pass'],
      [63, 'restart'],
      [95, 'act in the last moment'],
    ],
  },
  {
    title: 'an expiry cannot be stored, and a late answer is accepted',
    seed: '2',
    steps: [
      [13, 'ask'],
      [14, 'wait'],
      [22, 'notice'],
      [23, 'pass to the deadline'],
      [27, 'break a write'],
      [29, 'answer'],
    ],
  },
  {
    title: 'an answer exactly at the deadline is accepted',
    seed: '0',
    steps: [
      [119, 'ask'],
      [120, 'act in the last moment'],
    ],
  },
  {
    title: 'a deleted session stays in the inbox',
    seed: '1',
    steps: [
      [65, 'delete'],
      [66, 'ask'],
    ],
  },
  {
    title: 'a write fails, and memory keeps the unwritten state',
    seed: '0',
    steps: [
      [33, 'ask'],
      [34, 'wait'],
      [44, 'connect'],
    ],
  },
  {
    title: 'a client receives events before they are stored',
    seed: '0',
    steps: [
      [37, 'ask'],
      [44, 'connect'],
    ],
  },
  {
    title: 'two people extend at once, and both times count',
    seed: '7',
    steps: [
      [17, 'ask'],
      [25, 'extend'],
    ],
  },
  {
    title: 'a result that was not stored under its key is returned again',
    seed: '21',
    steps: [
      [37, 'look'],
      [41, 'cancel'],
      [43, 'cancel all'],
      [44, 'cancel all'],
      [47, 'retry'],
      [49, 'cancel all'],
      [59, 'evict'],
    ],
  },
];
