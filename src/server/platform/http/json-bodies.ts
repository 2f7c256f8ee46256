import type { FastifyInstance } from 'fastify'
import { ProblemError } from './problem-error.ts'

/** Maximum nesting of arrays and objects; bodies of the API have at most five levels. */
const MAX_DEPTH = 32

const LEVELS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

/** Accepts JSON bodies only, up to a nesting limit, so that the work on a body is bounded. Source: rule X5. */
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
    // An escaped character, as in `\"`, does not end the string.
    else if (isText && character === '\\') i += 1
    else if (!isText) depth += LEVELS[character] ?? 0
    if (depth > max) return true
  }
  return false
}
