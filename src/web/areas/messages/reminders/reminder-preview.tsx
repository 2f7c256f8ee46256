import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ReminderSettings } from '#contract/messages/reminder-settings.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { renderReminder } from '#core/messages/reminder-template.ts'
import { outlookQuery } from '#web/kit/calendar-cache.ts'
import { MAIL_FADE_CLASS } from '#web/kit/mail-frame-class.ts'
import { useSettled } from '#web/kit/use-settled.ts'
import { pathOf } from '#web/shared/call-api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { describeDue, makeSampleAppointment, toReminderValues } from './preview-values.ts'
import { replyAddressOf, withDefaults } from './reminder-form.ts'

type ReminderPreviewProps = {
  calendar: Calendar
  /** The texts as they are being written. */
  settings: ReminderSettings
}

/**
 * How a reminder will read: with the next appointment of the calendar, or with an example when there is none.
 * Source: rule M20.
 */
export function ReminderPreview({ calendar, settings }: ReminderPreviewProps) {
  const { data: outlook } = useQuery(outlookQuery(calendar.id))
  const [sample] = useState(() => makeSampleAppointment(calendar, new Date()))
  const next = outlook?.next_appointment ?? null
  const appointment = next ?? sample
  const values = toReminderValues(calendar, appointment)
  const mail = withDefaults(settings, calendar)
  return (
    <section
      aria-labelledby="reminder-preview"
      className="flex min-w-0 flex-col gap-3 self-start lg:sticky lg:top-6"
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
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 border-b border-line bg-sunken px-4 py-3 text-sm">
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
        {settings.enabled ? (
          <Due settings={settings} {...{ calendar, appointment }} />
        ) : (
          'Reminders are switched off.'
        )}
      </p>
    </section>
  )
}

/**
 * Servers refuse longer addresses. A template reaches this length only where each of its letters is sent as several.
 */
const LONGEST_ADDRESS = 8_000

/** The mail as the server makes it, with nothing in it that can be pressed. */
function PreviewFrame({ calendarId, template }: { calendarId: string; template: string }) {
  const settled = useSettled(template)
  // A frame takes as long to start as the whole tab, so the tab is shown first.
  const isTabShown = useDeferredValue(true, false)
  const address = pathOf(at.getReminderPreview, { params: { id: calendarId }, query: { template: settled } })
  if (address.length > LONGEST_ADDRESS) {
    return <p className="px-4 py-5">This message is too long for the preview. It is sent in full.</p>
  }
  return (
    <div className={`h-[48rem] lg:h-[36rem] ${MAIL_FADE_CLASS}`}>
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
      {describeDue(appointment.starts_at, hours, calendar.timezone)}.
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
