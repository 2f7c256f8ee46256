import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { AppointmentSummary } from '#web/areas/appointments/bookings/appointment-summary.tsx'
import { PageMessage } from '#web/areas/appointments/bookings/page-message.tsx'
import { publicAppointmentQuery } from '#web/areas/appointments/bookings/public-appointment-query.ts'
import { useConfirmEmailWasRead } from '#web/shared/answer-email.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { CancellationRequestView } from './cancellation-view.tsx'
import { UnsubscribeSection } from './stop-emails.tsx'

/**
 * The page `/cancel/{appointmentId}`: lets the customer request a cancellation. Also handles `/cancel/emails`, which is
 * not about an appointment, so that the booking page needs no code for that page. Source: rule B19.
 */
export function CancellationRequestPage({ appointmentId }: { appointmentId: string }) {
  if (appointmentId === 'emails') return <UnsubscribeSection />
  return UUID.test(appointmentId) ? <Cancellation appointmentId={appointmentId} /> : <AppointmentNotFound />
}

function Cancellation({ appointmentId }: { appointmentId: string }) {
  useConfirmEmailWasRead()
  const client = useQueryClient()
  const query = publicAppointmentQuery(appointmentId)
  const { data, error, isPending, refetch } = useQuery(query)
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  if (isPending) return <LoadingState text="Loading appointment details..." />
  if (data === undefined) {
    const isUnknown = error instanceof ApiProblem && (error.status === 404 || error.status === 400)
    if (isUnknown) return <AppointmentNotFound />
    return (
      <PageMessage title="Failed to load appointment details" hint={error.message}>
        <Button onClick={() => refetch()}>Try again</Button>
      </PageMessage>
    )
  }

  const ask = async () => {
    setAsking(true)
    setFailure(null)
    try {
      const { status } = await callApi(at.requestCancellation, {
        params: { id: data.id },
        query: { expected_starts_at: data.starts_at },
      })
      client.setQueryData(query.queryKey, { ...data, status })
      heading.current?.focus()
    } catch (problem) {
      // A 4xx response means that the appointment has changed: reload it.
      const isRefused = problem instanceof ApiProblem && problem.status >= 400 && problem.status < 500
      if (isRefused) await refetch()
      setFailure(isRefused ? problem.message : 'Failed to submit cancellation request. Please try again.')
    } finally {
      setAsking(false)
    }
  }
  return (
    <CancellationRequestView
      appointment={data}
      summary={<AppointmentSummary appointment={data} />}
      asking={asking}
      failure={failure}
      headingRef={heading}
      onAsk={() => void ask()}
    />
  )
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function AppointmentNotFound() {
  return (
    <PageMessage title="Appointment Not Found" hint="Please check the link in your confirmation email.">
      <ButtonLink href={paths.home()}>Go Home</ButtonLink>
    </PageMessage>
  )
}
