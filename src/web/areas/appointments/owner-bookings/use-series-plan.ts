import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { ownerFreeTimesKey } from '#web/kit/own-times.ts'
import { callApi } from '#web/shared/call-api.ts'
import { chooseDates, type DateChoice, type DateChoices, type RequestedSeries } from './series-form.ts'

/** The dates of a series. Disabled while `asked` is null. */
function seriesPlanQuery(calendarId: string, asked: RequestedSeries | null) {
  return queryOptions({
    queryKey: [...ownerFreeTimesKey(calendarId), 'series', asked],
    queryFn: ({ signal }) => {
      const { date = '', time = '', every_weeks = '', ...rest } = asked ?? {}
      const optional = Object.fromEntries(Object.entries(rest).filter(([, text]) => text !== ''))
      return callApi(at.planSeries, {
        params: { id: calendarId },
        query: { date, time, every_weeks: Number(every_weeks), ...optional },
        signal,
      })
    },
    enabled: asked !== null,
    retry: false,
  })
}

/** The dates of a series with the owner's choices, which are dropped when the rule changes. */
export function useSeriesPlan(calendarId: string, asked: RequestedSeries | null) {
  const about = JSON.stringify(asked)
  const [made, setMade] = useState<{ about: string; choices: DateChoices }>({ about, choices: {} })
  const choices = made.about === about ? made.choices : {}
  const { data, error, refetch } = useQuery(seriesPlanQuery(calendarId, asked))
  return {
    asked,
    plan: data,
    error,
    retry: refetch,
    dates: chooseDates(data?.dates ?? [], choices),
    choose: (chosen: Readonly<Record<number, DateChoice>>) =>
      setMade({ about, choices: { ...choices, ...chosen } }),
  }
}
export type SeriesChoice = ReturnType<typeof useSeriesPlan>
