import { browserTimeZone, formatShortDate, formatTime, localDateOf } from '#web/shared/format-date.ts'

/** `Dec 1, 2026, 9:30 AM`, in the browser's zone: the reader of the mailbox sits in front of it. */
export function MailTime({ at }: { at: string }) {
  const timeZone = browserTimeZone()
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {formatShortDate(localDateOf(at, timeZone))}, {formatTime(at, timeZone)}
    </time>
  )
}
