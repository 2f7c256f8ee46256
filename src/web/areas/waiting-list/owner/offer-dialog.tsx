import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import type { WaitingListEntry } from '#contract/waiting-list/waiting-list.ts'
import { LinePlaceholder, LoadingPlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { formatDateHeading, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Select } from '#web/ui/select.tsx'
import { useChangeWaitingList } from './use-list-change.ts'
import { matchingTimesQuery } from './waiting-list-queries.ts'

type OfferDialogProps = { calendarId: string; entry: WaitingListEntry; onClose: () => void }

/** Lets the owner offer a free time to a customer who is not first on the waiting list. Source: rule Z3. */
export function OfferTimeDialog({ calendarId, entry, onClose }: OfferDialogProps) {
  const { data, error, refetch } = useQuery(matchingTimesQuery(calendarId, entry.id))
  const [startsAt, setStartsAt] = useState<string | null>(null)
  const change = useChangeWaitingList(calendarId)
  const offer = (starts_at: string) => {
    const call = { params: { id: calendarId, entry_id: entry.id }, body: { starts_at } }
    change.mutate(() => callApi(at.makeOffer, call), { onSettled: onClose })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Offer a time to ${entry.customer_name}`}
      description="We’ll hold the time and email them a button to accept it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={startsAt === null}
            pending={change.isPending}
            pendingLabel="Offering..."
            onClick={() => startsAt !== null && offer(startsAt)}
          >
            Offer this time
          </Button>
        </>
      }
    >
      {data === undefined && error === null && (
        <LoadingPlaceholder text="Looking for free times...">
          <RepeatedPlaceholder count={2}>
            <LinePlaceholder className="w-64" />
          </RepeatedPlaceholder>
        </LoadingPlaceholder>
      )}
      {data === undefined && error !== null && (
        <ErrorState
          title="We couldn’t load the free times"
          hint={error.message}
          onRetry={() => void refetch()}
        />
      )}
      {data?.starts_at.length === 0 && <p role="status">No free times match this customer’s request.</p>}
      {data !== undefined && data.starts_at.length > 0 && (
        <Select
          label="Free time"
          required
          options={data.starts_at.map((start) => ({
            value: start,
            label: `${formatDateHeading(localDateOf(start, data.time_zone))}, ${formatTime(start, data.time_zone, data.hour_cycle)}`,
          }))}
          value={startsAt}
          onChange={setStartsAt}
        />
      )}
    </Dialog>
  )
}
