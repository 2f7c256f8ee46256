import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Question } from '#contract/appointments/questions.ts'
import * as at from '#contract/operations/addresses.ts'
import { questionsQuery } from '#web/kit/questions-query.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Replaces the questions that the screen shows. The server refuses it if they have changed elsewhere. Source: rule X4. */
export function useChangeQuestions(calendarId: string, was: readonly Question[]) {
  const client = useQueryClient()
  const { queryKey } = questionsQuery(calendarId)
  return useMutation({
    mutationFn: (questions: readonly Question[]) =>
      callApi(at.changeQuestions, {
        params: { id: calendarId },
        body: { questions: dropLostConditions(questions), was: [...was] },
      }),
    onSuccess: ({ questions }) => client.setQueryData(queryKey, questions),
    onError: () => client.invalidateQueries({ queryKey }),
  })
}

/** Removes conditions on questions that no longer come earlier: the question is then always asked. */
function dropLostConditions(questions: readonly Question[]): Question[] {
  return questions.map((question, index) => {
    const { shown_if: condition } = question
    const isKept = questions.slice(0, index).some(({ id }) => id === condition?.question_id)
    return isKept ? question : { ...question, shown_if: null }
  })
}
