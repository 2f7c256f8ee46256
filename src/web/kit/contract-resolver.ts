import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'

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
    return { values: {}, errors: inSentences(result.errors) as FieldErrors<Input> } // same keys, other words
  }
}

/** The errors of a field, or of what it holds: a list has errors by place, and each of these by field. */
function inSentences(error: unknown): unknown {
  if (Array.isArray(error)) return error.map(inSentences)
  if (typeof error !== 'object' || error === null) return error
  if ('message' in error && typeof error.message === 'string') {
    return { ...error, message: sentenceOf(error.message) }
  }
  return Object.fromEntries(Object.entries(error).map(([name, inner]) => [name, inSentences(inner)]))
}

function sentenceOf(message: string): string {
  return isProblemCode(message) ? PROBLEMS[message].title : message
}

function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text)
}
