import { useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  CalendarConnection,
  CalendarProviderName,
} from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { cacheExternalCalendars, externalCalendarsQuery } from './integration-queries.ts'
import { expiredAccessMessage, PROVIDER_TEXTS } from './provider-words.ts'

/** Duration of the toast with the Reconnect button, in milliseconds. */
const RECONNECT_MS = 10_000

/** The text shown below the reason when an account could not be synced. */
const TRIED_AGAIN =
  'We’ll try again automatically. If it fails again, open Integrations and reconnect the account.'
/** The text shown when a sync takes longer than the server waits for it. */
const STILL_RUNNING = 'The sync is still running. It continues even if you leave this page.'

type SyncOptions = {
  calendarId: string
  /** The provider on whose card the owner presses Sync Now. Only the toast names it: all the calendar's accounts are synced. */
  provider: CalendarProviderName
  onReconnect: (connection: CalendarConnection) => void
}

/** Syncs a calendar immediately and shows the result in a toast. Source: rule G15. */
export function useSyncNow({ calendarId, provider, onReconnect }: SyncOptions) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(at.syncExternalCalendars, { params: { id: calendarId } }),
    onSuccess: ({ external_calendars, is_running }) => {
      cacheExternalCalendars(client, calendarId, external_calendars)
      if (is_running) toast.info(STILL_RUNNING)
      else toast.success(`Calendar synced with ${PROVIDER_TEXTS[provider].name}`)
    },
    onError: async (error) => {
      const { code, message, errors } = toProblem(error)
      const isExpired = code === 'external_calendar.authorization_expired'
      if (code === 'external_calendar.sync_failed') {
        // Each error names the account and quotes the provider's message.
        const said = errors.map((account) => account.message)
        toast.error(`Sync failed: ${said.join(' ') || message}`, { details: [TRIED_AGAIN] })
      } else if (!isExpired) {
        toast.error(`Sync failed: ${message}`)
      }
      const external = await client
        .fetchQuery({ ...externalCalendarsQuery(calendarId), staleTime: 0 })
        .catch(() => undefined)
      if (!isExpired) return
      const expired = external?.connections.find(({ state }) => state === 'expired')
      toast.error(expiredAccessMessage(expired?.provider ?? provider), {
        durationMs: RECONNECT_MS,
        ...(expired && { action: { label: 'Reconnect', onClick: () => onReconnect(expired) } }),
      })
    },
  })
  return { sync: () => mutate(), isSyncing: isPending }
}
