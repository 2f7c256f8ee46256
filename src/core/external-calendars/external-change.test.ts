import { describe, expect, test } from 'vitest'
import { type ChangedEvent, classifyEventChange, findSyncConfirmationReason } from './external-change.ts'

const HOUR_MS = 3_600_000
const at = (hour: number) => ({ startMs: hour * HOUR_MS, endMs: (hour + 1) * HOUR_MS })
const change: ChangedEvent = { isUpcoming: true, appointmentTime: at(9), written: at(9), eventTime: at(9) }

describe('a change of an event (rules G12 and G14)', () => {
  test.each([
    ['a new title', {}, 'none'],
    ['another start', { eventTime: at(10) }, 'moved'],
    ['a later end', { eventTime: { startMs: at(9).startMs, endMs: at(10).endMs } }, 'moved'],
    ['a series', { eventTime: null }, 'moved'],
    ['no event', { eventTime: 'deleted' }, 'deleted'],
    ["another organizer's event", { eventTime: 'foreign' }, 'replaced'],
    [
      "another organizer's event, after the appointment was moved",
      { appointmentTime: at(10), eventTime: 'foreign' },
      'replaced',
    ],
    [
      'an event of somebody else, of what is cancelled or over',
      { isUpcoming: false, eventTime: 'foreign' },
      'none',
    ],
    ['our own write, not recorded yet', { appointmentTime: at(10), eventTime: at(10) }, 'none'],
    ['the old time, read before our move was written', { appointmentTime: at(10), eventTime: at(9) }, 'none'],
    [
      'another new time, after the appointment was moved',
      { appointmentTime: at(10), eventTime: at(11) },
      'stale',
    ],
    ['no event, after the appointment was moved', { appointmentTime: at(10), eventTime: 'deleted' }, 'stale'],
    ['no event of a cancelled or past appointment', { isUpcoming: false, eventTime: 'deleted' }, 'none'],
    ['another time of a cancelled or past appointment', { isUpcoming: false, eventTime: at(10) }, 'none'],
  ] as const)('%s', (_case, values, kind) => {
    expect(classifyEventChange({ ...change, ...values })).toBe(kind)
  })
})

describe('the guard (rule G13)', () => {
  const sync = {
    isCalendarGone: false,
    isFirstAfterReconnect: false,
    deletions: 1,
    recentDeletions: 0,
    moves: 0,
    recentMoves: 0,
    isEmpty: false,
  }
  test.each([
    ['one deletion', {}, null],
    ['three deletions', { deletions: 3 }, null],
    ['four deletions', { deletions: 4 }, 'many_deletions'],
    ['the fourth within minutes', { recentDeletions: 3 }, 'many_deletions'],
    ['five moves', { deletions: 0, moves: 5 }, null],
    ['six moves', { deletions: 0, moves: 6 }, 'many_moves'],
    ['the sixth within minutes', { deletions: 0, moves: 1, recentMoves: 5 }, 'many_moves'],
    ['a deletion after many moves', { recentMoves: 6 }, null],
    ['a move after three deletions', { deletions: 0, recentDeletions: 3 }, null],
    ['the only event', { isEmpty: true }, null],
    ['an emptied calendar', { deletions: 2, isEmpty: true }, 'calendar_gone'],
    ['a calendar that is gone', { deletions: 0, isCalendarGone: true }, 'calendar_gone'],
    ['the first sync after a reconnect', { deletions: 0, isFirstAfterReconnect: true }, 'reconnected'],
  ] as const)('%s', (_case, values, reason) => {
    expect(findSyncConfirmationReason({ ...sync, ...values })).toBe(reason)
  })
})
