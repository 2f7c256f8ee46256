import { useQueryClient } from '@tanstack/react-query'
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { contractResolver } from '#web/kit/contract-resolver.ts'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { toast } from '#web/ui/toast.tsx'
import { showExternalCalendars } from './integration-queries.ts'

type AccountFormOptions<Values extends FieldValues> = {
  calendarId: string
  schema: z.ZodType<Values, Values>
  empty: Values
  fields: readonly FieldPath<Values>[]
  /** Maps a refusal to the field it is about; null for the whole form. */
  fieldOf: (code: ProblemCode | 'network') => FieldPath<Values> | null
  send: (values: Values) => Promise<ExternalCalendars>
  connected: string
  onDone: () => void
}

/** A form that connects an account by typed credentials. They are secret, so no draft is kept. */
export function useAccountForm<Values extends FieldValues>(options: AccountFormOptions<Values>) {
  const { calendarId, schema, empty, fields, fieldOf, send, connected, onDone } = options
  const client = useQueryClient()
  const form = useForm<Values, unknown, Values>({
    resolver: contractResolver(schema),
    defaultValues: empty as DefaultValues<Values>, // complete values are default values too
  })
  const refuse = (error: unknown) => {
    const problem = toProblem(error)
    const field = fieldOf(problem.code)
    // Include the provider's own message, which belongs to no field.
    const words = [problem.message, ...problem.errors.map(({ message }) => message)].join(' ')
    if (field !== null) form.setError(field, { message: words }, { shouldFocus: true })
    else showProblem(problem, form.setError, fields)
  }
  const connect = form.handleSubmit(async (values) => {
    try {
      showExternalCalendars(client, calendarId, await send(values))
    } catch (error) {
      refuse(error)
      return
    }
    form.reset(empty)
    toast.success(connected)
    onDone()
  })
  return { form, connect }
}
