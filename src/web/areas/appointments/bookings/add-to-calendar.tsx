import type { ReactNode } from 'react'
import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import * as at from '#contract/operations/addresses.ts'
import { addNameToTitle, buildCalendarLinks, type CalendarEntry } from '#core/appointments/calendar-links.ts'
import { apiPath } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { CalendarDays } from '#web/ui/icons/calendar-days.ts'
import { findLocationText } from './appointment-summary.tsx'
import { professionalName } from './professional.ts'

type AddToCalendarProps = {
  appointment: PublicAppointment
  /** The token of the customer's page, which the file needs; null if this browser does not know it. */
  token: string | null
  /** True for the first date of a series that was just booked: the file then has all dates. */
  hasSeries?: boolean
}

/** Links that add an appointment to the customer's own calendar, or update it there. Source: rules R5 and M13. */
export function AddToCalendar({ appointment, token, hasSeries = false }: AddToCalendarProps) {
  if (appointment.is_moved) return token !== null && <UpdateCalendarEntry token={token} />
  // Without the links to Google and Outlook, because they would add the first date only.
  if (hasSeries) {
    return (
      token !== null && (
        <CalendarFileLink token={token} isOfSeries className="justify-self-start">
          <CalendarDays aria-hidden="true" className="size-5" />
          Add all dates to calendar
        </CalendarFileLink>
      )
    )
  }
  const { google, outlook } = buildCalendarLinks(toCalendarEntry(appointment, token))
  return (
    <fieldset>
      <legend className="mb-2 flex items-center gap-2 font-semibold">
        <CalendarDays aria-hidden="true" className="size-5" />
        Add to calendar
      </legend>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={google} target="_blank" rel="noopener noreferrer" className={NARROW}>
          Google
        </ButtonLink>
        <ButtonLink href={outlook} target="_blank" rel="noopener noreferrer" className={NARROW}>
          Outlook
        </ButtonLink>
        {token !== null && (
          <CalendarFileLink token={token} className={NARROW}>
            File
          </CalendarFileLink>
        )}
      </div>
    </fieldset>
  )
}

/**
 * Offers only the file after a move, because it updates the entry in the customer's calendar. Links to Google and Outlook
 * would add a second entry.
 */
function UpdateCalendarEntry({ token }: { token: string }) {
  return (
    <div className="grid justify-items-start gap-2">
      <p className="max-w-[65ch]">
        This file moves the appointment in your calendar. If you added it with a link to Google or Outlook,
        please change that entry yourself.
      </p>
      <CalendarFileLink token={token}>
        <CalendarDays aria-hidden="true" className="size-5" />
        Update calendar
      </CalendarFileLink>
    </div>
  )
}

type CalendarFileLinkProps = {
  token: string
  isOfSeries?: boolean
  className?: string | undefined
  children: ReactNode
}

/** Downloads the appointment's calendar file, which adds it to the customer's calendar or updates it there. */
function CalendarFileLink({ token, isOfSeries, className, children }: CalendarFileLinkProps) {
  const path = apiPath(at.getManagedCalendarFile, { params: { token } })
  return (
    <ButtonLink
      href={isOfSeries ? `${path}?of=series` : path}
      download="appointment.ics"
      className={className}
    >
      {children}
    </ButtonLink>
  )
}

/** Keeps the three buttons on one line of a phone. */
const NARROW = 'max-sm:px-3!'

/** Leaves out the customer's notes, which only the file contains. */
function toCalendarEntry(appointment: PublicAppointment, token: string | null): CalendarEntry {
  const { title, starts_at, ends_at, booking_reference } = appointment
  const details = [`Booking reference: ${booking_reference}`]
  if (token !== null) details.push(`View your booking: ${location.origin}${paths.manage(token)}`)
  return {
    title: addNameToTitle(title, professionalName(appointment)),
    startsMs: Date.parse(starts_at),
    endsMs: Date.parse(ends_at),
    location: findLocationText(appointment)?.replaceAll('\n', ', ') ?? null,
    details: details.join('\n\n'),
  }
}
