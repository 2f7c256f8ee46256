import type { CalendarConnection, ExternalCalendar } from '#contract/external-calendars/external-calendars.ts'
import { Notice } from '#web/ui/notice.tsx'
import { groupUnreadable, mendText, moreText, unreadableText } from './unreadable-words.ts'

type UnreadableNoticeProps = {
  calendar: ExternalCalendar
  provider: CalendarConnection['provider']
}

/** The events of an external calendar that cannot be read, by their titles. Source: rule G30. */
export function UnreadableNotice({ calendar, provider }: UnreadableNoticeProps) {
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
                  {title === null ? 'Without a title' : <bdi>{title}</bdi>}
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
