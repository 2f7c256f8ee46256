import type {
  CalendarConnection,
  ExternalCalendar,
  UnreadableEventPart,
} from '#contract/external-calendars/external-calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { Notice } from '#web/ui/notice.tsx'

type UnreadableNoticeProps = {
  calendar: ExternalCalendar
  provider: CalendarConnection['provider']
}

/** Lists the unreadable events of an external calendar by title. Source: rule G30. */
export function UnreadableEventsNotice({ calendar, provider }: UnreadableNoticeProps) {
  const { count, first } = calendar.unreadable_events
  if (count === 0) return null
  return (
    <Notice
      tone="warning"
      title={
        <>
          {unreadableText(count)} in <bdi className="wrap-anywhere">{calendar.name}</bdi>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        {groupUnreadable(first).map(({ part, words, titles }) => (
          <div key={part}>
            <p>{words}</p>
            <ul className="list-disc ps-5">
              {titles.map(({ key, title }) => (
                <li key={key} className="wrap-anywhere">
                  {title === null ? 'No title' : <bdi>{title}</bdi>}
                </li>
              ))}
            </ul>
          </div>
        ))}
        {count > first.length && <p>{moreText(count, first.length)}</p>}
        <p>{mendText(provider)}</p>
      </div>
    </Notice>
  )
}

/** Returns the number of unreadable events as text, such as `3 events cannot be read`. */
function unreadableText(count: number): string {
  if (count >= LIMITS.unreadableEvents) return `${formatCount(count)} or more events can’t be read`
  return count === 1 ? '1 event can’t be read' : `${count} events can’t be read`
}

/** Returns a sentence with the number of unreadable events that are not listed, such as `And 3 more events.` */
function moreText(count: number, shown: number): string {
  const more = count - shown
  if (count >= LIMITS.unreadableEvents) return `And at least ${formatCount(more)} more.`
  return more === 1 ? 'And 1 more event.' : `And ${more} more events.`
}

/** The effect of unreadable events on the times offered to customers, by the part that is unreadable. Source: rule G30. */
const WORDS: Readonly<Record<UnreadableEventPart, string>> = {
  date: 'Their dates are missing or unreadable, so customers can book over them:',
  times: 'We block all the time these might take, because some of their times are unreadable:',
  zone: 'We block all the time these might take, because their time zone is unknown:',
}

type Unreadable = ExternalCalendar['unreadable_events']['first'][number]

/** Groups the events by their unreadable part. */
function groupUnreadable(events: readonly Unreadable[]) {
  const numbered = events.map(({ title, part }, index) => ({ key: index, title, part }))
  return [...Map.groupBy(numbered, ({ part }) => part)].map(([part, titles]) => ({
    part,
    words: WORDS[part],
    titles,
  }))
}

/** Explains how the owner can repair the unreadable events. */
function mendText(provider: CalendarConnection['provider']): string {
  const mend = 'Open them in your calendar app, enter the date, times and time zone again, and save.'
  return provider === 'ics' ? `${mend} If somebody else publishes the calendar, ask them to do it.` : mend
}
