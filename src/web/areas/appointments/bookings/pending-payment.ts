import type { Dispatch, SetStateAction } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { typeUrlOf } from '#core/addresses/public-url.ts'
import { HOLD_MS } from '#core/appointments/hold.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { toast } from '#web/ui/toast.tsx'
import { type BookingDraft, EMPTY_DRAFT } from './booking-draft.ts'
import type { SavedBooking } from './saved-booking.ts'
import { DRAFT_BEFORE_PAYMENT_KEY, PENDING_PAYMENT_KEY } from './storage-keys.ts'

type PendingPayment = {
  readonly appointment_id: string
  readonly slug: string
  /** The time at which the customer left for the payment provider, in epoch milliseconds. */
  readonly timestamp: number
}
/** The result of releasing a hold. `kept`: its payment is in progress or completed. `gone`: the hold does not exist. */
export type ReleaseOutcome = 'given_back' | 'gone' | 'kept'
/** The form that this tab saves while the customer is on the payment provider's page. */
type LeftForm = {
  readonly appointment_id: string
  /** The slug of the form's calendar; null for an accepted waiting-list offer, which has no form. */
  readonly slug: string | null
  readonly draft: BookingDraft
  /** The signed link's token, which identifies the customer's page. */
  readonly link: string
}

/** Saves a hold and its draft before the customer leaves for the payment provider. */
export function savePendingPayment(
  payment: PendingPayment,
  left: { readonly draft: BookingDraft; readonly link: string },
): void {
  const { appointment_id, slug } = payment
  write(() => localStorage, PENDING_PAYMENT_KEY, payment)
  write(() => sessionStorage, DRAFT_BEFORE_PAYMENT_KEY, { appointment_id, slug, ...left } satisfies LeftForm)
}

/** Saves the token of the customer's page before the customer leaves to pay for an accepted waiting-list offer. */
export function saveOfferLink(appointment_id: string, link: string): void {
  const left: LeftForm = { appointment_id, slug: null, draft: EMPTY_DRAFT, link }
  write(() => sessionStorage, DRAFT_BEFORE_PAYMENT_KEY, left)
}

/** Deletes the saved hold, or the hold and its draft. */
export function deletePendingPayment(what: 'hold' | 'hold and draft'): void {
  write(() => localStorage, PENDING_PAYMENT_KEY, null)
  if (what === 'hold and draft') write(() => sessionStorage, DRAFT_BEFORE_PAYMENT_KEY, null)
}

/** Finds the booking details that this tab saved before the customer left to pay. The confirmation shows them. */
export function findSavedBeforePayment(appointmentId: string): SavedBooking | null {
  const left = read<LeftForm>(() => sessionStorage, DRAFT_BEFORE_PAYMENT_KEY)
  if (left === null || left.appointment_id !== appointmentId) return null
  return { email: left.draft.email.trim(), zone: left.draft.zone, link: left.link }
}

/** Releases an unpaid hold. @throws ApiProblem when the request fails */
export async function releaseHold(
  appointmentId: string,
  transactionId: string | null = null,
): Promise<ReleaseOutcome> {
  try {
    await callApi(at.deletePendingAppointment, {
      params: { id: appointmentId },
      query: { transaction_id: transactionId },
    })
    return 'given_back'
  } catch (error) {
    const status = error instanceof ApiProblem && error.status
    if (status === 404) return 'gone'
    if (status === 409) return 'kept'
    throw error
  }
}

type RememberedHoldInput = {
  readonly slug: string
  /** True if the page has just been opened, in which case the customer may have returned from the provider. */
  readonly isOpening: boolean
  readonly restore: Dispatch<SetStateAction<BookingDraft>>
}

/** Restores the draft, and releases a saved hold that has not been paid. Source: rule B21. */
export async function handleSavedHold({ slug, isOpening, restore }: RememberedHoldInput): Promise<void> {
  if (isOpening) {
    const draft = await restoreAfterProviderReturn(slug)
    // If the customer has typed something else in the meantime, keep that input.
    if (draft !== null) restore((now) => (isPartOf(now, draft) ? { ...EMPTY_DRAFT, ...draft } : now))
  }
  const payment = readPayment()
  if (payment === null || Date.now() - payment.timestamp < HOLD_MS) return
  if ((await tryToReleaseHold(payment.appointment_id)) !== null) deletePendingPayment('hold')
}

/** True if each field is empty or the same as in the draft. After Back, browsers restore some of the fields themselves. */
function isPartOf(now: BookingDraft, draft: BookingDraft): boolean {
  // The cast is safe: `EMPTY_DRAFT` has exactly the keys of its type.
  const fields = Object.keys(EMPTY_DRAFT) as (keyof BookingDraft)[]
  return fields.every((field) => [EMPTY_DRAFT[field], draft[field]].includes(now[field]))
}

/**
 * Called when this tab has returned from the provider. Releases the unpaid hold and returns the draft. If the payment is
 * completed or in progress, opens the payment page and returns null. Source: rule B21.
 */
export async function restoreAfterProviderReturn(slug: string): Promise<BookingDraft | null> {
  const left = read<LeftForm>(() => sessionStorage, DRAFT_BEFORE_PAYMENT_KEY)
  if (left === null || left.slug !== slug) return null
  write(() => sessionStorage, DRAFT_BEFORE_PAYMENT_KEY, null)
  if (readPayment()?.appointment_id !== left.appointment_id) {
    toast.info('Everything you entered is still here.')
    return left.draft
  }
  const outcome = await tryToReleaseHold(left.appointment_id)
  if (outcome !== null) deletePendingPayment('hold')
  if (outcome === 'kept') {
    location.replace(paths.paymentSuccess(left.appointment_id))
    return null
  }
  if (outcome !== null) toast.info('You weren’t charged. Everything you entered is still here.')
  return left.draft
}

/** Returns the path of the booking page that this tab left in order to pay, with its appointment type. Source: rule T66. */
export function bookingPathBeforePayment(slug: string): string {
  const left = read<LeftForm>(() => sessionStorage, DRAFT_BEFORE_PAYMENT_KEY)
  return typeUrlOf(paths.book(slug), left?.slug === slug ? left.draft.typeId : null)
}

/** Sets the time in the saved draft, so that the booking page opens with this time. `timeZone` is the visitor's zone. */
export function setTimeInSavedDraft(startsAt: string, timeZone: string): void {
  const left = read<LeftForm>(() => sessionStorage, DRAFT_BEFORE_PAYMENT_KEY)
  if (left === null) return
  const draft: BookingDraft = {
    ...left.draft,
    zone: 'visitor',
    date: localDateOf(startsAt, timeZone),
    startsAt,
  }
  write(() => sessionStorage, DRAFT_BEFORE_PAYMENT_KEY, { ...left, draft } satisfies LeftForm)
}

function readPayment(): PendingPayment | null {
  return read<PendingPayment>(() => localStorage, PENDING_PAYMENT_KEY)
}

/** Returns null if the request fails. The next check tries again, and the server releases expired holds anyway. */
function tryToReleaseHold(appointmentId: string): Promise<ReleaseOutcome | null> {
  return releaseHold(appointmentId).catch(() => null)
}

/** Reads a value stored by `write`; null if there is none. */
function read<T>(storage: () => Storage, key: string): T | null {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') as T | null // safe: `write` stored it
  } catch {
    return null
  }
}

function write(storage: () => Storage, key: string, value: object | null): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, JSON.stringify(value))
  } catch {
    // Storage is blocked. The server releases expired holds anyway.
  }
}
