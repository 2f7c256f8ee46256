import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { z } from 'zod'
import type { Calendar, FutureAppointmentsSummary } from '#contract/calendars/calendars.ts'
import { zoneCityOf } from '#contract/shared/zone-names.ts'
import { futureAppointmentsQuery } from '#web/kit/calendar-cache.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { useCalendarForm } from '#web/kit/use-calendar-form.ts'
import { useNow } from '#web/kit/use-now.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import { formatDateHeading, formatTime, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { timeZoneOptions } from '#web/shared/time-zone-options.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

const timeZoneForm = z.object({ timezone: z.string() })

/** Lets the owner see and change the calendar's time zone. Source: rule T24. */
export function TimeZoneCard({ calendar }: { calendar: Calendar }) {
  const [isAsking, setAsking] = useState(false)
  const record = useCalendarForm({
    calendar,
    name: 'time-zone',
    schema: timeZoneForm,
    show: ({ timezone }) => ({ timezone }),
    toChanges: ({ timezone }) => ({ timezone }),
    saved: 'Timezone Updated',
    failed: () => 'Error: Failed to update timezone. Please try again.',
  })
  const { form, values, save, isEdited } = record
  const { isSubmitting } = form.formState
  const { timezone } = values
  const zones = useMemo(() => timeZoneOptions(calendar.timezone), [calendar.timezone])
  const update = async () => {
    await save()
    setAsking(false)
  }
  return (
    <Card title="Time zone" description="Your weekly hours and appointments use this time zone.">
      <div className="flex flex-col gap-4">
        <FormNotices record={record} labels={{ timezone: 'Time zone' }} />
        <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2">
          <Combobox
            label="Time zone"
            options={zones}
            value={timezone}
            onChange={(zone) => form.setValue('timezone', zone)}
          />
          <LocalTime timeZone={timezone} />
        </div>
        <Button
          className="self-start"
          variant="primary"
          disabled={!isEdited || isSubmitting}
          onClick={() => setAsking(true)}
        >
          {isSubmitting ? 'Updating...' : 'Update time zone'}
        </Button>
      </div>
      <ChangeTimeZoneDialog
        calendar={calendar}
        next={timezone}
        open={isAsking}
        onOpenChange={setAsking}
        pending={isSubmitting}
        onConfirm={() => void update()}
      />
    </Card>
  )
}

/** Shows the current time in the zone, so that owners notice a wrong zone. */
function LocalTime({ timeZone }: { timeZone: string }) {
  const now = useNow()
  const hourCycle = useHourCycle()
  return (
    <p className="rounded-control bg-sunken px-4 py-2 sm:self-end">
      <span className="block text-sm text-ink-soft">Now, {formatZone(timeZone, now)}</span>
      <strong className="font-display text-xl lining-nums">{formatTime(now, timeZone, hourCycle)}</strong>{' '}
      <span className="inline-block text-sm text-ink-soft">
        {formatDateHeading(localDateOf(now, timeZone))}
      </span>
    </p>
  )
}

type ChangeTimeZoneDialogProps = {
  calendar: Calendar
  /** The newly chosen zone. */
  next: string
  open: boolean
  onOpenChange: (open: boolean) => void
  pending: boolean
  onConfirm: () => void
}

/** Explains, before the zone is saved, what the change means for appointments and weekly hours. Source: rule T24. */
export function ChangeTimeZoneDialog({ calendar, next, ...dialog }: ChangeTimeZoneDialogProps) {
  const { data, isFetching, isError } = useQuery({
    ...futureAppointmentsQuery(calendar.id),
    enabled: dialog.open,
  })
  // Cached data from an earlier request may be outdated.
  const outlook = isFetching || isError ? undefined : data
  const nine = formatClock('09:00', calendar.hour_cycle)
  const zones = { before: calendar.timezone, next }
  return (
    <ConfirmDialog
      {...dialog}
      title={`Change the time zone to ${zoneCityOf(next)}?`}
      description={
        <>
          <span className="block">
            {outlook === undefined ? sentenceWithoutNumber(isError) : sentenceAbout(outlook, zones)}
          </span>
          <span className="mt-2 block">
            Your weekly hours apply in the new zone from then on: {nine} will mean {nine} in{' '}
            {zoneCityOf(next)}.
          </span>
        </>
      }
      confirmLabel="Update time zone"
      pendingLabel="Updating..."
    />
  )
}

function sentenceWithoutNumber(isError: boolean): string {
  return isError
    ? 'Future appointments don’t move. Only the time you see for them changes.'
    : 'Counting upcoming appointments…'
}

type Zones = { readonly before: string; readonly next: string }

function sentenceAbout(
  { future_appointments, next_appointment }: FutureAppointmentsSummary,
  zones: Zones,
): string {
  if (future_appointments === 0 || next_appointment === null) return 'There are no upcoming appointments.'
  const what =
    future_appointments === 1
      ? '1 future appointment doesn’t move: the customer comes at the same time.'
      : `${future_appointments} future appointments don’t move: customers come at the same time.`
  const before = readingOf(next_appointment, zones.before)
  const after = readingOf(next_appointment, zones.next)
  if (before.time === after.time && before.day === after.day) {
    return `${what} You’ll see the next one at the same time as now, ${after.time} on ${after.day}.`
  }
  const from = before.day === after.day ? before.time : `${before.time} on ${before.day}`
  return `${what} Only the time you see changes: you’ll see the next one at ${after.time} on ${after.day} instead of ${from}.`
}

/** Formats an instant as `9:30 AM` and `Tuesday, December 1`. */
function readingOf(
  { starts_at, hour_cycle }: NonNullable<FutureAppointmentsSummary['next_appointment']>,
  timeZone: string,
): { time: string; day: string } {
  return {
    time: formatTime(starts_at, timeZone, hour_cycle),
    day: formatDateHeading(localDateOf(starts_at, timeZone)),
  }
}
