import { z } from 'zod'
import type { Interval } from '#core/shared/interval.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'

/**
 * The cache validators (ETag, Last-Modified) by which the server can tell that its file has not changed since our last
 * request.
 */
export type FileVersion = { readonly etag: string | null; readonly lastModified: string | null }

const schema = z.object({
  format: z.literal(2),
  startMs: z.number(),
  endMs: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** The hash of the whole file. */
  mark: z.string(),
  /** The known events, packed into a text. */
  known: z.string(),
})

/** The state of a file that a sync stores for the next sync. */
export type FileCursor = FileVersion & {
  readonly mark: string
  readonly window: Interval
  readonly known: string
}

export function toCursorText({ window, ...rest }: FileCursor): string {
  return JSON.stringify({ format: 2, ...window, ...rest })
}

/** @throws CalendarProviderError `cursor_lost` */
export function toFileCursor(text: string): FileCursor {
  try {
    const { format: _format, startMs, endMs, ...rest } = schema.parse(JSON.parse(text))
    return { ...rest, window: { startMs, endMs } }
  } catch (error) {
    throw new CalendarProviderError('cursor_lost', 'The cursor cannot be read.', { cause: error })
  }
}
