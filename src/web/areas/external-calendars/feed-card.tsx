import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder } from '#web/kit/loading-shape.tsx'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { calendarFeedQuery } from './integration-queries.ts'

/** Shows the secret URL of the iCalendar feed. Source: rule G22. */
export function CalendarFeedCard({ calendarId }: { calendarId: string }) {
  const query = useQuery(calendarFeedQuery(calendarId))
  const { data } = query
  return (
    <Card
      title="Calendar feed"
      description="Subscribe to this calendar’s appointments in Apple Calendar, Outlook, Thunderbird or any other calendar app."
    >
      {data !== undefined && <Feed calendarId={calendarId} url={data.url} />}
      <LoadStatus query={query} loading="Loading the address..." failed="Failed to load the address">
        <div className="flex h-11 items-center">
          <LinePlaceholder className="w-80" />
        </div>
      </LoadStatus>
    </Card>
  )
}

function Feed({ calendarId, url }: { calendarId: string; url: string | null }) {
  const client = useQueryClient()
  const { queryKey } = calendarFeedQuery(calendarId)
  const home = useRef<HTMLDivElement>(null)
  const [asking, setAsking] = useState(false)
  const create = useMutation({
    mutationFn: () => callApi(at.createCalendarFeed, { params: { id: calendarId } }),
    onSuccess: (feed) => {
      client.setQueryData(queryKey, feed)
      home.current?.querySelector('button')?.focus()
    },
    onError: (error) => toast.error(`Failed to create the address: ${toProblem(error).message}`),
  })
  const revoke = useMutation({
    mutationFn: () => callApi(at.revokeCalendarFeed, { params: { id: calendarId } }),
    onSuccess: (feed) => {
      client.setQueryData(queryKey, feed)
      toast.success('Address revoked')
      setAsking(false)
    },
    onError: (error) => toast.error(`Failed to revoke the address: ${toProblem(error).message}`),
  })
  return (
    <div ref={home}>
      {url === null ? (
        <Button pending={create.isPending} pendingLabel="Creating..." onClick={() => create.mutate()}>
          Create address
        </Button>
      ) : (
        <div className="flex flex-col items-start gap-3">
          <div className="flex w-full items-center gap-1 rounded-control bg-sunken ps-3">
            <code className="min-w-0 flex-1 py-2 text-sm break-all">{url}</code>
            <CopyButton text={url} label="Copy the feed address" done="Copied to clipboard!" />
          </div>
          <p className="text-sm text-ink-soft">
            Anyone with this address can read your appointments and customers’ details. Revoke it if somebody
            else has seen it.
          </p>
          <Button size="sm" onClick={() => setAsking(true)}>
            Revoke address
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Revoke the address?"
        description="Apps that use it will stop getting appointments. If you create an address later, it will be different."
        confirmLabel="Revoke"
        pendingLabel="Revoking..."
        pending={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        tone="danger"
        focusAfter={() => home.current?.querySelector('button') ?? null}
      />
    </div>
  )
}
