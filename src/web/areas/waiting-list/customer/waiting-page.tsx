import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import type { AcceptOfferResponse, CustomerWaitingRequest } from '#contract/waiting-list/waiting-list.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatShortDate } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { describeWaitingRequest } from '#web/shared/waiting-request.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { toast } from '#web/ui/toast.tsx'
import { OfferSection } from './offer-part.tsx'
import { OfferPaymentSection } from './payment-part.tsx'
import { describeWaitingRequestState } from './waiting-words.ts'

type WaitingPageProps = {
  token: string
  /** Called when an offer has been accepted. Opens the confirmation or the payment provider's page. */
  onAccepted: (accepted: AcceptOfferResponse) => Promise<void>
}

/** The page `/waiting/{token}`: shows a customer's waiting-list request and offer. Source: rule Z9. */
export function CustomerWaitingListPage({ token, onAccepted }: WaitingPageProps) {
  const client = useQueryClient()
  const query = waitingQuery(token)
  const { data: view, error, isPending, refetch } = useQuery(query)
  const heading = useRef<HTMLHeadingElement>(null)
  const [doing, setDoing] = useState<Act | null>(null)
  const title = view === undefined ? null : describeWaitingRequestState(view).title
  useEffect(() => {
    if (title !== null) document.title = `${title} · Meridian`
  }, [title])
  // If the customer presses Back at the payment provider, the browser restores this page from its cache: reload the data.
  useEffect(() => {
    const onShown = ({ persisted }: PageTransitionEvent) => persisted && void refetch()
    addEventListener('pageshow', onShown)
    return () => removeEventListener('pageshow', onShown)
  }, [refetch])
  if (isPending) return <LoadingState text="Loading your place on the list..." />
  if (view === undefined) {
    if (error instanceof ApiProblem && error.code === 'waiting.not_found') {
      return (
        <section className="grid justify-items-center gap-3 py-16 text-center">
          <h1 className="text-3xl sm:text-4xl">Link not found</h1>
          <p className="text-ink-soft text-balance">{error.message}</p>
          <ButtonLink href={paths.home()}>Go Home</ButtonLink>
        </section>
      )
    }
    return (
      <ErrorState title="We couldn’t load this page" hint={error.message} onRetry={() => void refetch()} />
    )
  }

  const show = (next: CustomerWaitingRequest) => {
    client.setQueryData(query.queryKey, next)
    heading.current?.focus()
  }
  const act = async (what: Act) => {
    setDoing(what)
    try {
      const address = what === 'confirm' ? at.confirmWaiting : at.leaveWaitingList
      show(await callApi(address, { params: { token } }))
    } catch (problem) {
      toast.error(problem instanceof ApiProblem ? problem.message : 'Something went wrong. Please try again.')
      await refetch()
    } finally {
      setDoing(null)
    }
  }
  const { text } = describeWaitingRequestState(view)
  return (
    <section className="grid gap-6 rounded-card border border-line bg-surface p-5 shadow-card sm:p-8">
      <div>
        <p className="text-ink-soft">{view.calendar_name}</p>
        <h1 ref={heading} tabIndex={-1} className="rounded-sm text-3xl sm:text-4xl">
          {title}
        </h1>
        <p className="mt-2 max-w-[65ch] text-ink-soft">{text}</p>
      </div>
      {view.offer !== null && view.offer.state === 'open' && (
        <OfferSection
          token={token}
          view={view}
          offer={view.offer}
          onChanged={show}
          onAccepted={onAccepted}
          onRefused={() => void refetch()}
        />
      )}
      {view.offer?.pay_until && (
        <OfferPaymentSection
          token={token}
          view={view}
          offer={view.offer}
          until={view.offer.pay_until}
          onAccepted={onAccepted}
          onRefused={() => void refetch()}
        />
      )}
      {isOn(view) && <RequestDetails view={view} />}
      <Ways view={view} doing={doing} onAct={(what) => void act(what)} />
    </section>
  )
}

type Act = 'confirm' | 'leave'

type WaysProps = { view: CustomerWaitingRequest; doing: Act | null; onAct: (what: Act) => void }

/** Returns the URL of the customer's page for the booking, or of the read-only confirmation if the link has been replaced. */
function toBookingHref({ offer, calendar_slug: slug }: CustomerWaitingRequest): string | null {
  if (offer === null || offer.appointment_id === null) return null
  const { manage_token: token, appointment_id: id } = offer
  return token === null ? paths.bookConfirmation(slug, id) : paths.manage(token)
}

/** Lets the customer confirm the request, leave the list, or open the booking. Offers have their own buttons. */
function Ways({ view, doing, onAct }: WaysProps) {
  const { state, calendar_slug: slug } = view
  if (!isOn(view)) {
    const booked = state === 'accepted' ? toBookingHref(view) : null
    return (
      <div>
        <ButtonLink
          variant={view.offer?.pay_until ? 'secondary' : 'primary'}
          href={booked ?? paths.book(slug)}
        >
          {booked === null ? 'See all times' : 'View your booking'}
        </ButtonLink>
      </div>
    )
  }
  return (
    <div className="flex flex-wrap gap-3">
      {state === 'unconfirmed' && (
        <Button
          variant="primary"
          pending={doing === 'confirm'}
          pendingLabel="Confirming..."
          onClick={() => onAct('confirm')}
        >
          Join the waiting list
        </Button>
      )}
      <Button pending={doing === 'leave'} pendingLabel="Leaving..." onClick={() => onAct('leave')}>
        {state === 'unconfirmed' ? 'This wasn’t me' : 'Leave the waiting list'}
      </Button>
    </div>
  )
}

function isOn({ state }: CustomerWaitingRequest): boolean {
  return state === 'unconfirmed' || state === 'waiting' || state === 'offered'
}

/** Lists the dates, weekdays and times that the customer wants. */
function RequestDetails({ view }: { view: CustomerWaitingRequest }) {
  const { dates, weekdays, parts } = describeWaitingRequest(view)
  return (
    <dl className="grid gap-x-6 sm:gap-y-2 rounded-control bg-sunken p-4 sm:grid-cols-[auto_1fr]">
      {view.appointment_type_name !== null && (
        <>
          <dt className="text-ink-soft">Service</dt>
          <dd className="mb-2 break-words sm:mb-0">{view.appointment_type_name}</dd>
        </>
      )}
      <dt className="text-ink-soft">Dates</dt>
      <dd className="mb-2 sm:mb-0">{dates}</dd>
      <dt className="text-ink-soft">When</dt>
      <dd className="mb-2 sm:mb-0">
        {weekdays} · {parts}
      </dd>
      <dt className="text-ink-soft">Offers until</dt>
      <dd>{formatShortDate(view.valid_until)}</dd>
    </dl>
  )
}

/** The waiting-list request and the offer that the token from an emailed link identifies. */
function waitingQuery(token: string) {
  return queryOptions({
    queryKey: ['waiting', token],
    queryFn: ({ signal }) => callApi(at.getWaitingView, { params: { token }, signal }),
  })
}
