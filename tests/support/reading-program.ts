import { serveParseRequests } from '#server/integrations/reading/serve-parse-requests.ts'
import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/** Readings for tests that need one to return a value, to work for long, to never end, or to use up its memory. */
export const MISBEHAVING_READINGS = {
  *echo({ text }: { readonly text: string }): Iterable<string> {
    yield text
  },
  *work({ forMs }: { readonly forMs: number }): Iterable<number> {
    const endMs = performance.now() + forMs
    while (performance.now() < endMs);
    yield forMs
  },
  *forever({ isOver }: { readonly isOver: boolean }): Iterable<string> {
    while (!isOver);
    yield 'over'
  },
  *fillHeap({ most }: { readonly most: number }): Iterable<number> {
    const kept: object[] = []
    while (kept.length < most) kept.push(Array.from({ length: 1_000 }, () => ({})))
    yield kept.length
  },
  *fillMemory({ most }: { readonly most: number }): Iterable<number> {
    const kept: Buffer[] = []
    while (kept.length < most) kept.push(Buffer.alloc(10_000_000, 1))
    yield kept.length
  },
  *refuse({ words }: { readonly words: string }): Iterable<string> {
    if (words !== '') throw new CalendarTooLargeError('refused', words)
    yield words
  },
  *fail(_input: object): Iterable<string> {
    const deep = (): number => deep() + 1
    yield String(deep())
  },
}

serveParseRequests({ misbehaving: async () => MISBEHAVING_READINGS })
