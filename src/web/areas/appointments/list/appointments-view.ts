import type { AppointmentFilter } from '#contract/appointments/appointments.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { isDate } from '#core/shared/zoned-time.ts'

export type AppointmentsViewName = 'list' | 'day' | 'week'

/** The view that decides which appointments are shown. Stored in the URL, so that a reload and Back restore it. */
export type AppointmentsView = {
  readonly view: AppointmentsViewName
  readonly filter: AppointmentFilter
  readonly search: string
  /** The page of the list, starting at 1. */
  readonly page: number
  /** A date in the shown day or week; null for today. */
  readonly date: string | null
  /** The id of the appointment that is open beside the list or above it; null when none is open. */
  readonly appointment: string | null
}

/** The view as URL parameters. Default values are undefined. */
export type AppointmentsViewParams = { [Name in keyof AppointmentsView]: string | undefined }

export const DEFAULT_APPOINTMENTS_VIEW: AppointmentsView = {
  view: 'list',
  filter: 'upcoming',
  search: '',
  page: 1,
  date: null,
  appointment: null,
}

const FILTERS: readonly unknown[] = ['upcoming', 'past', 'all'] satisfies AppointmentFilter[]
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const VIEWS: readonly unknown[] = ['list', 'day', 'week'] satisfies AppointmentsViewName[]

/** Reads the view from URL parameters. Replaces invalid and missing values with the defaults. */
export function readAppointmentsView(params: Record<string, unknown>): AppointmentsView {
  return {
    view: isView(params.view) ? params.view : DEFAULT_APPOINTMENTS_VIEW.view,
    filter: isFilter(params.filter) ? params.filter : DEFAULT_APPOINTMENTS_VIEW.filter,
    search: typeof params.search === 'string' ? params.search.trim().slice(0, LIMITS.appointmentSearch) : '',
    page: /^[1-9]\d{0,5}$/.test(String(params.page)) ? Number(params.page) : 1,
    date: typeof params.date === 'string' && isDate(params.date) ? params.date : null,
    appointment:
      typeof params.appointment === 'string' && UUID.test(params.appointment) ? params.appointment : null,
  }
}

/**
 * Reads the view of the page about the owner's appointments, which begins with the week, or on a phone with the day. A search,
 * a filter or a page is one of the list. Source: rule W23.
 */
export function readWorkspaceView(params: Record<string, unknown>, isNarrow: boolean): AppointmentsView {
  const view = readAppointmentsView(params)
  if (isView(params.view) || view.search !== '' || params.filter !== undefined || view.page > 1) return view
  return { ...view, view: isNarrow ? 'day' : 'week' }
}

export function toAppointmentsViewParams(choice: AppointmentsView): AppointmentsViewParams {
  return {
    view: choice.view === DEFAULT_APPOINTMENTS_VIEW.view ? undefined : choice.view,
    filter: choice.filter === DEFAULT_APPOINTMENTS_VIEW.filter ? undefined : choice.filter,
    search: choice.search || undefined,
    page: choice.page === 1 ? undefined : String(choice.page),
    date: choice.date ?? undefined,
    appointment: choice.appointment ?? undefined,
  }
}

/** Like `toAppointmentsViewParams`, for the page about the owner's appointments, whose address always names the view. */
export function toWorkspaceViewParams(choice: AppointmentsView): AppointmentsViewParams {
  return { ...toAppointmentsViewParams(choice), view: choice.view }
}

function isView(name: unknown): name is AppointmentsViewName {
  return VIEWS.includes(name)
}

function isFilter(name: unknown): name is AppointmentFilter {
  return FILTERS.includes(name)
}
