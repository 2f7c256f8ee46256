import type { Dispatch, SetStateAction } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { HOLD_MS } from '#core/appointments/hold.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { toast } from '#web/ui/toast.tsx'
import { type BookingDraft, EMPTY_DRAFT } from './booking-draft.ts'
import type { KeptBooking } from './kept-booking.ts'
import { LEFT_FORM, PENDING_PAYMENT } from './storage-keys.ts'

type PendingPayment = {
  readonly appointment_id: string
  readonly slug: string
  /** When the customer left for the provider, in epoch milliseconds. */
  readonly timestamp: number
}
/** What happened to the time of a hold that was to be given back. */
export type RefundAmount = 'given_back' | 'gone' | 'kept'
type LeftForm = {
  readonly appointment_id: string
  /** The calendar of the form; null where an offer of the waiting list was accepted, and no form was left. */
  readonly slug: string | null
  readonly draft: BookingDraft
  /** The signed link of the customer's page. */
  readonly link: string
}

/** Remembers a hold and what was typed, before the customer leaves for the provider. */
export function rememberPayment(
  payment: PendingPayment,
  left: { readonly draft: BookingDraft; readonly link: string },
): void {
  const { appointment_id, slug } = payment
  write(() => localStorage, PENDING_PAYMENT, payment)
  write(() => sessionStorage, LEFT_FORM, { appointment_id, slug, ...left } satisfies LeftForm)
}

/** Remembers the link of the customer's page, before somebody leaves to pay for a time that was offered to them. */
export function rememberOffer(appointment_id: string, link: string): void {
  const left: LeftForm = { appointment_id, slug: null, draft: EMPTY_DRAFT, link }
  write(() => sessionStorage, LEFT_FORM, left)
}

/** Forgets the hold; `hold and draft` also forgets what was typed. */
export function forgetPayment(what: 'hold' | 'hold and draft'): void {
  write(() => localStorage, PENDING_PAYMENT, null)
  if (what === 'hold and draft') write(() => sessionStorage, LEFT_FORM, null)
}

/** What this tab knows of an appointment since before its customer left to pay, as far as its confirmation needs it. */
export function findLeft(appointmentId: string): KeptBooking | null {
  const left = read<LeftForm>(() => sessionStorage, LEFT_FORM)
  if (left === null || left.appointment_id !== appointmentId) return null
  return { email: left.draft.email.trim(), zone: left.draft.zone, link: left.link }
}

/**
 * Gives the time of an unpaid hold back. `kept` when it is being paid or was paid, `gone` when there is no such hold.
 * @throws ApiProblem when the request failed
 */
export async function giveBack(
  appointmentId: string,
  transactionId: string | null = null,
): Promise<RefundAmount> {
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

type LookAfter = {
  readonly slug: string
  /** The page has just been opened: its customer may have come back from the provider. */
  readonly isOpening: boolean
  readonly restore: Dispatch<SetStateAction<BookingDraft>>
}

/** What the booking page does about what is remembered. Source: rule B21. */
export async function lookAfter({ slug, isOpening, restore }: LookAfter): Promise<void> {
  if (isOpening) {
    const draft = await comeBack(slug)
    // Somebody who was faster than the server keeps what they have chosen since.
    if (draft !== null) restore((now) => (isPartOf(now, draft) ? { ...EMPTY_DRAFT, ...draft } : now))
  }
  const payment = readPayment()
  if (payment === null || Date.now() - payment.timestamp < HOLD_MS) return
  if ((await tryToGiveBack(payment.appointment_id)) !== null) forgetPayment('hold')
}

/** After Back, a browser fills some of the form by itself. */
function isPartOf(now: BookingDraft, draft: BookingDraft): boolean {
  // The keys of a draft are those of its type.
  const fields = Object.keys(EMPTY_DRAFT) as (keyof BookingDraft)[]
  return fields.every((field) => [EMPTY_DRAFT[field], draft[field]].includes(now[field]))
}

/**
 * Gives the time back at once when this tab has come back from the provider without a payment, and returns what was
 * typed. A payment that is made or under way leads to the page that says how it stands. Source: rule B21.
 */
export async function comeBack(slug: string): Promise<BookingDraft | null> {
  const left = read<LeftForm>(() => sessionStorage, LEFT_FORM)
  if (left === null || left.slug !== slug) return null
  write(() => sessionStorage, LEFT_FORM, null)
  if (readPayment()?.appointment_id !== left.appointment_id) {
    toast.info('Everything you entered is still here.')
    return left.draft
  }
  const outcome = await tryToGiveBack(left.appointment_id)
  if (outcome !== null) forgetPayment('hold')
  if (outcome === 'kept') {
    location.replace(paths.paymentSuccess(left.appointment_id))
    return null
  }
  if (outcome !== null) toast.info('Nothing was paid. Everything you entered is still here.')
  return left.draft
}

/** Changes the time in what was typed, so that the booking page opens with it. `timeZone` is the visitor's. */
export function chooseTimeInDraft(startsAt: string, timeZone: string): void {
  const left = read<LeftForm>(() => sessionStorage, LEFT_FORM)
  if (left === null) return
  const draft: BookingDraft = {
    ...left.draft,
    zone: 'visitor',
    date: localDateOf(startsAt, timeZone),
    startsAt,
  }
  write(() => sessionStorage, LEFT_FORM, { ...left, draft } satisfies LeftForm)
}

function readPayment(): PendingPayment | null {
  return read<PendingPayment>(() => localStorage, PENDING_PAYMENT)
}

/** Null when there was no answer: the next check repeats the question, and the server ends the hold by itself. */
function tryToGiveBack(appointmentId: string): Promise<RefundAmount | null> {
  return giveBack(appointmentId).catch(() => null)
}

/** What this module has written, or null. */
function read<T>(storage: () => Storage, key: string): T | null {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') as T | null // written by `write`, in this form
  } catch {
    return null
  }
}

function write(storage: () => Storage, key: string, value: object | null): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, JSON.stringify(value))
  } catch {
    // Storage is forbidden: the server ends the hold by itself.
  }
}
