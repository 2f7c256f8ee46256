import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '#contract/problem.ts'

/**
 * Checks a form with a schema of the contract. A message that is a code of the catalogue becomes its sentence, so that
 * a field says the same before and after the server was asked.
 */
export function contractResolver<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  const resolve = zodResolver(schema)
  return async (values, context, options) => {
    const result = await resolve(values, context, options)
    if (Object.keys(result.errors).length === 0) return result
    return { values: {}, errors: inSentences(result.errors as FieldErrors<Input>) } // there are errors
  }
}

/** The errors by field; forms here are flat. */
function inSentences<Input extends FieldValues>(errors: FieldErrors<Input>): FieldErrors<Input> {
  const entries = Object.entries(errors).map(([name, error]) => {
    const message = error?.message
    return [name, typeof message === 'string' ? { ...error, message: sentenceOf(message) } : error]
  })
  return Object.fromEntries(entries) as FieldErrors<Input> // same keys, other words
}

function sentenceOf(message: string): string {
  return isProblemCode(message) ? PROBLEMS[message].title : message
}

function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text)
}
