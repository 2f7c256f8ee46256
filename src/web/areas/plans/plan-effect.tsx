import type { PlanChangePreview } from '#contract/plans/subscription.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { listOpenCalendarIds, listPausedCalendars, toggleOpenCalendar } from './open-calendars.ts'
import { formatPlanDate } from './plan-status.tsx'

type CalendarsEffectProps = {
  effect: PlanChangePreview
  /** The name of the plan that limits the number of calendars. */
  plan: string
  chosen: readonly string[]
  onChoose: (chosen: readonly string[]) => void
}

/** Shows which calendars the plan pauses, and lets the owner choose which stay open. Source: rules S12 and S13. */
export function PausedCalendarsPreview({ effect, plan, chosen, onChoose }: CalendarsEffectProps) {
  const { calendars, calendar_limit: limit, choice_locked_until: lockedUntil } = effect
  if (limit === null || calendars.length <= limit) {
    return <p>{calendars.length === 0 ? 'You have no calendars yet.' : 'All your calendars stay open.'}</p>
  }
  return (
    <div className="flex flex-col gap-5">
      <p>
        The {plan} plan allows {limit === 1 ? '1 calendar' : `${limit} calendars`}, and you have{' '}
        {calendars.length}. The others will be paused, and their booking pages won’t take new bookings.
      </p>
      {lockedUntil === null ? (
        <CalendarChoice effect={effect} limit={limit} chosen={chosen} onChange={onChoose} />
      ) : (
        <Notice>
          You recently changed which calendars stay open. You can change it again on{' '}
          {formatPlanDate(lockedUntil)}.
        </Notice>
      )}
      <PausedList
        calendars={listPausedCalendars(effect, lockedUntil === null ? chosen : listOpenCalendarIds(effect))}
      />
    </div>
  )
}

function PausedList({ calendars }: { calendars: readonly PlanChangePreview['calendars'][number][] }) {
  return (
    <div>
      <p className="font-semibold">These are paused</p>
      <ul className="mt-1 list-disc ps-5 wrap-anywhere">
        {calendars.map(({ id, name, upcoming_appointments }) => (
          <li key={id}>
            {name}: {toCome(upcoming_appointments).toLowerCase()}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-ink-soft">
        Existing bookings stay, with their emails, cancellations and refunds.
      </p>
    </div>
  )
}

/** Lists features that the owner has set up but that are inactive in the plan. Source: rule S13. */
export function InactiveFeatures({ inactive }: Pick<PlanChangePreview, 'inactive'>) {
  if (inactive.length === 0) return null
  return (
    <div>
      <p className="font-semibold">This is inactive</p>
      <ul className="mt-1 list-disc ps-5">
        {inactive.map((name) => (
          <li key={name}>{INACTIVE[name]}</li>
        ))}
      </ul>
      <p className="mt-1 text-ink-soft">It stays set up for a larger plan.</p>
    </div>
  )
}

const INACTIVE: Record<PlanChangePreview['inactive'][number], string> = {
  paypal: 'Payments by PayPal',
  custom_branding: 'Your own branding',
  custom_domains: 'Your own domain',
}

type CalendarChoiceProps = {
  effect: PlanChangePreview
  /** The number of calendars that can stay open. */
  limit: number
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Lets the owner choose which calendars stay open. Source: rule S13. */
function CalendarChoice({ effect, limit, chosen, onChange }: CalendarChoiceProps) {
  if (limit === 1) {
    return (
      <RadioGroup
        legend={LEGEND}
        options={effect.calendars.map((calendar) => ({
          value: calendar.id,
          label: calendar.name,
          hint: toCome(calendar.upcoming_appointments),
        }))}
        value={chosen[0] ?? null}
        onChange={(id) => onChange([id])}
      />
    )
  }
  const isFull = chosen.length >= limit
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{LEGEND}</legend>
      {effect.calendars.map(({ id, name, upcoming_appointments }) => (
        <Checkbox
          key={id}
          label={name}
          hint={toCome(upcoming_appointments)}
          checked={chosen.includes(id)}
          disabled={isFull && !chosen.includes(id)}
          onChange={() => onChange(toggleOpenCalendar(chosen, id))}
        />
      ))}
      <p role="status" className="text-sm text-ink-soft">
        {chosen.length} of {limit} chosen. {isFull && 'To choose another one, deselect one first.'}
      </p>
    </fieldset>
  )
}

const LEGEND = 'Which calendars stay open?'

/** Formats a number of upcoming appointments: `3 appointments to come`. */
function toCome(count: number): string {
  if (count === 0) return 'No upcoming appointments'
  return count === 1 ? '1 upcoming appointment' : `${count} upcoming appointments`
}
