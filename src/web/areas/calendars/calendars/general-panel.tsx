import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { zoneCityOf } from '#contract/shared/zone-names.ts'
import { toProfessionalName } from '#core/calendars/professional-name.ts'
import { updateCachedCalendar } from '#web/kit/calendar-cache.ts'
import { callApi } from '#web/shared/call-api.ts'
import { browserTimeZone, formatLongDate, localDateOf } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Bell } from '#web/ui/icons/bell.ts'
import { CalendarDays } from '#web/ui/icons/calendar-days.ts'
import { Clock } from '#web/ui/icons/clock.ts'
import { CreditCard } from '#web/ui/icons/credit-card.ts'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { MapPin } from '#web/ui/icons/map-pin.ts'
import { RefreshCw } from '#web/ui/icons/refresh-cw.ts'
import { Tags } from '#web/ui/icons/tags.ts'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { DeleteCalendarDialog } from './delete-calendar-dialog.tsx'
import { CalendarDetailsCard } from './details-card.tsx'
import { CancellationPolicyCard } from './policy-card.tsx'
import { ProfessionalCard } from './professional-card.tsx'
import { TimeZoneCard } from './time-zone-card.tsx'

const QUICK_ACTIONS = [
  ['availability', 'Availability', Clock],
  ['types', 'Appointment Types', Tags],
  ['payments', 'Payments', CreditCard],
  ['appointments', 'Appointments', CalendarDays],
  ['integrations', 'Integrations', RefreshCw],
  ['reminders', 'Reminders', Bell],
  ['locations', 'Locations', MapPin],
  ['domains', 'Domains', ExternalLink],
] as const

type GeneralPanelProps = {
  calendar: Calendar
  onShowTab: (tab: (typeof QUICK_ACTIONS)[number][0]) => void
  onDeleted: () => Promise<void>
  /** The card that shows whose time the calendar uses. */
  person?: ReactNode
}

/** The General tab: details of the calendar, links to its other settings, and its deletion. Source: rule C7. */
export function GeneralPanel({ calendar, onShowTab, onDeleted, person }: GeneralPanelProps) {
  const [deleting, setDeleting] = useState(false)
  const created = formatLongDate(localDateOf(calendar.created_at, browserTimeZone()))
  return (
    <div className="flex flex-col gap-6">
      <Card title="Calendar details">
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
      </Card>
      <Card title="Quick actions">
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
          {QUICK_ACTIONS.map(([tab, label, Icon]) => (
            <Button key={tab} onClick={() => onShowTab(tab)}>
              <Icon aria-hidden="true" className="size-5" />
              {label}
            </Button>
          ))}
        </div>
      </Card>
      <CalendarDetailsCard calendar={calendar} />
      <ProfessionalCard calendar={calendar} />
      {person}
      <TimeZoneCard calendar={calendar} />
      <Card title="Booking">
        <EmailConfirmationSwitch calendar={calendar} />
      </Card>
      <CancellationPolicyCard calendar={calendar} />
      <Card title="Danger Zone" className="border-danger!">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-ink-soft">Deleting a calendar cannot be undone.</p>
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
  const client = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isRequired: boolean) =>
      callApi(at.updateCalendar, {
        params: { id: calendar.id },
        body: { email_confirmation_required: isRequired },
      }),
    onSuccess: (saved) => {
      updateCachedCalendar(client, saved)
      toast.success('Booking settings updated')
    },
    onError: (error) => toast.error(`Failed to update booking settings: ${error.message}`),
  })
  const isRequired = calendar.email_confirmation_required
  return (
    <Switch
      label="Confirm email addresses with a code"
      hint={
        isRequired
          ? 'A booking counts once its customer has typed the code from an email. Until then the time is held for 15 minutes.'
          : 'A booking counts at once. Turn this on when strangers book with addresses that are not theirs.'
      }
      checked={isPending ? variables : isRequired}
      onChange={(checked) => !isPending && mutate(checked)}
    />
  )
}
