import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SetupChanges } from '#contract/accounts/setup.ts'
import * as at from '#contract/operations/addresses.ts'
import { refreshAppointmentTypes } from '#web/kit/appointment-types-query.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'
import { sessionQuery } from '../sessions/session-query.ts'

/** Loads how far the owner has come with the set-up. Null for an account that never had one. Source: rule U32. */
export const setupQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'setup'],
  queryFn: async ({ signal }) => (await callApi(at.getSetup, { signal })).setup,
  staleTime: 60_000,
  retry: retryOnce,
})

/** Sends a change of the set-up, and reloads what it has changed elsewhere. */
export function useChangeSetup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SetupChanges) => callApi(at.changeSetup, { body }),
    onSuccess: async ({ setup }, { you, services }) => {
      client.setQueryData(setupQuery.queryKey, setup)
      const id = setup?.calendar_id ?? null
      if (you !== undefined) {
        // The owner's name and zone are in the profile and in the calendars, and the name is in the greeting.
        await Promise.all([
          client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY] }),
          client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
        ])
      }
      if (services !== undefined && id !== null) await refreshAppointmentTypes(client, id)
    },
  })
}
