import { type ReactNode, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { zoneCityOf } from '#contract/shared/zone-names.ts'
import { toProfessionalName } from '#core/calendars/professional-name.ts'
import { browserTimeZone, formatLongDate, localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Clock } from '#web/ui/icons/clock.ts'
import { CreditCard } from '#web/ui/icons/credit-card.ts'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { Tags } from '#web/ui/icons/tags.ts'
import { Switch } from '#web/ui/switch.tsx'
import { ClockCard } from './clock-card.tsx'
import { DeleteCalendarDialog } from './delete-calendar-dialog.tsx'
import { CalendarDetailsCard } from './details-card.tsx'
import { DuplicateCalendarButton } from './duplicate-calendar-dialog.tsx'
import { CancellationPolicyCard } from './policy-card.tsx'
import { ProfessionalCard } from './professional-card.tsx'
import { TimeZoneCard } from './time-zone-card.tsx'
import { useChangeBooking } from './use-change-booking.ts'

/** The settings that owners open most often from here (specification, General). */
const JUMPS = [
  ['availability', 'Availability', Clock],
  ['types', 'Appointment Types', Tags],
  ['payments', 'Payments', CreditCard],
  ['domains', 'Domains', ExternalLink],
] as const

type GeneralPanelProps = {
  calendar: Calendar
  onDeleted: () => Promise<void>
  /** The card that shows the person whom the calendar's appointments keep busy. */
  person?: ReactNode
}

/** The General tab: details of the calendar, links to its other settings, and its deletion. Source: rule C7. */
export function GeneralPanel({ calendar, onDeleted, person }: GeneralPanelProps) {
  const [deleting, setDeleting] = useState(false)
  const created = formatLongDate(localDateOf(calendar.created_at, browserTimeZone()))
  return (
    <div className="flex flex-col gap-6">
      <CalendarDetailsCard calendar={calendar}>
        <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          <Detail term="Name">{calendar.name}</Detail>
          <Detail term="Booking link">
            <code className="break-all">{calendar.slug}</code>
          </Detail>
          <Detail term="Description" wide>
            {calendar.description}
          </Detail>
          <Detail term="Category">{calendar.category}</Detail>
          <Detail term="Professional">
            {toProfessionalName(calendar.professional_first_name, calendar.professional_last_name)}
          </Detail>
          <Detail term="Time zone">{zoneLabel(calendar.timezone)}</Detail>
          <Detail term="Created">{created}</Detail>
        </dl>
        <nav aria-label="Quick actions" className="mt-5 border-t border-line pt-4">
          <ul className="flex flex-wrap gap-2">
            {JUMPS.map(([tab, label, Icon]) => (
              <li key={tab}>
                <ButtonLink size="sm" href={paths.calendarSettings(calendar.id, tab)}>
                  <Icon aria-hidden="true" className="size-4 shrink-0" />
                  {label}
                </ButtonLink>
              </li>
            ))}
          </ul>
        </nav>
      </CalendarDetailsCard>
      <ProfessionalCard calendar={calendar} />
      {person}
      <TimeZoneCard calendar={calendar} />
      <ClockCard calendar={calendar} />
      <Card title="Booking">
        <div className="flex flex-col gap-4">
          <TakesBookingsSwitch calendar={calendar} />
          <EmailConfirmationSwitch calendar={calendar} />
        </div>
      </Card>
      <CancellationPolicyCard calendar={calendar} />
      <Card title="Another calendar like this one">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-60 text-ink-soft">
            A copy has the same appointment types, opening hours and settings, but no appointments or
            customers.
          </p>
          <DuplicateCalendarButton calendar={calendar}>Duplicate calendar</DuplicateCalendarButton>
        </div>
      </Card>
      <Card title="Danger Zone" className="border-danger!">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-ink-soft">Deleting a calendar can’t be undone.</p>
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete Calendar
          </Button>
        </div>
      </Card>
      <DeleteCalendarDialog
        calendar={calendar}
        open={deleting}
        onOpenChange={setDeleting}
        onDeleted={onDeleted}
      />
    </div>
  )
}

function Detail({ term, wide = false, children }: { term: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'min-w-0 sm:col-span-2' : 'min-w-0'}>
      <dt className="text-sm font-semibold text-ink-soft">{term}</dt>
      <dd className="break-words whitespace-pre-line">
        {children || <span className="text-ink-faint">Not set</span>}
      </dd>
    </div>
  )
}

function zoneLabel(timeZone: string): string {
  const city = zoneCityOf(timeZone)
  return city === timeZone ? timeZone : `${city} (${timeZone})`
}

/**
 * Lets the owner require that customers confirm their email address with a code before a booking counts. Saved immediately.
 * Source: rule B24.
 */
function EmailConfirmationSwitch({ calendar }: { calendar: Calendar }) {
  const { mutate, isPending, variables } = useChangeBooking(calendar)
  const isRequired = calendar.email_confirmation_required
  return (
    <Switch
      label="Confirm email addresses with a code"
      hint={
        isRequired
          ? 'Customers confirm their booking with a code we email them. We hold the time for 15 minutes until then.'
          : 'Bookings are confirmed right away. Turn this on if you get fake bookings.'
      }
      checked={isPending ? (variables.email_confirmation_required ?? isRequired) : isRequired}
      onChange={(checked) => !isPending && mutate({ email_confirmation_required: checked })}
    />
  )
}

/** Lets the owner turn bookings off and on again. Saved immediately. Source: rule C17. */
function TakesBookingsSwitch({ calendar }: { calendar: Calendar }) {
  const { mutate, isPending, variables } = useChangeBooking(calendar)
  const isOpen = calendar.takes_bookings
  return (
    <Switch
      label="Take bookings"
      hint={
        isOpen
          ? 'Customers can book online.'
          : 'Customers can’t book. You can still add appointments, and existing ones aren’t affected.'
      }
      checked={isPending ? (variables.takes_bookings ?? isOpen) : isOpen}
      onChange={(checked) => !isPending && mutate({ takes_bookings: checked })}
    />
  )
}
