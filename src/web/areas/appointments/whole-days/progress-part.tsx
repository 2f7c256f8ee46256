import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BulkChangeResponse } from '#contract/appointments/whole-days.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { bulkChangeQuery } from './many-change-queries.ts'

type ProgressPartProps = { calendarId: string; changeId: string; onClose: () => void }

/** Shows the progress of a change. The change continues in the background after the dialog is closed. Source: rule A22. */
export function BulkChangeProgress({ calendarId, changeId, onClose }: ProgressPartProps) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(bulkChangeQuery(calendarId, changeId))
  const isFinished = data !== undefined && data.finished_at !== null
  useEffect(() => {
    if (isFinished) void refreshAppointments(client)
  }, [client, isFinished])
  if (data === undefined && error !== null) {
    return (
      <Notice
        tone="danger"
        role="alert"
        title="The change continues, but we couldn’t load its progress"
        action={
          <Button size="sm" onClick={() => refetch()}>
            Try again
          </Button>
        }
      >
        {error.message}
      </Notice>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <p role="status" className="flex items-center gap-2 text-lg font-semibold">
        {!isFinished && <Spinner />}
        {data === undefined ? 'Starting...' : progressText(data)}
      </p>
      {data !== undefined && !isFinished && (
        <p className="text-ink-soft">You can close this window. The change continues in the background.</p>
      )}
      {data !== undefined && data.skipped.length > 0 && (
        <Notice tone="warning" title="These appointments weren’t changed">
          <ul>
            {data.skipped.map(({ appointment_id, customer_name, reason }) => (
              <li key={appointment_id}>
                <bdi>{customer_name}</bdi>: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}

function progressText({ kind, total, done, finished_at }: BulkChangeResponse): string {
  const what = kind === 'cancel' ? 'cancelled' : 'offered other times'
  return finished_at === null ? `${done} of ${total} ${what}...` : `${done} of ${total} ${what}`
}
