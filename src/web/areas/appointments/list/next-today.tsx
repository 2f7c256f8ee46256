import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { areOfSeveralCalendars } from '#web/kit/calendar-dot.tsx'
import { useNow } from '#web/kit/use-now.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { upcomingAppointmentsQuery } from './appointment-queries.ts'
import { DayLine } from './day-line.tsx'
import { chooseListTimeZone } from './list-clock.ts'

/** More lines would push the calendars out of the dashboard's first screen. */
const MAX_LINES = 3

/** Lists today's next appointments in all calendars, as lines of the owner's day. Hidden if there are none. Source: rule V10. */
export function NextToday() {
  const { data } = useQuery(upcomingAppointmentsQuery)
  const now = useNow()
  const [opened, setOpened] = useState<AppointmentRow | null>(null)
  const appointments = data?.appointments ?? []
  const zone = chooseListTimeZone(appointments.map(({ time_zone }) => time_zone))
  const today = localDateOf(now, zone)
  const ofToday = appointments.filter(
    ({ starts_at, ends_at }) => localDateOf(starts_at, zone) <= today && ends_at > now,
  )
  const shown = ofToday.slice(0, MAX_LINES)
  if (shown.length === 0 && opened === null) return null
  return (
    <section aria-label="Next today" className="mt-4 border-t border-line pt-2">
      <ul className="divide-y divide-line">
        {shown.map((appointment) => (
          <li key={appointment.id}>
            <DayLine
              appointment={appointment}
              row={appointment}
              zone={zone}
              now={now}
              isOfSeveral={areOfSeveralCalendars(ofToday)}
              hasService
              onOpen={setOpened}
            />
          </li>
        ))}
      </ul>
      {ofToday.length > shown.length && (
        <a
          href={paths.today()}
          className="inline-flex items-center rounded-sm py-1 text-link underline underline-offset-4 touch:min-h-11"
        >
          See all of today
        </a>
      )}
      <AppointmentDialog
        appointment={opened && (appointments.find(({ id }) => id === opened.id) ?? opened)}
        onClose={() => setOpened(null)}
      />
    </section>
  )
}
