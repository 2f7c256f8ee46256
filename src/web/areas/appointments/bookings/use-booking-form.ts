import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, type SetStateAction, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { BOOKING_PROBLEMS } from '#contract/appointments/booking-problems.ts'
import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import * as at from '#contract/operations/addresses.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { leadTo } from '#web/shared/lead-to.ts'
import { useBookingRequest } from '#web/shared/use-booking-request.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  type BookingDraft,
  DRAFT_FIELDS,
  type DraftErrors,
  EMPTY_DRAFT,
  errorsFromServer,
  findErrors,
  sentenceFor,
  toBookingBody,
  type ZoneChoice,
} from './booking-draft.ts'
import type { KeptBooking } from './kept-booking.ts'
import { readKeptDraft, useKeptDraft } from './kept-draft.ts'
import type { SendBooking } from './send-booking.ts'
import { timesKey } from './times-queries.ts'
import { readTypedEarly, withTyped } from './typed-early.ts'
import { useFormSigns } from './use-form-signs.ts'
import { usePendingPayment } from './use-pending-payment.ts'

export type Booked = KeptBooking & { appointment: CreateBookingResponse }

type Submission = {
  /** What is shown and the draft alone does not tell. */
  readonly typeId: string | null
  readonly title: string | null
  readonly policyText: string
  /** The clock that the times are shown on. */
  readonly zone: ZoneChoice
  readonly send?: SendBooking | undefined
}

type BookingFormInput = {
  slug: string
  hasTypes: boolean
  visitorZone: string
  form: RefObject<HTMLFormElement | null>
  onBooked: (booked: Booked) => Promise<void>
}

/** The state of the booking form, and sending it. Typed text survives every refusal. Source: rule B16. */
export function useBookingForm({ slug, hasTypes, visitorZone, form, onBooked }: BookingFormInput) {
  const client = useQueryClient()
  const requestBooking = useBookingRequest<CreateBookingResponse>()
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [errors, setErrors] = useState<DraftErrors>({})
  const [goneAt, setGoneAt] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  /** The type was pressed before the page's script ran. */
  const [isChosenEarly, setIsChosenEarly] = useState(false)
  const sending = useRef(false)
  // There was no answer: the time may be gone because it is already ours. Only the same request again can tell.
  const isOpen = useRef(false)
  const signs = useFormSigns()
  const restore = useCallback(
    (restored: SetStateAction<BookingDraft>) => {
      signs.ignoreTime()
      setDraft(restored)
    },
    [signs],
  )
  usePendingPayment(slug, restore)
  useKeptDraft({ draft, isSending: pending, isUnanswered: isOpen })
  // Before anything is drawn again, because that would put the empty draft into the fields.
  useLayoutEffect(() => {
    if (form.current === null) return
    const kept = readKeptDraft()
    // An earlier version of the page may have kept fewer fields.
    if (kept) restore({ ...EMPTY_DRAFT, ...kept })
    const typed = readTypedEarly(form.current)
    if (Object.keys(typed).length > 0) setDraft((now) => withTyped(now, typed))
    // What a browser puts back by itself has no focus.
    setIsChosenEarly(typed.typeId !== undefined && document.activeElement?.matches(':checked') === true)
  }, [form, restore])

  /** Changes the draft; the marks of the fields that were touched go away, and what was said of them below. */
  const change = (next: BookingDraft, touched: readonly (keyof DraftErrors)[]) => {
    setDraft(next)
    const left = { ...errors }
    for (const field of touched) {
      if (left[field]) setFailure(null)
      delete left[field]
    }
    setErrors(left)
    if (!touched.includes('time')) return
    setGoneAt(null)
    isOpen.current = false
  }

  const loseTime = useCallback((startsAt: string) => {
    if (sending.current || isOpen.current) return
    setDraft((now) => (now.startsAt === startsAt ? { ...now, startsAt: null } : now))
    setGoneAt(startsAt)
  }, [])

  const bookAtOnce: SendBooking = (body) =>
    requestBooking(body, (headers) => callApi(at.createAppointment, { params: { slug }, headers, body }))

  const showErrors = (found: DraftErrors) => {
    // The mark must be there before the focus is, or a screen reader does not read it.
    flushSync(() => setErrors(found))
    focusFirst(form.current, found)
  }

  /** Shows why a booking was refused, where the visitor can do something about it. */
  const handleRefusal = async (problem: ApiProblem, startsAt: string) => {
    toast.error(problem.message)
    if (problem.code === 'booking.looks_automatic') signs.clear()
    isOpen.current = problem.status === 0 || problem.status >= 500
    if (/slot_unavailable|location_conflict/.test(problem.code)) {
      setDraft((now) => ({ ...now, startsAt: null }))
      setGoneAt(startsAt)
      await client.invalidateQueries({ queryKey: timesKey(slug) })
      // To the top, or the toast would cover the remaining times.
      leadTo(document.getElementById('times'))
      return
    }
    setFailure(problem.message)
    // What is offered, on which conditions, or how it is paid, has changed meanwhile.
    if (/type_unknown|policy_changed|payment/.test(problem.code))
      await client.invalidateQueries({ queryKey: ['booking-page', slug] })
    const found = errorsFromServer(problem.errors)
    if (Object.keys(found).length > 0) showErrors(found)
  }

  const submit = async ({ typeId, title, policyText, zone, send = bookAtOnce }: Submission) => {
    if (sending.current) return
    const found = findErrors({ ...draft, typeId }, hasTypes)
    setFailure(null)
    if (draft.startsAt === null || Object.keys(found).length > 0) {
      toast.error(sentenceFor(found))
      showErrors(found)
      return
    }
    const { startsAt } = draft
    sending.current = true
    setPending(true)
    try {
      const body = toBookingBody({ ...draft, typeId, startsAt }, { title, policyText, visitorZone })
      const appointment = await send({ ...body, ...signs.read(isOpen.current) }, draft)
      if (appointment) await onBooked(toBooked(appointment, { ...draft, typeId, zone }))
    } catch (error) {
      if (!(error instanceof ApiProblem)) {
        setFailure(BOOKING_PROBLEMS['server.unexpected'].title)
        throw error
      }
      await handleRefusal(error, startsAt)
    } finally {
      sending.current = false
      setPending(false)
    }
  }

  const { hiddenField } = signs
  return { draft, errors, goneAt, failure, pending, isChosenEarly, hiddenField, change, loseTime, submit }
}

/** Keeps the form only for a booking that waits for a code: its customer can still correct it. Source: rule B32. */
function toBooked(
  appointment: CreateBookingResponse,
  draft: BookingDraft & { readonly zone: ZoneChoice },
): Booked {
  const form = appointment.confirm_email_until ? { path: location.pathname, draft } : null
  return { appointment, email: draft.email.trim(), zone: draft.zone, link: appointment.manage_token, form }
}

/** Moves the focus to the first field that is wrong, in the order of the page. Source: rule B1. */
function focusFirst(form: HTMLFormElement | null, errors: DraftErrors): void {
  const first = DRAFT_FIELDS.find((field) => errors[field] !== undefined)
  form?.querySelector<HTMLElement>(`[data-focus="${first}"]`)?.focus()
}
