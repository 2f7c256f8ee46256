import type {
  CalendarConnection,
  ExternalCalendar,
  UnreadablePart,
} from '#contract/external-calendars/external-calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { formatCount } from '#web/shared/format-count.ts'

/** `3 events cannot be read`. */
export function unreadableText(count: number): string {
  if (count >= LIMITS.unreadableEvents) return `${formatCount(count)} or more events cannot be read`
  return count === 1 ? '1 event cannot be read' : `${count} events cannot be read`
}

/** Those that are not named: `And 3 more events.` */
export function moreText(count: number, shown: number): string {
  const more = count - shown
  if (count >= LIMITS.unreadableEvents) return `And ${formatCount(more)} or more others.`
  return more === 1 ? 'And 1 more event.' : `And ${more} more events.`
}

/** What it means for the times that customers are offered. Source: rule G30. */
const WORDS: Readonly<Record<UnreadablePart, string>> = {
  date: 'Their date is missing or unreadable. Customers can book over them:',
  times: 'We block all the time these might take, because some of their times are unreadable:',
  zone: 'We block all the time these might take, because their time zone is unknown:',
}

type Unreadable = ExternalCalendar['unreadable_events']['first'][number]

/** The titles for each part that cannot be read, in the order in which they came. */
export function groupUnreadable(events: readonly Unreadable[]) {
  const numbered = events.map(({ title, part }, index) => ({ key: index, title, part }))
  return [...Map.groupBy(numbered, ({ part }) => part)].map(([part, titles]) => ({
    part,
    words: WORDS[part],
    titles,
  }))
}

/** What the owner can do. */
export function mendText(provider: CalendarConnection['provider']): string {
  const mend = 'Open them in your calendar app, enter the date, the times and the time zone again, and save.'
  return provider === 'ics' ? `${mend} If somebody else publishes the calendar, ask them to do it.` : mend
}
