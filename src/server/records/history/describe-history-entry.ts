import { z } from 'zod'
import {
  describeAppointmentTime,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import type { StoredHistoryEntry } from './repository.ts'

/** A time range in the details of a history entry, as RFC 3339 instants. */
const time = z.object({ starts_at: z.iso.datetime(), ends_at: z.iso.datetime() })
export type HistoryTime = z.infer<typeof time>

/** True when the customer moved the appointment because the owner had offered other times. Source: rule Q3. */
const followsOffer = z.literal(true).optional()

/** False if 'Auto Sync' was off, so that the event in the external calendar stayed unchanged. */
const isWritten = z.boolean()

/**
 * The schema of the details of each kind of history entry. Entries written by earlier versions must stay readable, so
 * kinds are never removed.
 */
const DETAILS = {
  moved: z.object({ from: time, to: time, follows_offer: followsOffer }),
  /** The move was undone before anybody was notified. */
  moved_back: z.object({ from: time, to: time, follows_offer: followsOffer }),
  cancelled: z.object({}),
  cancellation_requested: z.object({}),
  cancellation_approved: z.object({}),
  cancellation_denied: z.object({}),
  confirmed: z.object({}),
  restored: z.object({}),
  /** The owner set the payment status by hand. */
  marked_paid: z.object({}),
  marked_pending: z.object({}),
  marked_failed: z.object({}),
  marked_not_required: z.object({}),
  refunded: z.object({}),
  /** The owner marked the appointment as a no-show, or cleared the mark. */
  no_show: z.object({}),
  no_show_undone: z.object({}),
  /** The names of the fields that the customer changed on their own page. */
  details_changed: z.object({ what: z.array(z.string()) }),
  /** The names of the fields that the owner corrected in the customer's record. */
  customer_corrected: z.object({ what: z.array(z.string()) }),
  /**
   * A change in the external calendar that could not be applied to the appointment; the product restored the event.
   * `wanted` is null when the changed event no longer had a single time.
   */
  put_back: z.object({ wanted: time.nullable(), reason: z.string(), is_written: isWritten }),
  /** The owner was asked about a change in the external calendar, and decided to keep the appointment unchanged. */
  kept: z.object({ is_written: isWritten }),
  /** The external calendar's provider permanently refused the event. */
  not_written: z.object({ reason: z.string() }),
} as const

export type HistoryKind = keyof typeof DETAILS
export type HistoryDetails = { readonly [Kind in HistoryKind]: z.infer<(typeof DETAILS)[Kind]> }

type Causer = Readonly<Record<StoredHistoryEntry['causedBy'], string>>

/** The person who caused an entry, as the subject of a sentence. */
const SUBJECT_OF: Causer = {
  owner: 'You',
  customer: 'The customer',
  external_calendar: 'A change in the external calendar',
  product: 'Meridian',
}

/** Builds the sentence for each kind of history entry. Source: rule G24. */
const SENTENCES: {
  readonly [Kind in HistoryKind]: (
    details: HistoryDetails[Kind],
    told: { readonly by: string; readonly isThere: boolean; readonly inWords: (time: HistoryTime) => string },
  ) => string
} = {
  moved: ({ from, to }, { by, isThere, inWords }) =>
    isThere
      ? `The event was changed in the external calendar, so the appointment was moved from ${inWords(from)} to ${inWords(to)}.`
      : `${by} moved the appointment from ${inWords(from)} to ${inWords(to)}.`,
  moved_back: ({ to }, { by, inWords }) =>
    `${by} moved the appointment back to ${inWords(to)}, before anybody was emailed.`,
  cancelled: (_details, { by, isThere }) =>
    isThere
      ? 'The event was deleted in the external calendar, so the appointment was cancelled.'
      : `${by} cancelled the appointment.`,
  cancellation_requested: (_details, { by }) => `${by} asked to cancel the appointment.`,
  cancellation_approved: (_details, { by }) => `${by} approved the cancellation.`,
  cancellation_denied: (_details, { by }) => `${by} denied the cancellation, so the appointment is still on.`,
  confirmed: (_details, { by }) => `${by} confirmed the appointment.`,
  restored: (_details, { by }) => `${by} restored the appointment.`,
  marked_paid: (_details, { by }) => `${by} marked the appointment as paid.`,
  marked_pending: (_details, { by }) => `${by} marked the payment as pending.`,
  marked_failed: (_details, { by }) => `${by} marked the payment as failed.`,
  marked_not_required: (_details, { by }) => `${by} marked the payment as not required.`,
  refunded: (_details, { by }) => `${by} refunded the payment.`,
  no_show: (_details, { by }) => `${by} marked the customer as a no-show.`,
  no_show_undone: (_details, { by }) => `${by} removed the no-show mark.`,
  details_changed: ({ what }, { by }) => `${by} changed ${toList(what)}.`,
  customer_corrected: ({ what }, { by }) => `${by} corrected the customer’s ${toList(what)}.`,
  put_back: ({ wanted, reason, is_written }, { inWords }) => {
    const change =
      wanted === null
        ? 'The event in your external calendar was changed in a way we can’t apply to the appointment.'
        : `The event in your external calendar was moved to ${inWords(wanted)}.`
    const outcome = is_written
      ? 'We restored it'
      : 'We didn’t move the appointment, and the event stays as it is, because Auto Sync is off'
    return `${change} ${outcome}: ${reason}`
  },
  not_written: ({ reason }) =>
    `The appointment isn’t in your external calendar, because the provider rejected it: ${reason} We’ll try again when the appointment changes.`,
  kept: ({ is_written }, { by }) =>
    is_written
      ? `${by} kept the appointment, and we restored its event.`
      : `${by} kept the appointment. We didn’t restore its event, because Auto Sync is off.`,
}

/** Joins words into a list: `the notes`, `the title and the notes`, `the title, the notes and …`. */
function toList(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

/** Returns the text of a history entry for the owner. Times are in the appointment's zone. */
export function describeHistoryEntry(entry: StoredHistoryEntry): string {
  return isKind(entry.kind) ? describe(entry.kind, entry) : 'The appointment was changed.'
}

function describe<Kind extends HistoryKind>(
  kind: Kind,
  { causedBy, details, ...clock }: StoredHistoryEntry,
): string {
  const inWords = ({ starts_at, ends_at }: HistoryTime) =>
    formatAppointmentTime(describeAppointmentTime(starts_at, ends_at, clock))
  // This cast is safe: the schema of this kind guarantees the type.
  const known = DETAILS[kind].parse(details) as HistoryDetails[Kind]
  return SENTENCES[kind](known, {
    by: SUBJECT_OF[causedBy],
    isThere: causedBy === 'external_calendar',
    inWords,
  })
}

function isKind(kind: string): kind is HistoryKind {
  return kind in DETAILS
}
