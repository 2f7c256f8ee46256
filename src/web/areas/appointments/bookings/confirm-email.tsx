import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import type { CreateBookingResponse, PublicAppointment } from '#contract/appointments/bookings.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatOnClock, pageClockOf } from '#web/shared/page-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeField } from '#web/ui/code-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { AppointmentSummary } from './appointment-summary.tsx'
import type { KeptBooking } from './kept-booking.ts'
import { forgetForm, returnToForm } from './left-form.ts'
import { giveBack } from './pending-payment.ts'
import { tellBooked } from './tell-booked.ts'

type ConfirmEmailProps = {
  appointment: PublicAppointment
  /** What this browser knows of the booking; null when it was made elsewhere. */
  kept: KeptBooking | null | undefined
  bookingPath: string
  /** The page has just changed under the visitor: the heading takes the focus and is read. */
  takesFocus: boolean
  onConfirmed: (booked: CreateBookingResponse) => void
}

/**
 * Asks for the code that was sent to the customer's address. Until it is typed, the time is only held. Customers who typed a wrong
 * address give the time back and find everything in the form that they had entered. Source: rules B24 and B32.
 */
export function ConfirmEmail({ appointment, kept, bookingPath, takesFocus, onConfirmed }: ConfirmEmailProps) {
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
      // The booking counts now, so its form is not needed any longer.
      if (kept?.form) forgetForm(kept)
      tellBooked()
      onConfirmed(booked)
    },
  })
  const again = useMutation({
    mutationFn: () => callApi(at.sendBookingCodeAgain, { params }),
    onSuccess: () => toast.success('The code is on its way again.'),
    onError: (error) => toast.error(error.message),
  })
  const change = useMutation({
    mutationFn: () => giveBack(appointment.id),
    onSuccess: (outcome) => {
      // Another tab has confirmed it: this page then says so.
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
  const clock = pageClockOf(appointment, kept?.zone)
  const until = formatOnClock(clock, appointment.confirm_email_until ?? appointment.starts_at)
  return (
    <section className="grid gap-6 rounded-card border border-line bg-surface p-5 shadow-card sm:p-8">
      <h1 ref={heading} tabIndex={-1} className="rounded-sm text-3xl sm:text-4xl">
        Confirm your email address
      </h1>
      <p className="wrap-anywhere">
        We have sent a code with six digits to {kept?.email || 'the address you gave'}. Your time is held
        until {until}. It is booked as soon as you have typed the code.
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
      <AppointmentSummary appointment={appointment} zone={kept?.zone} />
      <p className="text-ink-soft">
        Wrong address or time?{' '}
        <a href={bookingPath} onClick={changeBooking} className="text-link underline underline-offset-4">
          {change.isPending ? 'Going back...' : 'Change it'}
        </a>
      </p>
    </section>
  )
}
