import { useQueryClient } from '@tanstack/react-query'
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { toast } from '#web/ui/toast.tsx'
import { cacheExternalCalendars } from './integration-queries.ts'

type AccountFormOptions<Values extends FieldValues> = {
  calendarId: string
  schema: z.ZodType<Values, Values>
  empty: Values
  fields: readonly FieldPath<Values>[]
  /** Returns the field that an error belongs to; null if the error belongs to the whole form. */
  fieldOf: (code: ProblemCode | 'network') => FieldPath<Values> | null
  send: (values: Values) => Promise<ExternalCalendars>
  connected: string
  onDone: () => void
}

/** The state of a form that connects an account with typed credentials. No draft is saved, because they are secret. */
export function useAccountForm<Values extends FieldValues>(options: AccountFormOptions<Values>) {
  const { calendarId, schema, empty, fields, fieldOf, send, connected, onDone } = options
  const client = useQueryClient()
  const form = useForm<Values, unknown, Values>({
    resolver: schemaResolver(schema),
    defaultValues: empty as DefaultValues<Values>, // safe: complete values are valid default values
  })
  const refuse = (error: unknown) => {
    const problem = toProblem(error)
    const field = fieldOf(problem.code)
    // Include the provider's own message, which does not belong to a field.
    const words = [problem.message, ...problem.errors.map(({ message }) => message)].join(' ')
    if (field !== null) form.setError(field, { message: words }, { shouldFocus: true })
    else showProblem(problem, form.setError, fields)
  }
  const connect = form.handleSubmit(async (values) => {
    try {
      cacheExternalCalendars(client, calendarId, await send(values))
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
