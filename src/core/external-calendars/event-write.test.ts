import { expect, test } from 'vitest'
import {
  decideEventWrite,
  type EventSyncState,
  resolveEventConflict,
  toAccountPauseMs,
} from './event-write.ts'

const STANDS: EventSyncState = {
  status: 'confirmed',
  isHeld: false,
  isReleased: false,
  isInOthersEvent: false,
}
const GONE: EventSyncState = { ...STANDS, status: 'cancelled' }
const HELD: EventSyncState = { ...STANDS, status: 'pending_payment', isHeld: true }
const ENDED: EventSyncState = { ...HELD, isReleased: true }
const UNPAID: EventSyncState = { ...STANDS, status: 'pending_payment' }
const ASKED: EventSyncState = { ...STANDS, status: 'pending_cancellation' }
const IN_OTHERS: EventSyncState = { ...STANDS, isInOthersEvent: true }

test.each([
  [STANDS, null, true, 'create'],
  [STANDS, null, false, 'nothing'],
  [STANDS, 'old', true, 'update'],
  // The calendar now writes to another external calendar or to none: the event stays where it is and is still updated.
  [STANDS, 'old', false, 'update'],
  [STANDS, 'new', true, 'nothing'],
  [UNPAID, null, true, 'create'],
  [ASKED, 'new', true, 'nothing'],
  [HELD, null, true, 'nothing'],
  [ENDED, null, true, 'nothing'],
  [GONE, null, true, 'nothing'],
  [GONE, 'new', true, 'remove'],
  [GONE, 'new', false, 'remove'],
  [IN_OTHERS, null, true, 'nothing'],
  [IN_OTHERS, 'new', true, 'remove'],
] as const)('%o with %s written, wanted: %s — %s (rule G11)', (standing, writtenHash, isWanted, write) => {
  expect(decideEventWrite(standing, { contentHash: 'new', writtenHash, isWanted })).toBe(write)
})

const [nine, ten, eleven] = [9, 10, 11].map((hour) => ({
  startMs: hour * 3_600_000,
  endMs: (hour + 1) * 3_600_000,
}))

test.each([
  ['only texts changed there', nine, nine, nine, true, 'overwrite'],
  ['it was moved here and there', ten, nine, eleven, true, 'overwrite'],
  ['our own write was not recorded', ten, nine, ten, true, 'overwrite'],
  ['it was moved there, and moves are followed', nine, nine, eleven, true, 'leave_to_sync'],
  ['it was moved there, and moves are not followed', nine, nine, eleven, false, 'overwrite'],
  ['it became a series, and moves are followed', nine, nine, null, true, 'leave_to_sync'],
] as const)(
  'when %s, the answer is right (rule G12)',
  (_case, here, written, there, isFollowed, decision) => {
    if (here === undefined || written === undefined || there === undefined) throw new Error('three hours')
    expect(resolveEventConflict({ here, written, there, isFollowed })).toBe(decision)
  },
)

test('pauses grow to five minutes, and are never shorter than Retry-After', () => {
  expect([1, 2, 3, 6, 50].map((attempts) => toAccountPauseMs(attempts, null))).toEqual([
    10_000, 20_000, 40_000, 300_000, 300_000,
  ])
  expect(toAccountPauseMs(1, 90_000)).toBe(90_000)
  expect(toAccountPauseMs(6, 90_000)).toBe(300_000)
})
