import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Calendar, FutureAppointmentsSummary } from '#contract/calendars/calendars.ts'
import type { ReminderSettings } from '#contract/messages/reminder-settings.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { type ReminderValues, renderReminder } from '#core/messages/reminder-template.ts'
import { addDays, toEpochMs } from '#core/shared/zoned-time.ts'
import { futureAppointmentsQuery } from '#web/kit/calendar-cache.ts'
import { EMAIL_FRAME_FADE_CLASS } from '#web/kit/mail-frame-class.ts'
import { useDebounced } from '#web/kit/use-debounced.ts'
import { apiPath } from '#web/shared/call-api.ts'
import { formatDateHeading, formatTime, localDateOf, zoneAbbreviation } from '#web/shared/format-date.ts'
import { Badge } from '#web/ui/badge.tsx'
import { fillReminderDefaults, replyAddressOf } from './reminder-form.ts'

type ReminderPreviewProps = {
  calendar: Calendar
  /** The settings in the form, including unsaved changes. */
  settings: ReminderSettings
}

/** Previews a reminder about the calendar's next appointment, or about an example appointment. Source: rule M20. */
export function ReminderPreview({ calendar, settings }: ReminderPreviewProps) {
  const { data: outlook } = useQuery(futureAppointmentsQuery(calendar.id))
  const [sample] = useState(() => makeSampleAppointment(calendar, new Date()))
  const next = outlook?.next_appointment ?? null
  const appointment = next ?? sample
  const values = toReminderValues(calendar, appointment)
  const mail = fillReminderDefaults(settings, calendar)
  return (
    <section
      aria-labelledby="reminder-preview"
      className="flex min-w-0 flex-col gap-3 self-start @4xl:sticky @4xl:top-6"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="reminder-preview" className="text-lg font-semibold">
          Preview
        </h3>
        <Badge tone={next === null ? 'neutral' : 'info'}>
          {next === null ? 'Sample values' : 'Your next appointment'}
        </Badge>
      </div>
      <article
        aria-label="Reminder"
        className="overflow-hidden rounded-card border border-line-strong bg-surface"
      >
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 border-b border-line bg-sunken px-4 max-[17rem]:grid-cols-1 py-3 text-sm">
          <MailLine term="From">{mail.sender_name}</MailLine>
          <MailLine term="Replies to">
            {replyAddressOf(settings, calendar) ?? 'The address of your account'}
          </MailLine>
          <MailLine term="To">{appointment.customer_name}</MailLine>
          <MailLine term="Subject">
            <strong>{renderReminder(mail.subject, values)}</strong>
          </MailLine>
        </dl>
        <PreviewFrame calendarId={calendar.id} template={settings.template} />
      </article>
      <p className="text-sm text-ink-soft">
        {settings.enabled ? <Due settings={settings} {...{ calendar, appointment }} /> : 'Reminders are off.'}
      </p>
    </section>
  )
}

/**
 * Maximum length of the preview's URL, in characters. Servers refuse longer URLs. Only a template with many
 * percent-encoded letters reaches this length.
 */
const LONGEST_ADDRESS = 8_000

/** Shows the email as rendered by the server. Its links do not work. */
function PreviewFrame({ calendarId, template }: { calendarId: string; template: string }) {
  const settled = useDebounced(template)
  // Render the rest of the tab before the iframe, because the iframe is slow to start.
  const isTabShown = useDeferredValue(true, false)
  const address = apiPath(at.getReminderPreview, { params: { id: calendarId }, query: { template: settled } })
  if (address.length > LONGEST_ADDRESS) {
    return <p className="px-4 py-5">This message is too long to preview. We’ll send it in full.</p>
  }
  return (
    <div className={`h-[48rem] @4xl:h-[36rem] ${EMAIL_FRAME_FADE_CLASS}`}>
      {isTabShown && (
        <iframe title="The reminder as it will arrive" src={address} sandbox="" className="size-full" />
      )}
    </div>
  )
}

function Due({
  settings: { hours },
  calendar,
  appointment,
}: ReminderPreviewProps & { appointment: { starts_at: string } }) {
  const isInRange = hours >= LIMITS.reminderHoursMin && hours <= LIMITS.reminderHoursMax
  if (!isInRange) return null
  return (
    <>
      {hours === 1 ? '1 hour' : `${hours} hours`} before this appointment is{' '}
      {describeDue(appointment.starts_at, hours, calendar)}.
    </>
  )
}

function MailLine({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{term}</dt>
      <dd className="break-words">{children}</dd>
    </>
  )
}

type PreviewAppointment = NonNullable<FutureAppointmentsSummary['next_appointment']>

const TEN_O_CLOCK_SECONDS = 10 * 60 * 60

/** Returns an example appointment tomorrow at 10:00, for a calendar without appointments. */
function makeSampleAppointment({ timezone, hour_cycle }: Calendar, now: Date): PreviewAppointment {
  const tomorrow = addDays(localDateOf(now.toISOString(), timezone), 1)
  return {
    customer_name: 'Alex Morgan',
    starts_at: new Date(toEpochMs(tomorrow, TEN_O_CLOCK_SECONDS, timezone)).toISOString(),
    time_zone: timezone,
    hour_cycle,
  }
}

/** Returns the values of the placeholders. The date and time are in the customer's time zone; the time names the zone. */
function toReminderValues(calendar: Calendar, appointment: PreviewAppointment): ReminderValues {
  const { starts_at, time_zone, hour_cycle } = appointment
  return {
    customer_name: appointment.customer_name,
    date: inFull(starts_at, time_zone),
    time: `${formatTime(starts_at, time_zone, hour_cycle)} (${zoneAbbreviation(time_zone, starts_at)})`,
    calendar_name: calendar.name,
  }
}

/** Returns the time a reminder is due, in the calendar's time zone: `9:30 AM on Monday, November 30, 2026`. */
function describeDue(startsAt: string, hours: number, { timezone, hour_cycle }: Calendar): string {
  const due = new Date(Date.parse(startsAt) - hours * 3_600_000).toISOString()
  return `${formatTime(due, timezone, hour_cycle)} on ${inFull(due, timezone)}`
}

/** Formats a date in full: `Tuesday, December 1, 2026`. */
function inFull(instant: string, timeZone: string): string {
  const date = localDateOf(instant, timeZone)
  return `${formatDateHeading(date)}, ${date.slice(0, 4)}`
}
