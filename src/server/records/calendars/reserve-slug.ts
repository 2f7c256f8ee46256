import { randomBytes } from 'node:crypto'
import { isReservedSlug, isValidSlug, MAX_SLUG_LENGTH, toSlug } from '#core/addresses/slug.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { tryReserveSlug } from './repository.ts'

/** Maximum number of numbered slugs that are tried before a random one is used. */
const NUMBERED_SLUGS = 20

/**
 * Reserves a slug exactly as typed. Source: rule C3.
 * @throws ProblemError `calendar.slug_*`
 */
export async function reserveTypedSlug(trx: Trx, slug: string): Promise<string> {
  if (!isValidSlug(slug)) throw new ProblemError('calendar.slug_invalid')
  if (isReservedSlug(slug)) throw new ProblemError('calendar.slug_reserved')
  if (!(await tryReserveSlug(trx, slug))) throw new ProblemError('calendar.slug_taken')
  return slug
}

/**
 * Reserves a slug derived from a name: numbered when it is taken, random when the name has no usable letters. Source:
 * rule C2.
 */
export async function reserveSlugFor(trx: Trx, name: string): Promise<string> {
  const base = toSlug(name)
  const numbered = Array.from({ length: NUMBERED_SLUGS }, (_, i) =>
    i === 0 ? base : withSuffix(base, `${i + 1}`),
  )
  const candidates = base === '' ? [] : numbered.filter((slug) => !isReservedSlug(slug))
  for (const slug of candidates) {
    if (await tryReserveSlug(trx, slug)) return slug
  }
  const random = withSuffix(base || 'calendar', randomBytes(4).toString('hex'))
  if (await tryReserveSlug(trx, random)) return random
  throw new ProblemError('calendar.slug_taken')
}

/** Appends a suffix, shortening the base so that the result fits a booking link. */
function withSuffix(base: string, suffix: string): string {
  const room = MAX_SLUG_LENGTH - suffix.length - 1
  return `${base.slice(0, room).replace(/-$/, '')}-${suffix}`
}
