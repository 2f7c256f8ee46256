import { useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import type { WaitingListEntry } from '#contract/waiting-list/waiting-list.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { EmailText } from '#web/kit/email-text.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { formatLongDate, formatShortDate, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { describeWaitingRequest } from '#web/shared/waiting-request.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { OfferTimeDialog } from './offer-dialog.tsx'
import { useChangeWaitingList } from './use-list-change.ts'

type WaitingItemProps = {
  calendarId: string
  entry: WaitingListEntry
  timeZone: string
  hourCycle: HourCycle
}

const STATES: Readonly<Record<WaitingListEntry['state'], readonly [string, BadgeTone]>> = {
  unconfirmed: ['Email not confirmed', 'neutral'],
  waiting: ['Waiting', 'info'],
  offered: ['Offered', 'noon'],
  accepted: ['Booked', 'success'],
  removed: ['Left', 'neutral'],
  expired: ['Ended', 'neutral'],
}

const OFFER_WORDS: Readonly<Record<WaitingListEntry['offers'][number]['state'], string>> = {
  open: 'not answered yet',
  accepted: 'accepted',
  unpaid: 'accepted, not paid in time',
  declined: 'declined',
  expired: 'expired',
  withdrawn: 'withdrawn',
  taken: 'taken by somebody else',
}

/** Shows a customer on the waiting list, with their request and offers. */
export function WaitingListItem({ calendarId, entry, timeZone, hourCycle }: WaitingItemProps) {
  const [asked, setAsked] = useState<'offer' | 'remove' | null>(null)
  const change = useChangeWaitingList(calendarId)
  const params = { id: calendarId, entry_id: entry.id }
  const [word, tone] = STATES[entry.state]
  const isOn = ['unconfirmed', 'waiting', 'offered'].includes(entry.state)
  const { dates, weekdays, parts } = describeWaitingRequest(entry)
  return (
    <li className="grid gap-3 py-4 sm:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold break-words">
            {entry.place !== null && `${entry.place}. `}
            {entry.customer_name}
          </span>
          <Badge tone={tone}>{word}</Badge>
          {entry.added_by === 'owner' && <Badge>Added by you</Badge>}
        </p>
        <p className="text-sm text-ink-soft">
          <EmailText email={entry.customer_email} />
          {entry.customer_phone !== null && ` · ${entry.customer_phone}`}
        </p>
        <p className="mt-1 break-words">
          {entry.appointment_type_name !== null && `${wrapInBidiIsolates(entry.appointment_type_name)} · `}
          {dates} · {weekdays} · {parts}
        </p>
        <p className="text-sm text-ink-soft">
          Asked on {formatShortDate(localDateOf(entry.created_at, timeZone))} · offers until{' '}
          {formatShortDate(entry.valid_until)}
        </p>
        {entry.offers.length > 0 && (
          <ul
            aria-label={`Offers to ${entry.customer_name}`}
            className="mt-2 grid gap-1 text-sm text-ink-soft"
          >
            {entry.offers.map((offer) => (
              <li key={offer.id}>
                {describeInstant(offer.starts_at, timeZone, hourCycle)}: {OFFER_WORDS[offer.state]}
                {offer.state === 'open' &&
                  `, until ${describeInstant(offer.expires_at, timeZone, hourCycle)}`}
                {!offer.is_held && ', open to everyone on the list'}
              </li>
            ))}
          </ul>
        )}
      </div>
      {isOn && (
        <div className="flex flex-wrap items-start gap-2">
          {entry.state === 'waiting' && (
            <Button size="sm" onClick={() => setAsked('offer')}>
              Offer a time
            </Button>
          )}
          {entry.state === 'offered' && (
            <Button
              size="sm"
              pending={change.isPending}
              onClick={() => change.mutate(() => callApi(at.withdrawOffer, { params }))}
            >
              Withdraw offer
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => setAsked('remove')}>
            Remove
          </Button>
        </div>
      )}
      {asked === 'offer' && (
        <OfferTimeDialog calendarId={calendarId} entry={entry} onClose={() => setAsked(null)} />
      )}
      <ConfirmDialog
        open={asked === 'remove'}
        onOpenChange={() => setAsked(null)}
        title={`Remove ${entry.customer_name}?`}
        description="We won’t email them. Any open offer goes to the next customer."
        confirmLabel="Remove"
        pendingLabel="Removing..."
        pending={change.isPending}
        tone="danger"
        onConfirm={() =>
          change.mutate(() => callApi(at.removeFromWaitingList, { params }), {
            onSettled: () => setAsked(null),
          })
        }
      />
    </li>
  )
}

/** Formats an instant in the calendar's time zone: `January 5, 2027, 9:00 AM`. */
function describeInstant(instant: string, timeZone: string, hourCycle: HourCycle): string {
  return `${formatLongDate(localDateOf(instant, timeZone))}, ${formatTime(instant, timeZone, hourCycle)}`
}
