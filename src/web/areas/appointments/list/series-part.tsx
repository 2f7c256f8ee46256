import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { EndSeriesBody, EndSeriesResponse, SeriesResponse } from '#contract/appointments/series.ts'
import * as at from '#contract/operations/addresses.ts'
import { isCancellable } from '#core/appointments/appointment-actions.ts'
import { nameInterval } from '#core/slots/series-rule.ts'
import { refreshOwnerFreeTimes } from '#web/kit/own-times.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatShortDate, formatTime, formatWeekday, localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.tsx'
import { DisclosureButton } from './disclosure-button.tsx'

type InSeries = AppointmentRow & { series: NonNullable<AppointmentRow['series']> }

function seriesQuery({ calendar_id, series }: InSeries) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', calendar_id, 'series', series.id],
    queryFn: ({ signal }) =>
      callApi(at.getSeries, { params: { id: calendar_id, series_id: series.id }, signal }),
    retry: retryOnce,
  })
}

/** Shows which series an appointment belongs to, with its other dates, and lets the owner end it. Source: rule B45. */
export function SeriesPart({ appointment }: { appointment: InSeries }) {
  const { data, error, refetch } = useQuery(seriesQuery(appointment))
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  if (data === undefined && error !== null) {
    return <ErrorState title="Failed to load the series" hint={error.message} onRetry={() => refetch()} />
  }
  if (data === undefined) {
    return (
      <p role="status" className="flex items-center gap-2 text-ink-soft">
        <Spinner /> Loading the series...
      </p>
    )
  }
  // Cancelled dates do not count. A cancelled date has the place 0.
  const booked = data.dates.filter(({ status }) => status !== 'cancelled')
  const place = booked.findIndex(({ appointment_id }) => appointment_id === appointment.id) + 1
  return (
    <section aria-label="Series" className="flex flex-col items-start gap-2 border-t border-line pt-4">
      <p>
        {place > 0 && (
          <>
            <span className="font-semibold">
              {place} of {booked.length}
            </span>{' '}
            ·{' '}
          </>
        )}
        {describeRule(data)}
      </p>
      <div className="-ms-3">
        <DisclosureButton controls={listId} open={isOpen} onChange={setOpen}>
          All dates
        </DisclosureButton>
      </div>
      <div id={listId} className="w-full empty:hidden">
        {isOpen && <Dates appointment={appointment} dates={data.dates} />}
      </div>
      <Actions appointment={appointment} series={data} />
    </section>
  )
}

function describeRule({ every_weeks: weeks, is_standing: isStanding }: SeriesResponse): string {
  const rule = nameInterval(weeks)
  return isStanding ? `${rule}, without an end` : rule
}

function Dates({ appointment, dates }: { appointment: InSeries } & Pick<SeriesResponse, 'dates'>) {
  const { id, calendar_id, time_zone, hour_cycle } = appointment
  return (
    <ol className="divide-y divide-line border-t border-line">
      {dates.map(({ appointment_id, starts_at, status }) => {
        const date = localDateOf(starts_at, time_zone)
        const when = `${formatWeekday(date)}, ${formatShortDate(date)}, ${formatTime(starts_at, time_zone, hour_cycle)}`
        return (
          <li key={appointment_id} className="py-2">
            {appointment_id === id ? (
              <span aria-current="true" className="font-semibold">
                {when}
              </span>
            ) : (
              <a
                href={paths.calendarSettings(calendar_id, 'appointments', { appointment: appointment_id })}
                className="text-link underline underline-offset-4"
              >
                {when}
              </a>
            )}
            {status === 'cancelled' && <span className="text-ink-soft"> · Cancelled</span>}
          </li>
        )
      })}
    </ol>
  )
}

/** The action that the owner is asked to confirm. */
type Question = 'cancel' | 'end'

function Actions({ appointment, series }: { appointment: InSeries; series: SeriesResponse }) {
  const { calendar_id, series: place, customers } = appointment
  const client = useQueryClient()
  const [question, setQuestion] = useState<Question | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: (body: EndSeriesBody) =>
      callApi(at.endSeries, { params: { id: calendar_id, series_id: place.id }, body }),
    onSuccess: (ended) => toast.success(describeEnd(ended)),
    onError: (error) => toast.error(error.message),
    onSettled: async () => {
      await Promise.all([refreshAppointments(client), refreshOwnerFreeTimes(client)])
      setQuestion(null)
    },
  })
  const now = Date.now()
  const following = series.dates.filter(
    ({ number, starts_at, status }) =>
      number >= place.number && status !== 'cancelled' && Date.parse(starts_at) > now,
  )
  const cancellable = following.filter(({ status, payment_status }) =>
    isCancellable({ status, paymentStatus: payment_status }),
  )
  const awaiting = following.length - cancellable.length
  const isCancel = question === 'cancel'
  return (
    <div className="flex flex-wrap gap-2">
      {following.length > 1 && cancellable.length > 0 && (
        <Button size="sm" onClick={() => setQuestion('cancel')}>
          Cancel this and all following
        </Button>
      )}
      {series.is_standing && (
        <Button size="sm" onClick={() => setQuestion('end')}>
          End standing appointment
        </Button>
      )}
      <ConfirmDialog
        open={question !== null}
        onOpenChange={() => setQuestion(null)}
        title={
          isCancel ? `Cancel ${countAppointments(cancellable.length)}?` : 'End this standing appointment?'
        }
        description={
          isCancel
            ? `${describeCancellation(awaiting)} ${customers.email === null ? 'There is no email address, so please tell the customer yourself.' : 'We’ll send the customer one email about all of them.'}`
            : 'We won’t book any further dates. The appointments that are booked stay.'
        }
        confirmLabel={
          isCancel ? `Cancel ${countAppointments(cancellable.length)}` : 'End standing appointment'
        }
        pendingLabel="Saving..."
        cancelLabel="Keep"
        pending={isPending}
        tone={isCancel ? 'danger' : undefined}
        onConfirm={() => mutate({ cancel_from: isCancel ? place.number : null })}
      />
    </div>
  )
}

function describeEnd({ cancelled, kept }: EndSeriesResponse): string {
  if (cancelled === 0 && kept === 0) return 'No further dates will be booked'
  const stay = kept === 0 ? '' : `. ${describeAwaiting(kept)}`
  return `${countAppointments(cancelled)} cancelled${stay}`
}

function describeCancellation(awaiting: number): string {
  return awaiting === 0
    ? 'All dates from this one on are cancelled.'
    : `The dates from this one on are cancelled. ${describeAwaiting(awaiting)} To cancel such a date, mark its payment as failed.`
}

function describeAwaiting(dates: number): string {
  return dates === 1 ? '1 date that awaits payment stays.' : `${dates} dates that await payment stay.`
}

function countAppointments(count: number): string {
  return count === 1 ? '1 appointment' : `${count} appointments`
}
