import { queryOptions, useQuery } from '@tanstack/react-query'
import { MISSED_DATE_SENTENCES } from '#contract/appointments/series-problems.ts'
import * as at from '#contract/operations/addresses.ts'
import { PAGE_PROBLEM_TEXTS } from '#core/calendars/page-problem-texts.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatLongDate } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { Notice } from '#web/ui/notice.tsx'

const pageProblemsQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'page-problems'],
  queryFn: ({ signal }) => callApi(at.listPageProblems, { signal }),
  // The owner comes back from the settings, where they may have solved a problem.
  staleTime: 0,
})

/** Tells the owner what keeps customers from booking, with the link that solves each problem. Source: rule C20. */
export function PageProblemsNotice() {
  const { data } = useQuery(pageProblemsQuery)
  if (data === undefined || data.problems.length === 0) return null
  return (
    <Notice
      tone="warning"
      title={
        data.problems.every(({ missed_date }) => missed_date !== null)
          ? 'A standing appointment could not be booked'
          : 'Customers may not be able to book'
      }
    >
      <ul className="grid gap-2">
        {data.problems.map(
          ({ calendar_id, calendar_name, kind, appointment_type_name, missed_date: missed }) => {
            const { sentence, tab, action } = PAGE_PROBLEM_TEXTS[kind]
            return (
              <li
                key={`${calendar_id} ${kind} ${appointment_type_name} ${missed?.date} ${missed?.customer_name}`}
                className="wrap-anywhere"
              >
                {sentence({
                  calendar: wrapInBidiIsolates(calendar_name),
                  type: wrapInBidiIsolates(appointment_type_name ?? ''),
                  ...(missed === null
                    ? {}
                    : {
                        customer: wrapInBidiIsolates(missed.customer_name),
                        date: formatLongDate(missed.date),
                        reason: MISSED_DATE_SENTENCES[missed.reason],
                      }),
                })}{' '}
                <a
                  href={paths.calendarSettings(calendar_id, tab)}
                  className="text-link underline underline-offset-4"
                >
                  {action}
                </a>
              </li>
            )
          },
        )}
      </ul>
    </Notice>
  )
}
