import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import { EMAIL_LINK_MARK } from '#contract/messages/email-link-mark.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { toast } from '#web/ui/toast.tsx'
import { CancellationMessage } from './cancellation-message.tsx'
import { appointmentQuery, requestCancellation } from './cancellation-queries.ts'
import { CancellationView } from './cancellation-view.tsx'
import { StopEmails } from './stop-emails.tsx'

type CancellationPageProps = {
  appointmentId: string
  /** What was booked, drawn by the booking feature. */
  summary: (appointment: PublicAppointment) => ReactNode
}

/**
 * `/cancel/{appointmentId}`: the customer asks to cancel. `/cancel/emails` is about no appointment; it is handled here
 * so that the booking page downloads nothing for it. Source: rule B19.
 */
export function CancellationPage({ appointmentId, summary }: CancellationPageProps) {
  if (appointmentId === 'emails') return <StopEmails />
  if (!UUID.test(appointmentId))
    return <CancellationMessage title="Appointment Not Found" hint={CHECK_LINK} />
  return <Cancellation appointmentId={appointmentId} summary={summary} />
}

function Cancellation({ appointmentId, summary }: CancellationPageProps) {
  useEffect(() => {
    if (!location.hash.startsWith(EMAIL_LINK_MARK)) return
    // Downloaded only where an email led here. The page is complete without it.
    import('#web/shared/answer-email.ts').then(
      ({ answerWhenUsed }) => answerWhenUsed(),
      () => {},
    )
  }, [])
  const client = useQueryClient()
  const query = appointmentQuery(appointmentId)
  const { data, error, isPending, refetch } = useQuery(query)
  const [asking, setAsking] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)

  if (isPending) return <LoadingState text="Loading appointment details..." />
  if (data === undefined) {
    const isUnknown = error instanceof ApiProblem && (error.status === 404 || error.status === 400)
    if (isUnknown) return <CancellationMessage title="Appointment Not Found" hint={CHECK_LINK} />
    return (
      <CancellationMessage
        title="Failed to load appointment details"
        hint={error.message}
        onRetry={() => refetch()}
      />
    )
  }

  const ask = async () => {
    setAsking(true)
    try {
      const { status } = await requestCancellation(data)
      client.setQueryData(query.queryKey, { ...data, status })
      toast.success(
        'Cancellation request submitted successfully. The calendar owner will review your request.',
      )
      heading.current?.focus()
    } catch (problem) {
      // A refusal with a reason means that the appointment differs from what this page shows.
      const isRefused = problem instanceof ApiProblem && problem.status >= 400 && problem.status < 500
      toast.error(isRefused ? problem.message : 'Failed to submit cancellation request. Please try again.')
      if (isRefused) await refetch()
    } finally {
      setAsking(false)
    }
  }
  return (
    <CancellationView
      appointment={data}
      summary={summary(data)}
      asking={asking}
      headingRef={heading}
      onAsk={() => void ask()}
    />
  )
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const CHECK_LINK = 'Please check the link in your confirmation email.'
