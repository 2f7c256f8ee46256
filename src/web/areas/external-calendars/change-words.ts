import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ExternalChanges } from '#contract/external-calendars/external-calendars.ts'
import { formatTimeRange } from '#web/shared/format-clock.ts'
import { formatShortDate, localDateOf } from '#web/shared/format-date.ts'

export type PendingExternalChange = ExternalChanges['changes'][number]

/** The reasons why changes were not applied automatically. Source: rule G13. */
export const CHANGE_REASON_SENTENCES: Readonly<Record<PendingExternalChange['reason'], string>> = {
  many_deletions: 'Several of your appointments were deleted in your own calendar at the same time.',
  many_moves: 'Several of your appointments were moved in your own calendar at the same time.',
  calendar_gone: 'The calendar we write your appointments to was deleted or emptied.',
  reconnected: 'These events changed in your own calendar while syncing back was off.',
  group_session:
    'The event of a session was changed in your own calendar. It concerns everybody in the session, so we ask you first.',
}

/** Returns whose event was changed, such as `Ada Lovelace` or `Session of 3 people`. */
export function describeChanged({ customer_name, people }: PendingExternalChange): string {
  if (people === null) return customer_name || 'Unknown'
  return people === 1 ? 'Session of 1 person' : `Session of ${people} people`
}

/** Counts the appointments that these changes concern: in a session, one for each person. */
export function countAppointments(changes: readonly PendingExternalChange[]): number {
  return changes.reduce((sum, { people }) => sum + (people ?? 1), 0)
}

type FollowWords = {
  /** The labels of two buttons: one applies a single change, the other applies all changes. */
  readonly one: string
  readonly all: string
  readonly title: string
  readonly description: string
  readonly confirm: string
  readonly pending: string
}

/** Returns the button labels and dialog texts for applying external changes to appointments. */
export function describeApplyingChanges(changes: readonly PendingExternalChange[]): FollowWords {
  const kinds = new Set(changes.map(({ kind }) => kind))
  const isOne = changes.length === 1
  const noun = isOne && changes.every(({ people }) => people !== null) ? 'session' : 'appointment'
  const concerned = isOne ? `this ${noun}` : `these ${countAppointments(changes)} appointments`
  const described = 'We’ll email the customers.'
  if (kinds.size > 1) {
    return {
      one: 'Apply this change',
      all: 'Apply these changes',
      title: `Apply ${changes.length} changes?`,
      description: `We’ll cancel or move the appointments to match your own calendar. ${described}`,
      confirm: 'Apply changes',
      pending: 'Applying...',
    }
  }
  if (kinds.has('moved')) {
    return {
      one: `Move this ${noun}`,
      all: 'Move these appointments',
      title: `Move ${concerned}?`,
      description: `We’ll move them to the times in your own calendar. ${described}`,
      confirm: isOne ? `Move ${noun}` : 'Move appointments',
      pending: 'Moving...',
    }
  }
  return {
    one: `Cancel this ${noun}`,
    all: 'Cancel these appointments',
    title: `Cancel ${concerned}?`,
    description: `${described} You can restore a cancelled appointment while its time is free.`,
    confirm: isOne ? `Cancel ${noun}` : 'Cancel appointments',
    pending: 'Cancelling...',
  }
}

/** Formats a time span, such as `Dec 1, 2026 · 9:30 – 10:15 AM`. */
export function formatTimeSpan(
  startsAt: string,
  endsAt: string,
  { timezone, hour_cycle }: Pick<Calendar, 'timezone' | 'hour_cycle'>,
): string {
  return `${formatShortDate(localDateOf(startsAt, timezone))} · ${formatTimeRange(startsAt, endsAt, timezone, hour_cycle)}`
}
