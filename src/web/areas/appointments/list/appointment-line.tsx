import { type ReactNode, useId, useState } from 'react'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronDown } from '#web/ui/icons/chevron-down.ts'
import { type BadgeLabelAndTone, findPaymentBadge } from './appointment-badges.tsx'
import type { DayAppointment } from './saved-day.ts'

type AppointmentLineProps = {
  appointment: DayAppointment
  /** The time, without the parts that the heading above already shows; absent if it shows all of them. */
  when?: ReactNode
  /** The name instead of the customer's, for a session of several customers. */
  name?: string | undefined
  /** The colour of the stripe: that of the appointment type unless another one is given. */
  color?: string | undefined
  /** A text after the name, where the line has space for it. */
  note?: string | undefined
  /** True to show the appointment less prominently, because it is over. */
  isOver?: boolean | undefined
  /** The details, shown when the line is expanded. */
  children: ReactNode
}

/** An appointment on one line, for phones. Pressing the line shows the details below it. Source: rule Y2. */
export function CollapsedAppointment({
  appointment,
  when,
  name: sessionName,
  color = appointment.color,
  note,
  isOver = false,
  children,
}: AppointmentLineProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { date, hour_cycle, customers, paid_in_sandbox } = appointment
  const name = sessionName ?? (customers.name || 'Unknown')
  // The people of a session pay one by one.
  const payment = sessionName === undefined ? findPaymentBadge(appointment) : null
  const mark = markOf(appointment) ?? payment
  return (
    <article aria-label={`${name}, ${formatDateHeading(date)}`}>
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className={classNames(
            'flex min-h-12 w-full items-center gap-2.5 rounded-control py-1.5 text-start font-sans text-base font-normal tracking-normal hover:bg-sunken',
            isOver && 'text-ink-soft',
          )}
        >
          <span
            aria-hidden="true"
            className="h-8 w-1 shrink-0 rounded-full dark:brightness-140"
            style={{ backgroundColor: color }}
          />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-0.5">
            {/* The names of a list start at the same place, whether the hour has one digit or two. */}
            {when !== undefined && (
              <span className={classNames('tabular-nums', hour_cycle === 'h12' && 'min-w-[4.75rem]')}>
                {when}
              </span>
            )}
            {/* Large text wraps the name below the time: it is never cut off. */}
            <span className="min-w-0 flex-1 basis-[6rem] wrap-anywhere">
              <bdi className={classNames(!isOver && 'font-semibold')}>{name}</bdi>
              {note !== undefined && <span className="ms-3 hidden text-ink-soft @3xl:inline">{note}</span>}
            </span>
            {mark !== null && (
              <Badge tone={mark[1]} className="px-2! text-xs!">
                {mark[0]}
              </Badge>
            )}
            {mark !== null && mark === payment && paid_in_sandbox && (
              <Badge tone="warning" className="px-2! text-xs! @max-3xl:hidden">
                Sandbox
              </Badge>
            )}
          </span>
          <ChevronDown
            aria-hidden="true"
            className={classNames('size-4 shrink-0 text-ink-soft', open && 'rotate-180')}
          />
        </button>
      </h3>
      <div id={id} hidden={!open}>
        {open && children}
      </div>
    </article>
  )
}

/** Returns the one thing that needs attention, in few words because the name needs the space; null if there is none. */
function markOf(appointment: DayAppointment): BadgeLabelAndTone | null {
  const { status, awaits_email_code, is_offer, is_test, no_show } = appointment
  const { delay, undelivered_messages } = appointment
  if (is_offer) return ['Offered', 'warning']
  if (awaits_email_code) return ['Awaiting code', 'warning']
  if (status === 'pending_cancellation') return ['Asks to cancel', 'warning']
  if (status === 'cancelled') return ['Cancelled', 'danger']
  if (status === 'pending_payment') return ['Held', 'warning']
  if (is_test) return ['Test', 'info']
  // A no-show comes before undelivered messages, because these no longer matter then.
  if (no_show) return ['No-show', 'warning']
  if (undelivered_messages > 0) return ['Not delivered', 'danger']
  return delay.minutes === null ? null : [`${delay.minutes} min late`, 'warning']
}
