import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, type SetStateAction, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { BOOKING_PROBLEMS } from '#contract/appointments/booking-problems.ts'
import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import * as at from '#contract/operations/addresses.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { focusAndScrollTo } from '#web/shared/focus-and-scroll-to.ts'
import { useBookingRequest } from '#web/shared/use-booking-request.ts'
import type { SendBooking } from './booking-draft.ts'
import {
  type BookingDraft,
  type DraftErrors,
  type DraftField,
  EMPTY_DRAFT,
  findDraftErrors,
  formErrorMessage,
  toBookingBody,
  toDraftErrors,
  type ZoneKind,
} from './booking-draft.ts'
import { mergeInputIntoDraft, readInputBeforeHydration } from './input-before-hydration.ts'
import type { SavedBooking } from './saved-booking.ts'
import { readSavedDraft, useSavedDraft } from './saved-draft.ts'
import { availableTimesKey } from './times-queries.ts'
import { usePendingPayment } from './use-pending-payment.ts'
import { useSpamSignals } from './use-spam-signals.ts'

export type Booked = SavedBooking & { appointment: CreateBookingResponse }

type Submission = {
  /** The type and title shown on screen. The draft may lack both, because the page fills in defaults. */
  readonly typeId: string | null
  readonly title: string | null
  readonly policyText: string
  /** The time zone in which times are shown. */
  readonly zone: ZoneKind
  readonly send?: SendBooking | undefined
}

/** A chosen time that is no longer free, and the server's reason if it says more than that. */
export type GoneTime = { readonly startsAt: string; readonly reason: string | null }

type BookingFormInput = {
  slug: string
  hasTypes: boolean
  visitorZone: string
  form: RefObject<HTMLFormElement | null>
  onBooked: (booked: Booked) => Promise<void>
}

/** The state of the booking form, and its submission. The input is kept when the server refuses the booking. Source: rule B16. */
export function useBookingForm({ slug, hasTypes, visitorZone, form, onBooked }: BookingFormInput) {
  const client = useQueryClient()
  const requestBooking = useBookingRequest<CreateBookingResponse>()
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [errors, setErrors] = useState<DraftErrors>({})
  const [goneAt, setGoneAt] = useState<GoneTime | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  /** True if the customer chose the type before hydration. */
  const [isChosenEarly, setIsChosenEarly] = useState(false)
  const sending = useRef(false)
  // True if a request got no response. If the time is taken now, our own booking may have succeeded. Only sending the
  // identical request again can tell.
  const isOpen = useRef(false)
  const signs = useSpamSignals()
  const restore = useCallback(
    (restored: SetStateAction<BookingDraft>) => {
      signs.ignoreTime()
      setDraft(restored)
    },
    [signs],
  )
  usePendingPayment(slug, restore)
  useSavedDraft({ draft, isSending: pending, isUnanswered: isOpen })
  // Restore the input in a layout effect, before another render puts the empty draft into the fields.
  useLayoutEffect(() => {
    if (form.current === null) return
    const kept = readSavedDraft()
    // Fill in missing fields, because an earlier version of the page may have saved fewer of them.
    if (kept) restore({ ...EMPTY_DRAFT, ...kept })
    const typed = readInputBeforeHydration(form.current)
    if (Object.keys(typed).length > 0) setDraft((now) => mergeInputIntoDraft(now, typed))
    // The customer has chosen the type only if its radio button has focus. A selection that the browser restored does not
    // have focus.
    setIsChosenEarly(typed.typeId !== undefined && document.activeElement?.matches(':checked') === true)
  }, [form, restore])

  /** Changes the draft, and clears the errors of the touched fields. */
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
    setGoneAt({ startsAt, reason: null })
  }, [])

  const bookAtOnce: SendBooking = (body) =>
    requestBooking(body, (headers) => callApi(at.createAppointment, { params: { slug }, headers, body }))

  /** Shows errors at their fields, and what concerns the whole form above the button, unless a field says it already. */
  const showErrors = (found: DraftErrors, message: string) => {
    // Render the error before focusing the field, because otherwise screen readers do not announce it.
    flushSync(() => {
      setErrors(found)
      setFailure(Object.values(found).includes(message) ? null : message)
    })
    focusFirst(form.current, found)
  }

  /** Shows why the server has refused a booking, next to the fields that the visitor can correct. */
  const handleRefusal = async (problem: ApiProblem, startsAt: string) => {
    if (problem.code === 'booking.looks_automatic') signs.clear()
    isOpen.current = problem.status === 0 || problem.status >= 500
    if (/slot_unavailable|location_conflict|fully_booked/.test(problem.code)) {
      setDraft((now) => ({ ...now, startsAt: null }))
      const reason = problem.code === 'booking.slot_unavailable' ? null : problem.message
      setGoneAt({ startsAt, reason })
      await client.invalidateQueries({ queryKey: availableTimesKey(slug) })
      focusAndScrollTo(document.getElementById('times'))
      return
    }
    setFailure(problem.message)
    // These errors mean that the services, the policy, the questions, the payment settings or the free dates have changed: refetch them.
    if (/type_unknown|policy_changed|payment|answer|series/.test(problem.code))
      await client.invalidateQueries({ queryKey: ['booking-page', slug] })
    showErrors(toDraftErrors(problem.errors), problem.message)
  }

  const submit = async ({ typeId, title, policyText, zone, send = bookAtOnce }: Submission) => {
    if (sending.current) return
    const chosen = { ...draft, typeId }
    const found = findDraftErrors(chosen, hasTypes)
    setFailure(null)
    if (draft.startsAt === null || Object.keys(found).length > 0) {
      showErrors(found, formErrorMessage(found))
      return
    }
    const { startsAt } = draft
    sending.current = true
    setPending(true)
    try {
      const body = toBookingBody({ ...chosen, startsAt }, { title, policyText, visitorZone })
      const appointment = await send({ ...body, ...signs.read(isOpen.current) }, chosen)
      if (appointment) await onBooked(toBooked(appointment, { ...chosen, zone }))
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

/** Includes the form only if the booking awaits an email code, so that the customer can correct the form. Source: rule B32. */
function toBooked(
  appointment: CreateBookingResponse,
  draft: BookingDraft & { readonly zone: ZoneKind },
): Booked {
  const form = appointment.confirm_email_until ? { path: location.pathname + location.search, draft } : null
  return {
    appointment,
    email: draft.email.trim(),
    zone: draft.zone,
    link: appointment.manage_token,
    further: appointment.further_dates,
    form,
  }
}

/** Focuses the first field with an error, in page order. Source: rule B1. */
function focusFirst(form: HTMLFormElement | null, errors: DraftErrors): void {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[data-focus]') ?? [])]
  fields.find((field) => errors[field.dataset.focus as DraftField])?.focus()
}
