import type { PlanEffectResponse } from '#contract/plans/subscription.ts'
import { Notice } from '#web/ui/notice.tsx'
import { CalendarChoice, toCome } from './calendar-choice.tsx'
import { listOpenIds, listPaused } from './open-calendars.ts'
import { formatPlanDay } from './plan-day.ts'

type CalendarsEffectProps = {
  effect: PlanEffectResponse
  /** The name of the plan. */
  plan: string
  chosen: readonly string[]
  onChoose: (chosen: readonly string[]) => void
}

/** Which calendars the plan pauses, and the choice between them. Source: rules S12 and S13. */
export function CalendarsEffect({ effect, plan, chosen, onChoose }: CalendarsEffectProps) {
  const { calendars, calendar_limit: limit, choice_locked_until: lockedUntil } = effect
  if (limit === null || calendars.length <= limit) {
    return <p>{calendars.length === 0 ? 'You have no calendars yet.' : 'All of your calendars stay open.'}</p>
  }
  return (
    <div className="flex flex-col gap-5">
      <p>
        The {plan} plan allows {limit === 1 ? '1 calendar' : `${limit} calendars`}, and you have{' '}
        {calendars.length}. The others are paused: their booking pages say that no new bookings are taken.
      </p>
      {lockedUntil === null ? (
        <CalendarChoice effect={effect} limit={limit} chosen={chosen} onChange={onChoose} />
      ) : (
        <Notice>
          You have changed lately which calendars stay open. You can change it again on{' '}
          {formatPlanDay(lockedUntil)}.
        </Notice>
      )}
      <PausedList calendars={listPaused(effect, lockedUntil === null ? chosen : listOpenIds(effect))} />
    </div>
  )
}

function PausedList({ calendars }: { calendars: readonly PlanEffectResponse['calendars'][number][] }) {
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
        What is booked there stays, with its emails, cancellations and refunds.
      </p>
    </div>
  )
}

/** What is set up, and works on a larger plan only. Source: rule S13. */
export function InactiveParts({ inactive }: Pick<PlanEffectResponse, 'inactive'>) {
  if (inactive.length === 0) return null
  return (
    <div>
      <p className="font-semibold">This is inactive</p>
      <ul className="mt-1 list-disc ps-5">
        {inactive.map((name) => (
          <li key={name}>{INACTIVE[name]}</li>
        ))}
      </ul>
      <p className="mt-1 text-ink-soft">It stays set up, for a larger plan.</p>
    </div>
  )
}

const INACTIVE: Record<PlanEffectResponse['inactive'][number], string> = {
  paypal: 'Payments by PayPal',
  custom_branding: 'Your own branding',
  custom_domains: 'Your own domain',
}
