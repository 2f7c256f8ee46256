import { formatZone } from '#web/shared/format-date.ts'

/** Heads of cards, which are there before the content is known. */
export const SLOT_SETTINGS_HEAD = {
  title: 'Time slot settings',
  description: 'Which times are offered, and how much room appointments get.',
} as const

export const SPECIAL_DAYS_HEAD = {
  title: 'Days off and special hours',
  description:
    'Close single days, or give them other hours than usual. The weekly hours count again afterwards.',
} as const

/** `timeZone` is the calendar's. */
export function scheduleHead(timeZone: string) {
  return {
    title: 'Weekly schedule',
    description: `When customers can book, every week, in ${formatZone(timeZone, new Date().toISOString())}.`,
  }
}
