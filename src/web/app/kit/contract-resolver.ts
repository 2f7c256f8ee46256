import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '#contract/problem.ts'

type RawIssue = z.core.$ZodRawIssue

/**
 * Checks a form with a schema of the contract. A message that is a code of the catalogue becomes its sentence, and
 * zod's own wording becomes plain English, so that a field says the same before and after the server was asked.
 */
export function contractResolver<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  const resolve = zodResolver(schema, { error: (issue) => plainSentence(issue as RawIssue) }) // the resolver types its issues loosely
  return async (values, context, options) => {
    const result = await resolve(values, context, options)
    if (Object.keys(result.errors).length === 0) return result
    return { values: {}, errors: inCatalogueWords(result.errors as FieldErrors<Input>) }
  }
}

/** The sentence of a message that is a code of the catalogue; any other message as it is. */
export function sentenceOf(message: string): string {
  return isProblemCode(message) ? PROBLEMS[message].title : message
}

function inCatalogueWords<Input extends FieldValues>(errors: FieldErrors<Input>): FieldErrors<Input> {
  const entries = Object.entries(errors).map(([name, error]) => {
    const message = error?.message
    return [name, typeof message === 'string' ? { ...error, message: sentenceOf(message) } : error]
  })
  return Object.fromEntries(entries) as FieldErrors<Input> // same keys, other words
}

function plainSentence(issue: RawIssue): string {
  if (issue.code === 'too_big') {
    return issue.origin === 'string'
      ? `Please use at most ${issue.maximum} characters.`
      : `Please enter at most ${issue.maximum}.`
  }
  if (issue.code === 'too_small' && issue.origin === 'number')
    return `Please enter at least ${issue.minimum}.`
  if (issue.code === 'not_multiple_of') return 'Please use at most two decimals.'
  return 'Please fill in this field.'
}

function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text)
}
