import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { dayOfWeek } from '#core/shared/zoned-time.ts'
import { CancelSessionDialog } from '#web/areas/appointments/whole-days/cancel-session-dialog.tsx'
import { formatDayOfWeek, formatLongDate } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { AppointmentContent } from './appointment-item.tsx'
import { CollapsedAppointment } from './appointment-line.tsx'
import { agendaQuery } from './appointment-queries.ts'
import { AppointmentTimes } from './appointment-times.tsx'
import { chooseRepresentative, describeSession, isSeat } from './group-sessions.ts'
import { MoveDialog } from './move-dialog.tsx'
import { isMovable } from './use-move.ts'

/**
 * Shows a session with its people. Each of them opens, with all actions for their own appointment. Moves or cancels everybody
 * at once. Source: rules B59 and B60.
 */
export function SessionContent({ appointment: opened }: { appointment: AppointmentRow }) {
  const { calendar_id, calendar_name, date, session } = opened
  const { data } = useQuery(agendaQuery(calendar_id, date, 1))
  const [isMoving, setMoving] = useState(false)
  const [isCancelling, setCancelling] = useState(false)
  const found = data?.appointments.filter((row) => isSeat(row) && row.session?.id === session?.id) ?? []
  // The opened appointment is known at once; the others follow when the day has loaded.
  const people = found.length > 0 ? found : [opened]
  const appointment = chooseRepresentative(people) ?? opened
  const { name, taken } = describeSession(appointment)
  const canChange = people.some((person) => isMovable(person, Date.now()))
  return (
    <article aria-label={`${name}, ${formatLongDate(date)}`} className="flex flex-col gap-4 py-5">
      <div>
        <h3 className="text-xl font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
        </h3>
        <p className="mt-2 font-semibold">
          {formatDayOfWeek(dayOfWeek(date))}, {formatLongDate(date)}
        </p>
        <p>
          <AppointmentTimes appointment={appointment} />
        </p>
        <p className="text-ink-soft wrap-anywhere">
          {taken} seats taken · <bdi>{calendar_name}</bdi>
        </p>
      </div>
      <ul aria-label="People in this session" className="divide-y divide-line border-y border-line">
        {people.map((person) => (
          <li key={person.id}>
            <CollapsedAppointment appointment={person}>
              <AppointmentContent appointment={person} />
            </CollapsedAppointment>
          </li>
        ))}
      </ul>
      {canChange && (
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => setMoving(true)}>Move session</Button>
          <Button onClick={() => setCancelling(true)}>Cancel session</Button>
        </div>
      )}
      <MoveDialog appointment={appointment} isWholeSession open={isMoving} onOpenChange={setMoving} />
      <CancelSessionDialog
        session={{
          calendarId: calendar_id,
          calendarName: calendar_name,
          date,
          sessionId: session?.id ?? '',
          name,
        }}
        open={isCancelling}
        onOpenChange={setCancelling}
      />
    </article>
  )
}
