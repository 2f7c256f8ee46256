import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '#web/shared/api-client.ts'

const RETRIES = 2

/** The cache of the booking pages. Refusals are final; only failures that may go away by themselves are tried again. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A phone in a tunnel says that it is offline, instead of waiting without a word.
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
