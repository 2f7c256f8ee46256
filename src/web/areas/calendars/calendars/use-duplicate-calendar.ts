import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  type Calendar,
  type DuplicateCalendarBody,
  duplicateCalendarBody,
} from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { truncateText } from '#core/shared/text.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { findUnusedColor } from '#web/kit/swatches.ts'
import { callApi } from '#web/shared/call-api.ts'
import { addToCalendarList, calendarsQuery } from './calendar-queries.ts'

/** Manages the form of a copy. It makes one copy at most, however often the button is pressed. */
export function useDuplicateCalendar(calendar: Calendar) {
  const client = useQueryClient()
  const [copy, setCopy] = useState<Calendar | null>(null)
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const [defaultValues] = useState(() => {
    const known = client.getQueryData(calendarsQuery(calendar.user_id).queryKey) ?? [calendar]
    return {
      name: truncateText(`Copy of ${calendar.name}`, LIMITS.calendarName),
      color: findUnusedColor(known.map(({ color }) => color)) ?? calendar.color,
    }
  })
  const form = useForm<DuplicateCalendarBody>({
    resolver: schemaResolver(duplicateCalendarBody),
    defaultValues,
  })
  const { mutateAsync } = useMutation({
    mutationFn: (body: DuplicateCalendarBody) =>
      callApi(at.duplicateCalendar, {
        params: { id: calendar.id },
        headers: { 'idempotency-key': idempotencyKey },
        body,
      }),
  })

  const duplicate = form.handleSubmit(async (body) => {
    try {
      const made = await mutateAsync(body)
      setCopy(made)
      await addToCalendarList(client, made)
    } catch (error) {
      showProblem(toProblem(error), form.setError, ['name', 'color'])
    }
  })

  return { form, duplicate, copy }
}
