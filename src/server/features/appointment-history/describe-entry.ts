import { z } from 'zod'
import { describeTime, toSentence } from '#server/features/mail/appointment-time.ts'
import type { StoredEntry } from './repository.ts'

/** A stretch of time in the details of a line: instants, RFC 3339. */
const time = z.object({ starts_at: z.iso.datetime(), ends_at: z.iso.datetime() })
export type StoredTime = z.infer<typeof time>

/** What each kind of line knows. Lines of earlier versions stay readable, so no kind is removed. */
const DETAILS = {
  moved: z.object({ from: time, to: time }),
  cancelled: z.object({}),
  /** A change in the external calendar that could not be followed: the event is put back. `wanted`: null when it was no time. */
  put_back: z.object({ wanted: time.nullable(), reason: z.string() }),
  /** The owner was asked about a change there, and keeps the appointment as it is. */
  kept: z.object({}),
  /** The provider of the external calendar refused the event for good. */
  not_written: z.object({ reason: z.string() }),
} as const

export type HistoryKind = keyof typeof DETAILS
export type HistoryDetails = { readonly [Kind in HistoryKind]: z.infer<(typeof DETAILS)[Kind]> }

type Causer = Readonly<Record<StoredEntry['causedBy'], string>>

/** Who did it, at the beginning of a sentence. */
const BY: Causer = {
  owner: 'You',
  customer: 'The customer',
  external_calendar: 'You, in your external calendar,',
  product: 'The product',
}

/** The sentence of each kind of line. Source: rule G24. */
const SENTENCES: {
  readonly [Kind in HistoryKind]: (
    details: HistoryDetails[Kind],
    told: { readonly by: string; readonly inWords: (time: StoredTime) => string },
  ) => string
} = {
  moved: ({ from, to }, { by, inWords }) =>
    `${by} moved the appointment from ${inWords(from)} to ${inWords(to)}.`,
  cancelled: (_details, { by }) => `${by} cancelled the appointment.`,
  put_back: ({ wanted, reason }, { inWords }) =>
    wanted === null
      ? `The event in your external calendar was changed in a way that the appointment cannot follow, so it was put back: ${reason}`
      : `The event in your external calendar was moved to ${inWords(wanted)}. It was put back: ${reason}`,
  not_written: ({ reason }) => `The external calendar does not take the event of this appointment: ${reason}`,
  kept: (_details, { by }) => `${by} kept the appointment, and its event is written again.`,
}

/** What a line says to the owner, in the zone of the appointment. */
export function describeEntry(entry: StoredEntry): string {
  return isKind(entry.kind) ? describe(entry.kind, entry) : 'The appointment was changed.'
}

function describe<Kind extends HistoryKind>(
  kind: Kind,
  { causedBy, details, timeZone }: StoredEntry,
): string {
  const inWords = ({ starts_at, ends_at }: StoredTime) =>
    toSentence(describeTime(starts_at, ends_at, timeZone))
  // The schema of that kind.
  const known = DETAILS[kind].parse(details) as HistoryDetails[Kind]
  return SENTENCES[kind](known, { by: BY[causedBy], inWords })
}

function isKind(kind: string): kind is HistoryKind {
  return kind in DETAILS
}
