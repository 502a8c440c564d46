import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BroadcastId, CompanyId } from '../../ids.ts';
import type { StoredBroadcast } from './broadcast-store.ts';
import { type BroadcastFacts, nextStep } from './next-step.ts';

/** Tuesday, noon in Almaty. */
const NOON = new Date('2026-11-17T07:00:00Z');
/** 21:00 in Almaty. */
const EVENING = new Date('2026-11-17T16:00:00Z');
const NEXT_MORNING = new Date('2026-11-18T04:00:00Z');

const RUNNING: StoredBroadcast = {
  id: '01900000-0000-7000-8000-000000000000' as BroadcastId,
  companyId: 1 as CompanyId,
  name: 'Скидки',
  state: 'running',
  version: 1,
  createdBy: null,
  rowsState: 'checked',
  columns: [],
  text: 'Скидки',
  url: null,
  whatsappTemplate: null,
  channels: ['sms'],
  startAt: null,
  spreadMinutes: null,
  quietFrom: 21,
  quietTo: 9,
  skipsDaysOff: true,
  approvalAskedBy: null,
  recipients: 1_000,
  held: 0,
  startedAt: NOON,
  pauseReason: null,
  resumeAt: null,
  resumedAt: NOON,
  now: NOON,
};
const FACTS: BroadcastFacts = {
  isAnyWaiting: true,
  isWithChannels: false,
  isSuspended: false,
  free: 0,
  cheapest: 8,
  recent: { count: 0, failed: 0, reason: null },
};

const paused = (reason: StoredBroadcast['pauseReason'], resumeAt: Date | null = null) => ({
  ...RUNNING,
  state: 'paused' as const,
  pauseReason: reason,
  resumeAt,
});
const scheduled = (startAt: Date | null, now = NOON) => ({
  ...RUNNING,
  state: 'scheduled' as const,
  startedAt: null,
  startAt,
  now,
});
const hoursBefore = (hours: number) => new Date(NOON.getTime() - hours * 3_600_000);

const CASES: [string, StoredBroadcast, Partial<BroadcastFacts>, object][] = [
  ['one that has time waits for it', scheduled(hoursBefore(-1)), {}, { does: 'stay' }],
  ['one without a time begins at once', scheduled(null), {}, { does: 'run' }],
  ['one whose time has come begins', scheduled(NOON), {}, { does: 'run' }],
  ['one that is six hours late begins', scheduled(hoursBefore(6)), {}, { does: 'run' }],
  [
    'one that is later waits for a person',
    scheduled(hoursBefore(6.01)),
    {},
    { does: 'pause', reason: 'late' },
  ],
  [
    'one that begins in quiet hours waits for the morning',
    scheduled(EVENING, EVENING),
    {},
    { does: 'pause', reason: 'quiet', resumeAt: NEXT_MORNING },
  ],
  [
    'quiet hours pause a running one',
    { ...RUNNING, now: EVENING },
    {},
    { does: 'pause', reason: 'quiet', resumeAt: NEXT_MORNING },
  ],
  ['a running one goes on', RUNNING, {}, { does: 'stay' }],
  [
    'a suspended company sends nothing',
    RUNNING,
    { isSuspended: true },
    { does: 'pause', reason: 'suspended' },
  ],
  ['it ends when nobody is left', RUNNING, { isAnyWaiting: false }, { does: 'end' }],
  [
    'it does not end while a channel is being asked',
    RUNNING,
    { isAnyWaiting: false, isWithChannels: true },
    { does: 'stay' },
  ],
  [
    'a paused one with nobody left ends',
    paused('person'),
    { isAnyWaiting: false },
    { does: 'end' },
  ],
  [
    'a fifth that fails is endured',
    RUNNING,
    { recent: { count: 200, failed: 40, reason: 'Номера нет' } },
    { does: 'stay' },
  ],
  [
    'more than a fifth stops it, with the reason',
    RUNNING,
    { recent: { count: 200, failed: 41, reason: 'Номера нет' } },
    { does: 'pause', reason: 'failures', detail: 'Номера нет' },
  ],
  [
    'fewer than two hundred are too few to judge',
    RUNNING,
    { recent: { count: 199, failed: 199, reason: 'Номера нет' } },
    { does: 'stay' },
  ],
  ['only a person ends the pause of a person', paused('person'), { free: 99 }, { does: 'stay' }],
  ['only a person ends a pause for failures', paused('failures'), {}, { does: 'stay' }],
  ['money ends a pause for money', paused('money'), { free: 8 }, { does: 'run' }],
  ['too little money does not', paused('money'), { free: 7 }, { does: 'stay' }],
  ['its own hold counts', { ...paused('money'), held: 6 }, { free: 2 }, { does: 'run' }],
  ['not without new money', { ...paused('money'), held: 9 }, { free: 0 }, { does: 'stay' }],
  ['a timed pause ends in time', paused('channel', NOON), {}, { does: 'run' }],
  ['and not before', paused('channel', hoursBefore(-1)), {}, { does: 'stay' }],
  [
    'money at night waits for the morning',
    { ...paused('money'), now: EVENING },
    { free: 8 },
    { does: 'pause', reason: 'quiet', resumeAt: NEXT_MORNING },
  ],
  ['a draft stays a draft', { ...RUNNING, state: 'draft' }, {}, { does: 'stay' }],
  [
    'the end is the end',
    { ...RUNNING, state: 'cancelled' },
    { isAnyWaiting: false },
    { does: 'stay' },
  ],
];

for (const [name, broadcast, facts, expected] of CASES) {
  test(name, () => {
    assert.deepEqual(nextStep(broadcast, { ...FACTS, ...facts }), expected);
  });
}
