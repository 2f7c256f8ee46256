import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type {
  CreateOwnAppointmentBody,
  CreateOwnAppointmentResponse,
} from '#contract/appointments/owner-booking.ts'
import { OVERRIDABLE_PROBLEMS } from '#contract/appointments/owner-booking-problems.ts'
import type { CreateSeriesBody, CreateSeriesResponse } from '#contract/appointments/series.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { localTimeOf } from '#core/shared/zoned-time.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { refreshOwnerFreeTimes } from '#web/kit/own-times.ts'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { deleteDraft, findDraft, storeDraft } from '#web/shared/draft.ts'
import { localDateOf, todayIn } from '#web/shared/format-date.ts'
import { useBookingRequest } from '#web/shared/use-booking-request.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  buildNewAppointmentFormSchema,
  emptyNewAppointmentForm,
  FORM_FIELD_BY_ERROR_PATH,
  isNewAppointmentFormEmpty,
  type NewAppointmentForm,
  toNewAppointmentBody,
  toNewSeriesBody,
  toRequestedTime,
} from './new-appointment-form.ts'
import { refreshAfterBooking, servicesQuery } from './owner-booking-queries.ts'
import { toRequestedSeries } from './series-form.ts'
import { useSeriesPlan } from './use-series-plan.ts'

/** Error codes with which the server asks the owner to confirm a time that customers are not offered. Source: rule O2. */
const QUESTIONS: ReadonlySet<ProblemCode | 'network'> = new Set(OVERRIDABLE_PROBLEMS)
/** Error codes that mean that the owner has to choose another time. */
const TIME_REFUSALS: ReadonlySet<ProblemCode | 'network'> = new Set([
  'booking.slot_unavailable',
  'booking.location_conflict',
  'booking.too_long_ago',
  'booking.too_far_ahead',
])

/** The server's refusal of a time. It is shown only while that time (`about`) is chosen. */
export type RefusedTime = { readonly about: string; readonly sentence: string; readonly isQuestion: boolean }

type NewAppointmentDraft = { calendarId: string; values: NewAppointmentForm }

type NewAppointmentInput = {
  calendars: readonly Calendar[]
  /** The date shown in the calendar view, which is the form's default date; null if there is none. */
  shownDate: string | null
  /** The start of the slot on which the owner has pressed, which is then the typed time; null for none. */
  pointedAt: string | null
  open: boolean
  onBooked: () => void
}

/** The state of the booking dialog, and its submission. The input is kept when the server refuses the booking. */
export function useNewAppointment({ calendars, shownDate, pointedAt, open, onBooked }: NewAppointmentInput) {
  const client = useQueryClient()
  const [draft] = useState(() => findNewAppointmentDraft(calendars))
  const [calendarId, setCalendarId] = useState(draft?.calendarId ?? '')
  // The cast is safe: the dialog can only be opened if there is at least one calendar.
  const calendar = calendars.find(({ id }) => id === calendarId) ?? (calendars[0] as Calendar)
  const { data: services } = useQuery(servicesQuery(calendar.id))
  const hasTypes = services !== undefined && services.length > 0
  const today = todayIn(calendar.timezone)
  const firstDate = shownDate !== null && shownDate > today ? shownDate : today
  const form = useForm<NewAppointmentForm>({
    resolver: (values, ...rest) =>
      schemaResolver<NewAppointmentForm, NewAppointmentForm>(
        buildNewAppointmentFormSchema({
          hasTypes,
          isTyped: values.isTyped,
          ends: values.repeats === '' ? null : values.ends,
        }),
      )(values, ...rest),
    // A draft of an earlier version has fewer fields.
    defaultValues: { ...emptyNewAppointmentForm(firstDate), ...draft?.values },
  })
  // Set the default date when the dialog opens, unless the owner has filled in the form before.
  useEffect(() => {
    if (open && isNewAppointmentFormEmpty(form.getValues())) form.setValue('date', firstDate)
  }, [open, firstDate, form])
  const { timezone } = calendar
  useEffect(() => {
    if (pointedAt === null) return
    form.setValue('date', localDateOf(pointedAt, timezone))
    form.setValue('time', localTimeOf(Date.parse(pointedAt), timezone).slice(0, 5))
    form.setValue('isTyped', true)
    form.setValue('startsAt', '')
  }, [pointedAt, timezone, form])
  const asked = toRequestedTime(form.watch(), hasTypes)
  const series = useSeriesPlan(calendar.id, toRequestedSeries(form.watch(), asked, timezone))
  const [answer, setAnswer] = useState<RefusedTime | null>(null)
  const book = useBookingRequest<CreateOwnAppointmentResponse>()
  const { mutateAsync } = useMutation({
    mutationFn: (body: CreateOwnAppointmentBody) =>
      book({ calendarId: calendar.id, body }, (headers) =>
        callApi(at.createOwnAppointment, { params: { id: calendar.id }, headers, body }),
      ),
  })
  const bookOnce = useBookingRequest<CreateSeriesResponse>()
  const { mutateAsync: bookSeries } = useMutation({
    mutationFn: (body: CreateSeriesBody) =>
      bookOnce({ calendarId: calendar.id, body }, (headers) =>
        callApi(at.createSeries, { params: { id: calendar.id }, headers, body }),
      ),
  })

  useEffect(() => {
    const [only, ...others] = services ?? []
    if (only !== undefined && others.length === 0) form.setValue('typeId', only.id)
  }, [services, form])

  /** Clears the form for the next booking. If there is only one service, chooses it. */
  const clear = () => {
    const [only, ...others] = services ?? []
    const typeId = only !== undefined && others.length === 0 ? only.id : ''
    deleteDraft(draftKey(calendars))
    form.reset({ ...emptyNewAppointmentForm(firstDate), typeId })
    setAnswer(null)
  }
  const refuse = async (problem: ApiProblem, values: NewAppointmentForm) => {
    if (problem.code === 'auth.required') storeDraft(draftKey(calendars), { calendarId: calendar.id, values })
    const about = JSON.stringify(asked)
    const isQuestion = QUESTIONS.has(problem.code)
    if (isQuestion || TIME_REFUSALS.has(problem.code)) {
      setAnswer({ about, sentence: problem.message, isQuestion })
      return refreshOwnerFreeTimes(client, calendar.id)
    }
    if (problem.code === 'booking.type_unknown' || problem.code === 'booking.service_required') {
      form.setError('typeId', { type: 'server', message: problem.message }, { shouldFocus: true })
      return client.invalidateQueries({ queryKey: servicesQuery(calendar.id).queryKey })
    }
    if (problem.code === 'series.dates_unavailable') {
      form.setError('root', { type: 'server', message: problem.message })
      return refreshOwnerFreeTimes(client, calendar.id)
    }
    const answers = problem.errors.flatMap(({ path }) => (isAnswerField(path) ? [path] : []))
    showProblem(withFormPaths(problem), form.setError, [...FIELDS, ...answers])
    const [first] = answers
    if (first !== undefined) document.querySelector<HTMLElement>(`[data-focus="${first}"]`)?.focus()
  }
  const submit = (anyway: boolean) =>
    form.handleSubmit(async (values) => {
      setAnswer(null)
      try {
        if (values.repeats === '') {
          showBookedToast(await mutateAsync(toNewAppointmentBody(values, { hasTypes, anyway })), 1)
        } else {
          if (series.asked === null || series.plan === undefined) return
          const body = toNewSeriesBody(values, { asked: series.asked, chosen: series.dates })
          const booked = await bookSeries(body)
          showBookedToast(booked, booked.appointments.length)
        }
      } catch (error) {
        return refuse(toProblem(error), values)
      }
      clear()
      onBooked()
      return refreshAfterBooking(client)
    })

  return {
    calendar,
    services,
    hasTypes,
    form,
    asked,
    /** The dates of a series; unused for a single appointment. */
    series,
    /** The server's refusal of the currently selected time; null if there is none. */
    answer: answer?.about === JSON.stringify(asked) ? answer : null,
    submit,
    clear,
    chooseCalendar: (id: string) => {
      setCalendarId(id)
      form.setValue('typeId', '')
      form.setValue('startsAt', '')
      form.setValue('answers', {})
    },
  }
}

const FIELDS = [
  'name',
  'email',
  'phone',
  'typeId',
  'duration',
  'date',
  'time',
  'count',
  'until',
  'notes',
] as const

function isAnswerField(path: string): path is `answers.${string}` {
  return path.startsWith('answers.')
}

/** Replaces the server's error paths with the names of the form's fields. */
function withFormPaths(problem: ApiProblem): ApiProblem {
  const errors = problem.errors.map(({ path, message }) => ({
    path: FORM_FIELD_BY_ERROR_PATH[path] ?? path,
    message,
  }))
  return new ApiProblem({ code: problem.code, status: problem.status, title: problem.message, errors })
}

type Booked = Pick<
  CreateOwnAppointmentResponse,
  'confirmation_email_queued' | 'confirmation_email_wanted' | 'warning'
>

function showBookedToast(booked: Booked, count: number): void {
  const { confirmation_email_queued: isQueued, confirmation_email_wanted: isWanted, warning } = booked
  const say = warning !== null || (isWanted && !isQueued) ? toast.warning : toast.success
  say(
    toSentence({ isWanted, isQueued, count }),
    warning === null ? {} : { details: [warning], durationMs: LONG_TOAST_MS },
  )
}

function toSentence({
  isWanted,
  isQueued,
  count,
}: {
  isWanted: boolean
  isQueued: boolean
  count: number
}): string {
  if (count > 1) {
    const booked = `${count} appointments booked`
    if (isQueued) return `${booked}. Confirmation email sent.`
    return isWanted ? `${booked}, but we couldn’t send the confirmation email` : booked
  }
  if (isQueued) return 'Appointment booked successfully! Confirmation email sent.'
  return isWanted
    ? 'Appointment booked but failed to send confirmation email'
    : 'Appointment booked successfully!'
}

/** Duration of toasts with several lines, in milliseconds. */
const LONG_TOAST_MS = 10_000

/** Finds the draft that was saved when the session expired before the booking was sent. */
export function findNewAppointmentDraft(calendars: readonly Calendar[]): NewAppointmentDraft | undefined {
  return findDraft(draftKey(calendars))
}

/** Returns the draft's storage key. A draft belongs to one calendar's page, or to the dashboard with all calendars. */
function draftKey(calendars: readonly Calendar[]): string {
  return `new-appointment:${calendars.map(({ id }) => id).join()}`
}
