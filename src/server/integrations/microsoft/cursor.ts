import { z } from 'zod'
import type { Interval } from '#core/shared/interval.ts'
import { graphError } from './graph-errors.ts'

/** Cursor of a sync: Graph's delta URL, and the window of the full sync, to which Graph binds that URL. */
const cursor = z.object({
  link: z.string().min(1).max(16_384),
  window: z.object({ startMs: z.number(), endMs: z.number() }),
})

/** @throws CalendarProviderError `unavailable` when Graph returned no URL, or one that is too long to store */
export function writeCursor(link: string | null, { startMs, endMs }: Interval): string {
  const { data } = cursor.safeParse({ link, window: { startMs, endMs } })
  if (data === undefined) throw graphError('unavailable', 'no address for the next sync')
  return JSON.stringify(data)
}

/** @throws CalendarProviderError `cursor_lost` when the cursor is not one of ours */
export function readCursor(text: string): z.infer<typeof cursor> {
  try {
    return cursor.parse(JSON.parse(text))
  } catch {
    throw graphError('cursor_lost', 'a cursor that cannot be read')
  }
}
