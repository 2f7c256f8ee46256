import type { FastifyInstance } from 'fastify'
import { ProblemError } from './problem-error.ts'

/** Levels of arrays and objects within each other; no body of ours has more than five. */
const MAX_DEPTH = 32

const LEVELS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

/**
 * JSON is the only content that is accepted, and only to this depth, so that work on a body always ends.
 * Source: rule X5.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isDeeperThan(body, MAX_DEPTH)) done(new ProblemError('request.invalid'))
    else parse(request, body, done)
  })
}

function isDeeperThan(json: string, max: number): boolean {
  let depth = 0
  let isText = false
  for (let i = 0; i < json.length; i += 1) {
    const character = json.charAt(i)
    if (character === '"') isText = !isText
    // What follows a backslash, as in `\"`, ends no text.
    else if (isText && character === '\\') i += 1
    else if (!isText) depth += LEVELS[character] ?? 0
    if (depth > max) return true
  }
  return false
}
