import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { SERVER_ONLY_BOOKING_PROBLEMS } from '#contract/appointments/booking-refusals.ts'
import type { MoveObstacle, MoveTermsResponse } from '#contract/appointments/customer-moves.ts'
import type { MoveAppointmentResponse } from '#contract/appointments/moves.ts'
import * as at from '#contract/operations/addresses.ts'
import { CHOSEN_START_PARAM } from '#core/addresses/public-url.ts'
import { UNDO_SECONDS } from '#core/appointments/undo-seconds.ts'
import { NewTimeSelection } from '#web/areas/appointments/bookings/move-times.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { formatDateHeading, formatShortDate } from '#web/shared/format-date.ts'
import { choosePageTimeZone, formatInPageTimeZone, type PageTimeZone } from '#web/shared/page-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { ChangeSectionProps } from './manage-part-props.ts'

/** Lets the customer move the appointment to another time, if the booking's policy allows it. Source: rule A19. */
export function MoveAppointmentSection(props: ChangeSectionProps) {
  const { token, view } = props
  const { starts_at: startsAt } = view.appointment
  const isUpcoming = view.standing === 'upcoming'
  const { data: terms } = useQuery({ ...moveTermsQuery(token, startsAt), enabled: isUpcoming })
  const [chosen] = useState(() => readChosenStart(startsAt))
  const [isOpen, setOpen] = useState(chosen !== null)
  const part = useRef<HTMLDivElement>(null)
  if (!isUpcoming || terms === undefined) return null
  if (terms.obstacle !== null) {
    const sentence = OBSTACLES[terms.obstacle]
    return sentence === null ? null : <p className="order-1 basis-full text-sm text-ink-soft">{sentence}</p>
  }
  const { until, times_left, offer } = terms
  const show = (next: boolean) => {
    flushSync(() => setOpen(next))
    part.current?.querySelector<HTMLElement>('[data-focus]')?.focus()
  }
  return (
    <>
      {offer !== null && <OfferNotice offer={offer} />}
      <div ref={part} className={isOpen ? 'w-full' : undefined}>
        {isOpen ? (
          <MoveChoice {...props} offer={offer} chosen={chosen} onClose={() => show(false)} />
        ) : (
          <Button data-focus="" variant={offer === null ? undefined : 'primary'} onClick={() => show(true)}>
            {offer === null ? 'Move to another time' : 'Choose another time'}
          </Button>
        )}
      </div>
      {/* `order-1` places this text below all buttons in the row. */}
      {until !== null && offer === null && !isOpen && (
        <p className="order-1 basis-full text-sm text-ink-soft">
          {describeTerms(until, times_left, choosePageTimeZone(view.appointment))}
        </p>
      )}
    </>
  )
}

/** Tells the customer that the owner is away, and shows the owner's message. */
function OfferNotice({ offer }: { offer: NonNullable<MoveTermsResponse['offer']> }) {
  return (
    <Notice
      tone="warning"
      className="basis-full"
      title="This appointment can’t take place at the booked time. Please choose another one."
    >
      {offer.message !== '' && <p className="whitespace-pre-line wrap-anywhere">{offer.message}</p>}
    </Notice>
  )
}

type MoveChoiceProps = ChangeSectionProps & {
  /** The times that the owner suggests instead, if the owner is away at the time of the appointment. */
  offer: MoveTermsResponse['offer']
  /** The time that is chosen already, because the customer followed its link in an email. */
  chosen: string | null
  onClose: () => void
}

function MoveChoice({ offer, chosen, onClose, ...part }: MoveChoiceProps) {
  const { token, view, onChanged, showOutcome } = part
  const client = useQueryClient()
  const { starts_at: startsAt } = view.appointment
  const offered = offer?.times ?? []
  const opensAt = chosen ?? offer?.opens_at ?? startsAt
  const clock = choosePageTimeZone(view.appointment)
  const [selected, setSelected] = useState(chosen)
  const [isGone, setGone] = useState(false)
  const select = useCallback((time: string | null) => {
    setSelected(time)
    setGone(false)
  }, [])
  const loseTime = useCallback(() => {
    setSelected(null)
    setGone(true)
  }, [])
  const refusal = useRef<HTMLDivElement>(null)
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: (wanted: Wanted) => callApi(at.moveManagedAppointment, { params: { token }, body: wanted }),
    // The time may be taken, or the appointment may have been moved elsewhere: reload the times and the appointment.
    onError: () =>
      Promise.all([onChanged(), client.invalidateQueries({ queryKey: ['managed-appointment', token] })]),
  })
  const move = async () => {
    if (selected === null) return
    const moved = await mutateAsync({ starts_at: selected, expected_starts_at: startsAt }).catch(() => null)
    if (moved === null) return refusal.current?.focus()
    onClose()
    showMovedToast(moved, clock, () => void undo(moved))
    await showOutcome()
  }
  const undo = async ({ starts_at }: MoveAppointmentResponse) => {
    const back = { starts_at: startsAt, expected_starts_at: starts_at }
    const answer = await callApi(at.moveManagedAppointment, { params: { token }, body: back }).catch(
      (problem: Error) => problem,
    )
    if (answer instanceof Error) toast.error(answer.message)
    else toast.success(`Moved back to ${whenOf(startsAt, clock)}`)
    await showOutcome()
  }
  return (
    <div className="flex flex-col gap-5">
      <h2 data-focus="" tabIndex={-1} className="rounded-sm text-xl">
        Choose another time
      </h2>
      {offered.length > 0 && (
        <fieldset>
          <legend className="mb-2 font-semibold">Suggested times</legend>
          <div className="flex flex-wrap gap-2">
            {offered.map((time) => (
              <Button
                key={time}
                aria-pressed={selected !== null && Date.parse(time) === Date.parse(selected)}
                onClick={() => select(time)}
              >
                {whenOf(time, clock)}
              </Button>
            ))}
          </div>
        </fieldset>
      )}
      <NewTimeSelection
        {...{ token, startsAt, opensAt, selected }}
        timeZone={clock.timeZone}
        hourCycle={clock.hourCycle}
        onSelect={select}
        onGone={loseTime}
      />
      {isGone && (
        <Notice tone="warning" role="status">
          {SERVER_ONLY_BOOKING_PROBLEMS['booking.slot_unavailable'].title}
        </Notice>
      )}
      {error !== null && (
        <div ref={refusal} tabIndex={-1} className="rounded-control">
          <Notice tone="danger" role="alert">
            {error.message}
          </Notice>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button
          variant="primary"
          disabled={selected === null}
          pending={isPending}
          pendingLabel="Moving..."
          onClick={move}
        >
          {selected === null ? 'Choose a time' : `Move to ${whenOf(selected, clock)}`}
        </Button>
        <Button onClick={onClose}>Keep {whenOf(startsAt, clock)}</Button>
      </div>
    </div>
  )
}

/**
 * Returns the time of the link that the customer followed, in the format of free times. Null when there is none, when it
 * is over, or when the appointment is at that time already.
 */
function readChosenStart(startsAt: string): string | null {
  const atMs = Date.parse(new URLSearchParams(location.search).get(CHOSEN_START_PARAM) ?? '')
  if (!(atMs > Date.now()) || atMs === Date.parse(startsAt)) return null
  return new Date(atMs).toISOString().replace('.000', '')
}

type Wanted = { readonly starts_at: string; readonly expected_starts_at: string }

function showMovedToast(
  { starts_at, email }: MoveAppointmentResponse,
  clock: PageTimeZone,
  onUndo: () => void,
): void {
  toast.success(`Moved to ${whenOf(starts_at, clock)}`, {
    details: email === 'queued' ? [`We’ll send the email in ${UNDO_SECONDS} seconds.`] : [],
    durationMs: UNDO_SECONDS * 1_000,
    action: { label: 'Undo', onClick: onUndo },
  })
}

/** The sentence shown instead of the button, by obstacle; null if the page already explains the obstacle. */
const OBSTACLES: Readonly<Record<MoveObstacle, string | null>> = {
  state: null,
  not_allowed: 'To move this appointment, please contact the practice.',
  too_late: null,
  too_often: 'This appointment can’t be moved again. Please contact the practice.',
}

function describeTerms(until: string, timesLeft: number | null, clock: PageTimeZone): string {
  const often = timesLeft === null ? '' : timesLeft === 1 ? ' once' : ` ${timesLeft} times`
  return `You can move it${often} until ${formatInPageTimeZone(clock, until, formatDateHeading)}.`
}

/** Formats an instant in the page's time zone: `Jan 5, 2027, 2:00 PM`. */
function whenOf(startsAt: string, clock: PageTimeZone): string {
  return formatInPageTimeZone(clock, startsAt, formatShortDate)
}

function moveTermsQuery(token: string, startsAt: string) {
  return queryOptions({
    queryKey: ['managed-appointment', token, 'move', startsAt],
    queryFn: ({ signal }) => callApi(at.getMoveTerms, { params: { token }, signal }),
  })
}
