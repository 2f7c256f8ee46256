import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { OWNER_QUERY_KEY } from './owner-key.ts'
import { retryOnce } from './retry-once.ts'

/** Loads the questions of a calendar, in their order. */
export function questionsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'questions', calendarId],
    queryFn: async ({ signal }) => {
      const { questions } = await callApi(at.listQuestions, { params: { id: calendarId }, signal })
      return questions
    },
    retry: retryOnce,
  })
}
