import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type {
  CustomerAppointmentStatus,
  CustomerAppointmentsResponse,
} from '#contract/appointments/customer-page.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { formatShortDate } from '#web/shared/format-date.ts'
import { choosePageTimeZone, formatInPageTimeZone } from '#web/shared/page-clock.ts'
import { paths } from '#web/shared/paths.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { customerAppointmentsQuery } from './manage-query.ts'

type Listed = CustomerAppointmentsResponse['appointments'][number]

/** Lists all of the customer's appointments with this calendar, first upcoming ones, then past ones. Source: rule R9. */
export function AllCustomerAppointments({
  token,
  onSessionOver,
}: {
  token: string
  onSessionOver: () => void
}) {
  const { data, error, refetch } = useQuery(customerAppointmentsQuery(token))
  const isOver = error instanceof ApiProblem && error.code === 'manage.session_needed'
  useEffect(() => {
    if (isOver) onSessionOver()
  }, [isOver, onSessionOver])
  if (isOver) return null
  if (data === undefined) {
    if (error === null) return <LoadingState text="Loading your appointments..." />
    return (
      <ErrorState
        title="Failed to load your appointments"
        hint={error.message}
        onRetry={() => void refetch()}
      />
    )
  }
  const nowMs = Date.now()
  const isAhead = ({ ends_at }: Listed) => Date.parse(ends_at) > nowMs
  const ahead = data.appointments.filter(isAhead).reverse()
  const past = data.appointments.filter((listed) => !isAhead(listed))
  return (
    <div className="grid gap-5">
      <AppointmentList heading="Upcoming" empty="No upcoming appointments." listed={ahead} token={token} />
      <AppointmentList heading="Past" empty="No past appointments." listed={past} token={token} />
      {!data.is_complete && <p className="text-sm text-ink-soft">Earlier appointments aren’t shown.</p>}
    </div>
  )
}

type AppointmentListProps = { heading: string; empty: string; listed: readonly Listed[]; token: string }

function AppointmentList({ heading, empty, listed, token }: AppointmentListProps) {
  return (
    <section>
      <h3 className="font-semibold">{heading}</h3>
      {listed.length === 0 ? (
        <p className="mt-1 text-ink-soft">{empty}</p>
      ) : (
        <ul className="mt-1 divide-y divide-line">
          {listed.map((appointment) => (
            <li
              key={appointment.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3"
            >
              {/* This element takes the free width, so that the badge stays beside a long title. */}
              <div className="min-w-0 flex-1 basis-40">
                <Title appointment={appointment} isShown={appointment.token === token} />
                <p className="text-sm text-ink-soft">
                  {formatInPageTimeZone(
                    choosePageTimeZone(appointment),
                    appointment.starts_at,
                    formatShortDate,
                  )}
                </p>
              </div>
              <Badge tone={STANDINGS[appointment.standing].tone}>
                {STANDINGS[appointment.standing].word}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Shows the appointment's title, as a link to its page unless that is this page or the link has expired. */
function Title({ appointment: { title, token }, isShown }: { appointment: Listed; isShown: boolean }) {
  if (token === null || isShown) {
    return (
      <p className="font-medium wrap-anywhere">
        {title}
        {isShown && <span className="font-normal text-ink-soft"> (shown above)</span>}
      </p>
    )
  }
  return (
    <a
      href={paths.manage(token)}
      className="inline-block min-h-6 font-medium wrap-anywhere text-link underline underline-offset-4"
    >
      {title}
    </a>
  )
}

const STANDINGS = {
  upcoming: { word: 'Booked', tone: 'success' },
  past: { word: 'Past', tone: 'neutral' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
  pending_cancellation: { word: 'Cancellation pending', tone: 'warning' },
  awaits_payment: { word: 'Awaiting payment', tone: 'warning' },
  awaits_email_code: { word: 'Awaiting code', tone: 'warning' },
} as const satisfies Record<CustomerAppointmentStatus, { word: string; tone: BadgeTone }>
