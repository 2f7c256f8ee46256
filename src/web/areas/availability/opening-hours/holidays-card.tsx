import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { HolidayEntry } from '#contract/availability/holidays.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder } from '#web/kit/loading-shape.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { holidaysQuery } from './availability-queries.ts'
import { HolidayRegionDialog } from './holiday-region-dialog.tsx'
import { RemainingAppointments } from './remaining-appointments.tsx'
import { formatDaysAsParts } from './special-days.ts'
import { useCloseHolidays, useKeepHolidaysOpen } from './use-hours-changes.ts'

const TITLE = 'Public holidays'

/** Number of proposals that are shown before the owner asks for all. */
const SHOWN_AT_FIRST = 6

/** Proposes public holidays as days off. Nothing closes unless the owner says so. Source: rules T56 and T57. */
export function HolidaysCard({ calendar }: { calendar: Calendar }) {
  const query = useQuery(holidaysQuery(calendar.id))
  const { data } = query
  const [isChoosing, setChoosing] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const regionButton = useRef<HTMLButtonElement>(null)
  const closing = useCloseHolidays(calendar.id)
  const keeping = useKeepHolidaysOpen(calendar.id)
  const holidays = data?.holidays ?? []
  const proposed = holidays.filter(({ state }) => state === 'proposed')
  const shown = isWhole ? holidays : proposed.slice(0, SHOWN_AT_FIRST)
  // Focus a button that stays, because those of decided holidays disappear.
  const decided = { onSuccess: () => regionButton.current?.focus() }
  return (
    <Card
      title={TITLE}
      description="Days off that we suggest. Nothing closes until you say so."
      actions={
        data !== undefined && (
          <Button ref={regionButton} onClick={() => setChoosing(true)}>
            {data.country === null ? 'Choose a country' : 'Change region'}
          </Button>
        )
      }
    >
      <LoadStatus query={query} loading="Loading public holidays..." failed="Failed to load public holidays">
        <LinePlaceholder className="w-56" />
      </LoadStatus>
      {data?.country === null && <p className="text-ink-soft">No country chosen.</p>}
      {data !== undefined && data.country !== null && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p>
              <span className="font-semibold">{data.place ?? 'Unknown region'}</span>
              {proposed.length === 0 && <span className="text-ink-soft"> · Nothing left to decide.</span>}
            </p>
            {proposed.length > 1 && (
              <Button
                pending={closing.isPending}
                onClick={() =>
                  closing.mutate(
                    proposed.map(({ date }) => date),
                    decided,
                  )
                }
              >
                Close on all {proposed.length} days
              </Button>
            )}
          </div>
          {shown.length > 0 && (
            <ul aria-label={TITLE} className="mt-3 border-t border-line">
              {shown.map((holiday) => (
                <HolidayItem
                  key={holiday.date}
                  {...{ calendar, holiday }}
                  isPending={closing.isPending || keeping.isPending}
                  onClose={() => closing.mutate([holiday.date], decided)}
                  onKeepOpen={() => keeping.mutate([holiday.date], decided)}
                />
              ))}
            </ul>
          )}
          {holidays.length > (isWhole ? 0 : shown.length) && (
            <Button variant="ghost" className="-ms-4 mt-2" onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Show fewer' : `Show all ${holidays.length} holidays`}
            </Button>
          )}
        </>
      )}
      {isChoosing && data !== undefined && (
        <HolidayRegionDialog calendar={calendar} chosen={data} onClose={() => setChoosing(false)} />
      )}
    </Card>
  )
}

const STATE_LABELS = { closed: 'Closed', special_hours: 'Special hours' } as const

type HolidayItemProps = {
  calendar: Pick<Calendar, 'id' | 'timezone'>
  holiday: HolidayEntry
  isPending: boolean
  onClose: () => void
  onKeepOpen: () => void
}

/** Shows a holiday with the number of its appointments, and lets the owner decide about it. */
function HolidayItem({ calendar, holiday, isPending, onClose, onKeepOpen }: HolidayItemProps) {
  const { date, name, state, appointments } = holiday
  const day = formatDaysAsParts({ first_date: date, last_date: date }).join(' ')
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0">
        <p dir="auto" className="font-semibold wrap-anywhere">
          {name}
        </p>
        <p className="text-ink-soft">{day}</p>
        <RemainingAppointments
          calendar={calendar}
          days={{ first_date: date, last_date: date, appointments }}
        />
      </div>
      {state === 'proposed' ? (
        <div className="flex gap-2">
          <Button
            size="sm"
            aria-disabled={isPending || undefined}
            aria-label={`Close on ${day}`}
            onClick={() => isPending || onClose()}
          >
            Close
          </Button>
          <Button
            size="sm"
            variant="ghost"
            aria-disabled={isPending || undefined}
            aria-label={`Keep open on ${day}`}
            onClick={() => isPending || onKeepOpen()}
          >
            Keep open
          </Button>
        </div>
      ) : (
        <p className="text-ink-soft">{STATE_LABELS[state]}</p>
      )}
    </li>
  )
}
