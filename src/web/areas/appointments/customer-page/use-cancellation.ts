import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import type { ChangeSectionProps } from './manage-part-props.ts'
import { customerAppointmentQuery } from './manage-query.ts'

type CancellationInput = Pick<ChangeSectionProps, 'token' | 'showOutcome'> & {
  /** The part of the page that asks. Its `data-focus` element gets the focus when the question opens or closes. */
  part: RefObject<HTMLElement | null>
}

/** Asks the customer to confirm a cancellation, sends it, and shows its outcome or why it failed. */
export function useCancellation({ token, showOutcome, part }: CancellationInput) {
  const [isAsking, setAsking] = useState(false)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const client = useQueryClient()

  const show = (next: boolean) => {
    flushSync(() => {
      setAsking(next)
      setFailure(null)
    })
    part.current?.querySelector<HTMLElement>('[data-focus]')?.focus()
  }
  /** `failed` is the sentence for a failure whose reason is unknown. */
  const send = async (cancel: () => Promise<CustomerAppointment>, failed: string) => {
    setSending(true)
    setFailure(null)
    try {
      // Show the new state even if the page cannot be reloaded, because nothing else says that it worked.
      client.setQueryData(customerAppointmentQuery(token).queryKey, await cancel())
    } catch (problem) {
      // A 4xx response means that the appointment has changed: reload it.
      const isRefused = problem instanceof ApiProblem && problem.status >= 400 && problem.status < 500
      setFailure(isRefused ? problem.message : failed)
      if (!isRefused) return
    } finally {
      setSending(false)
    }
    setAsking(false)
    await showOutcome()
  }
  return { isAsking, isSending, failure, show, send }
}
