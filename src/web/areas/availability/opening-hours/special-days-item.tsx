import { Fragment } from 'react'
import type { SpecialDaysEntry } from '#contract/availability/special-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { BinButton, EditButton } from '#web/kit/item-buttons.tsx'
import { localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { describeStaying, toDayParts, toHourParts } from './special-days.ts'
import { useRemoveOnce } from './use-remove-once.ts'
import { useRemoveSpecialDays } from './use-special-days-changes.ts'

type SpecialDaysItemProps = {
  calendar: Pick<Calendar, 'id' | 'timezone'>
  entry: SpecialDaysEntry
  onEdit: () => void
  onRemoved: () => void
}

/** Days in a row with their hours, and the appointments on them that stay; their removal can be undone from its toast. */
export function SpecialDaysItem({ calendar, entry, onEdit, onRemoved }: SpecialDaysItemProps) {
  const { mutate, isPending } = useRemoveSpecialDays(calendar.id)
  const dayParts = toDayParts(entry)
  const days = dayParts.join(' ')
  const remove = useRemoveOnce((outcome) => mutate(entry, outcome), onRemoved)
  return (
    <article aria-label={days} className="min-w-0 rounded-control border border-line bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 font-sans text-base font-semibold tracking-normal">
          <Unbroken parts={dayParts} />
        </h3>
        <div className="-me-2 -mt-2 flex shrink-0 gap-1">
          <EditButton name={days} onPress={onEdit} />
          <BinButton label={`Remove ${days}`} isPending={isPending} onPress={remove} />
        </div>
      </div>
      <p className="tabular-nums">
        <Unbroken parts={toHourParts(entry.hours)} />
      </p>
      {entry.note !== null && (
        <p dir="auto" className="text-ink-soft wrap-anywhere">
          {entry.note}
        </p>
      )}
      {entry.appointments > 0 && (
        <p className="mt-1 text-sm">
          <a
            href={appointmentsPath(calendar, entry)}
            className="rounded-control text-link underline underline-offset-4 touch:-my-2.5 touch:inline-flex touch:min-h-11 touch:items-center"
          >
            {describeStaying(entry)}
          </a>
        </p>
      )}
    </article>
  )
}

/** Texts in a row; lines break only between them. */
function Unbroken({ parts }: { parts: readonly string[] }) {
  return parts.map((part, index) => (
    <Fragment key={part}>
      {index > 0 && ' '}
      <span className="whitespace-nowrap">{part}</span>
    </Fragment>
  ))
}

/** The day view of a single day, else the week of the first day that is not over. */
function appointmentsPath(
  { id, timezone }: Pick<Calendar, 'id' | 'timezone'>,
  { first_date, last_date }: SpecialDaysEntry,
): string {
  const today = localDateOf(new Date().toISOString(), timezone)
  return paths.calendarSettings(id, 'appointments', {
    view: first_date === last_date ? 'day' : 'week',
    date: first_date < today ? today : first_date,
  })
}
