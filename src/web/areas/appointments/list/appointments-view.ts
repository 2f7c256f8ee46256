import type { AppointmentFilter } from '#contract/appointments/appointments.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { isDate } from '#core/shared/zoned-time.ts'

export type AppointmentsViewName = 'list' | 'day' | 'week'

/** Which of a calendar's appointments are shown. It is in the address, so that a reload and the Back button keep it. */
export type AppointmentsView = {
  readonly view: AppointmentsViewName
  readonly filter: AppointmentFilter
  readonly search: string
  /** The page of the list, from 1. */
  readonly page: number
  /** The day shown, or one of the week's; null for today's. */
  readonly date: string | null
}

/** The view as parameters of an address; default values are undefined. */
export type AppointmentsViewParams = { [Name in keyof AppointmentsView]: string | undefined }

export const FIRST_CHOICE: AppointmentsView = {
  view: 'list',
  filter: 'upcoming',
  search: '',
  page: 1,
  date: null,
}

const FILTERS: readonly unknown[] = ['upcoming', 'past', 'all'] satisfies AppointmentFilter[]
const VIEWS: readonly unknown[] = ['list', 'day', 'week'] satisfies AppointmentsViewName[]

/** Reads the parameters of an address; a value that makes no sense counts as absent. */
export function readAppointmentsView(params: Record<string, unknown>): AppointmentsView {
  return {
    view: isView(params.view) ? params.view : FIRST_CHOICE.view,
    filter: isFilter(params.filter) ? params.filter : FIRST_CHOICE.filter,
    search: typeof params.search === 'string' ? params.search.trim().slice(0, LIMITS.appointmentSearch) : '',
    page: /^[1-9]\d{0,5}$/.test(String(params.page)) ? Number(params.page) : 1,
    date: typeof params.date === 'string' && isDate(params.date) ? params.date : null,
  }
}

/** Writes a view as parameters of an address. */
export function toAppointmentsViewParams(choice: AppointmentsView): AppointmentsViewParams {
  return {
    view: choice.view === FIRST_CHOICE.view ? undefined : choice.view,
    filter: choice.filter === FIRST_CHOICE.filter ? undefined : choice.filter,
    search: choice.search || undefined,
    page: choice.page === 1 ? undefined : String(choice.page),
    date: choice.date ?? undefined,
  }
}

function isView(name: unknown): name is AppointmentsViewName {
  return VIEWS.includes(name)
}

function isFilter(name: unknown): name is AppointmentFilter {
  return FILTERS.includes(name)
}
