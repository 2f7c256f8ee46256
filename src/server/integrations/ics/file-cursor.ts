import { z } from 'zod'
import type { Interval } from '#core/shared/interval.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'

/** Cache validators with which the server can tell that we already have its file. */
export type FileVersion = { readonly etag: string | null; readonly lastModified: string | null }

const schema = z.object({
  format: z.literal(2),
  startMs: z.number(),
  endMs: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** Hash of the whole file. */
  mark: z.string(),
  /** The known events, packed. */
  known: z.string(),
})

/** What a sync remembers of a file for the next sync. */
export type FileCursor = FileVersion & {
  readonly mark: string
  readonly window: Interval
  readonly known: string
}

export function toText({ window, ...rest }: FileCursor): string {
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
