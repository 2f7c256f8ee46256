import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'

/**
 * Returns a resolver that validates a form with a schema of the contract. It replaces error codes by their messages, so that a
 * field shows the same text whether the browser or the server has found the error.
 */
export function schemaResolver<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  const resolve = zodResolver(schema)
  return async (values, context, options) => {
    const result = await resolve(values, context, options)
    if (Object.keys(result.errors).length === 0) return result
    return { values: {}, errors: inSentences(result.errors) as FieldErrors<Input> } // same keys, other messages
  }
}

/** Replaces the error codes in a tree of errors by their messages. Arrays have errors by index, objects by field. */
function inSentences(error: unknown): unknown {
  if (Array.isArray(error)) return error.map(inSentences)
  if (typeof error !== 'object' || error === null) return error
  if ('message' in error && typeof error.message === 'string') {
    return { ...error, message: sentenceOf(error.message) }
  }
  return Object.fromEntries(Object.entries(error).map(([name, inner]) => [name, inSentences(inner)]))
}

/** Returns the sentence of an error code; other messages are sentences already. */
export function sentenceOf(message: string): string {
  return isProblemCode(message) ? PROBLEMS[message].title : message
}

function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text)
}
