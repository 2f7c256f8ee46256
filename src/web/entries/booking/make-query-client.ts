import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '#web/shared/api-client.ts'

const RETRIES = 2

/** The query client of the booking pages. 4xx refusals are not retried; network and server errors are. */
export function makeBookingQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Offline, requests fail with a message instead of waiting silently.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < RETRIES && !isFinal(error),
      },
    },
  })
}

function isFinal(error: Error): boolean {
  return error instanceof ApiProblem && error.status >= 400 && error.status < 500
}
