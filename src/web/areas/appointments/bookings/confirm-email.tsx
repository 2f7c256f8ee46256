import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import type { CreateBookingResponse, PublicAppointment } from '#contract/appointments/bookings.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { notifyEmbeddingPage, withEmbedParam } from '#web/shared/embedding.ts'
import { choosePageTimeZone, formatInPageTimeZone } from '#web/shared/page-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeField } from '#web/ui/code-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AppointmentSummary } from './appointment-summary.tsx'
import { FurtherDates } from './further-dates.tsx'
import { releaseHold } from './pending-payment.ts'
import type { DraftBeforePayment, SavedBooking } from './saved-booking.ts'

type ConfirmEmailProps = {
  appointment: PublicAppointment
  /** Details saved in this tab's history; null if the booking was made in another tab or browser. */
  kept: SavedBooking | null | undefined
  bookingPath: string
  /** True to focus the heading, so that screen readers announce the new content. */
  takesFocus: boolean
  onConfirmed: (booked: CreateBookingResponse) => void
}

/**
 * Asks for the code that was emailed to the customer. Until they enter it, the time is only held. A customer who has
 * mistyped their address can release the time and return to the form, with their input kept. Source: rules B24 and B32.
 */
export function ConfirmEmailForm({
  appointment,
  kept,
  bookingPath,
  takesFocus,
  onConfirmed,
}: ConfirmEmailProps) {
  const params = { id: appointment.id }
  const [code, setCode] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = 'Confirm your email address · Meridian'
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  const confirm = useMutation({
    mutationFn: (typed: string) => callApi(at.confirmBookingEmail, { params, body: { code: typed } }),
    onSuccess: (booked) => {
      if (kept?.form) forgetForm(kept)
      notifyEmbeddingPage()
      onConfirmed(booked)
    },
  })
  const again = useMutation({
    mutationFn: () => callApi(at.sendBookingCodeAgain, { params }),
    onSuccess: () => toast.success('We’ve sent the code again.'),
    onError: (error) => toast.error(error.message),
  })
  const change = useMutation({
    mutationFn: () => releaseHold(appointment.id),
    onSuccess: (outcome) => {
      // If the booking has been confirmed in another tab, reload to show that.
      if (outcome === 'kept') location.reload()
      else if (kept?.form) returnToForm(kept.form)
      else location.assign(bookingPath)
    },
    onError: (error) => toast.error(error.message),
  })
  const changeBooking = (event: MouseEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!confirm.isPending) confirm.mutate(code)
  }
  const clock = choosePageTimeZone(appointment, kept?.zone)
  const until = formatInPageTimeZone(clock, appointment.confirm_email_until ?? appointment.starts_at)
  return (
    <section className="grid gap-6 rounded-card border border-line bg-surface p-5 shadow-card sm:p-8">
      <h1 ref={heading} tabIndex={-1} className="rounded-sm text-3xl sm:text-4xl">
        Confirm your email address
      </h1>
      <p className="wrap-anywhere">
        We’ve sent a six-digit code to {kept?.email || 'the address you gave'}. We’re holding{' '}
        {kept?.further?.length ? 'all dates' : 'your time'} until {until}. Enter the code to book{' '}
        {kept?.further?.length ? 'them' : 'it'}.
      </p>
      <form noValidate onSubmit={submit} className="grid max-w-sm gap-4">
        <CodeField
          label="Code"
          required
          inputMode="numeric"
          value={code}
          error={confirm.error?.message}
          onChange={(event) => setCode(event.target.value)}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" disabled={confirm.isPending}>
            {confirm.isPending ? 'Booking...' : 'Confirm booking'}
          </Button>
          <Button disabled={again.isPending} onClick={() => again.mutate()}>
            Send the code again
          </Button>
        </div>
      </form>
      <AppointmentSummary appointment={appointment} zone={kept?.zone}>
        <FurtherDates appointment={appointment} dates={kept?.further} zone={kept?.zone} />
      </AppointmentSummary>
      <p className="text-ink-soft">
        Wrong address or time?{' '}
        <a href={bookingPath} onClick={changeBooking} className="text-link underline underline-offset-4">
          {change.isPending ? 'Going back...' : 'Change it'}
        </a>
      </p>
    </section>
  )
}

/** Reopens the booking page with the draft in its form. */
function returnToForm({ path, draft }: DraftBeforePayment): void {
  history.replaceState({ draft }, '', withEmbedParam(path))
  location.reload()
}

/** Removes the form from the saved booking, because it is not needed after the confirmation. */
function forgetForm({ email, zone, link, further }: SavedBooking): void {
  history.replaceState({ booking: { email, zone, link, further } satisfies SavedBooking }, '')
}
