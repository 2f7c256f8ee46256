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
  const appointments = changes.length === 1 ? 'this appointment' : `these ${changes.length} appointments`
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
      one: 'Move this appointment',
      all: 'Move these appointments',
      title: `Move ${appointments}?`,
      description: `We’ll move them to the times in your own calendar. ${described}`,
      confirm: changes.length === 1 ? 'Move appointment' : 'Move appointments',
      pending: 'Moving...',
    }
  }
  return {
    one: 'Cancel this appointment',
    all: 'Cancel these appointments',
    title: `Cancel ${appointments}?`,
    description: `${described} You can restore a cancelled appointment while its time is free.`,
    confirm: changes.length === 1 ? 'Cancel appointment' : 'Cancel appointments',
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
