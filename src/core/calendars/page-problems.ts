import type { OpeningHours } from '#core/availability/opening-times.ts'
import type { SpecialDays } from '#core/availability/special-days.ts'
import type { TypeHours } from '#core/availability/type-hours.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { type ApplyingLimit, isTooSmall, NO_LIMITS } from '#core/slots/booking-limits.ts'
import { type BookableDates, toBookableTime } from '#core/slots/booking-window.ts'
import type { OwnersWork } from '#core/slots/occupied-time.ts'
import { listOpenSlots } from '#core/slots/open-slots.ts'
import type { SlotRules } from '#core/slots/slot-rules.ts'

/** The problems that keep customers from booking on a page. Source: rule C20. */
export const PAGE_PROBLEM_KINDS = [
  'no_hours',
  'taken_elsewhere',
  'nothing_offered',
  'type_never_fits',
  'type_hours_never_meet',
  'no_payment_account',
  // A date of a standing appointment could not be booked. Found when the date is booked, not by the check. Source: rule B44.
  'standing_date_missed',
  'window_ended',
  'type_window_ended',
  'limit_too_small',
  'type_exceeds_limit',
  'type_limit_too_small',
] as const
export type PageProblemKind = (typeof PAGE_PROBLEM_KINDS)[number]

/** `typeId` is the appointment type that has the problem; null for the whole page. */
export type PageProblem = { readonly kind: PageProblemKind; readonly typeId: string | null }

/** A page should offer a time within this many days of the first start that customers can book. */
const CHECKED_DAYS = 7

/** The check needs the special days and taken times of this many days, because a minimum notice can be 30 days. */
export const LOADED_DAYS = 62

export type CheckedType = OwnersWork &
  TypeHours & {
    /** Null for the appointment of a calendar without types. */
    readonly id: string | null
    readonly durationMinutes: number
    /** True when it must be paid for, but the calendar has no payment account. Source: rule B6. */
    readonly lacksProvider: boolean
    /** The dates of its booking window, and whether that is its own. Source: rule T69. */
    readonly bookable: BookableDates
    readonly hasOwnWindow: boolean
    /** Those of its calendar and its own. */
    readonly limits: readonly ApplyingLimit[]
  }

/** A booking page with its special days and taken times of the next `LOADED_DAYS` days. */
export type CheckedPage = OpeningHours & {
  readonly timeZone: string
  readonly rules: Omit<SlotRules, 'window'>
  readonly types: readonly CheckedType[]
  /** All times that are taken, as customers find them. */
  readonly busy: readonly Interval[]
  /** Those that the calendar's own appointments take. */
  readonly ownBusy: readonly Interval[]
  readonly nowMs: number
}

/**
 * Finds the problems of a page. A page whose times are all booked has none, and neither has a page whose owner closed the
 * days. Source: rule C20.
 */
export function findPageProblems(page: CheckedPage): PageProblem[] {
  const { openings, types } = page
  const fitting = types.filter((type) => openings.length === 0 || fitsIn(page, type))
  const ended = fitting.filter((type) => hasEnded(page, type))
  const kind = ended.some(({ hasOwnWindow }) => !hasOwnWindow)
    ? 'window_ended'
    : findProblemOfWholePage(
        page,
        fitting.filter((type) => !ended.includes(type)),
      )
  const unfit = types.filter((type) => !fitting.includes(type))
  const neverMeeting = unfit.filter((type) => fitsIn(page, { ...type, typeOpenings: [] }))
  const exceeding = types.filter((type) => exceedsLimit(type, { isOwn: false }))
  return [
    ...(kind === null ? [] : [{ kind, typeId: null }]),
    ...toProblems(
      'type_never_fits',
      unfit.filter((type) => !neverMeeting.includes(type)),
    ),
    ...toProblems('type_hours_never_meet', neverMeeting),
    ...toProblems(
      'type_window_ended',
      ended.filter(({ hasOwnWindow }) => hasOwnWindow),
    ),
    ...(exceeding.length === types.length
      ? [{ kind: 'limit_too_small' as const, typeId: null }]
      : toProblems('type_exceeds_limit', exceeding)),
    ...toProblems(
      'type_limit_too_small',
      types.filter((type) => exceedsLimit(type, { isOwn: true })),
    ),
    ...toProblems(
      'no_payment_account',
      types.filter(({ lacksProvider }) => lacksProvider),
    ),
  ]
}

function findProblemOfWholePage(page: CheckedPage, types: readonly CheckedType[]): PageProblemKind | null {
  const isOffered = (otherwise: Partial<CheckedPage> = {}) =>
    types.some((type) => offersTimes({ ...page, ...otherwise }, type))
  if (page.openings.length === 0) return page.specialDays.some(isOpen) ? null : 'no_hours'
  if (types.length === 0 || isOffered()) return null
  if (isOffered({ busy: page.ownBusy })) return 'taken_elsewhere'
  const isFullyBooked = isOffered({ busy: [] })
  const isClosedByOwner = isOffered({ busy: [], specialDays: [] })
  return isFullyBooked || isClosedByOwner ? null : 'nothing_offered'
}

function hasEnded({ nowMs, timeZone }: CheckedPage, { bookable }: CheckedType): boolean {
  return toBookableTime(bookable, timeZone).endMs <= nowMs
}

/** True when the type is longer than a limit of its own, or of its calendar, ever allows. Source: rule C20. */
function exceedsLimit(
  { limits, durationMinutes }: CheckedType,
  { isOwn }: { readonly isOwn: boolean },
): boolean {
  return limits.some((limit) => limit.is_of_type === isOwn && isTooSmall(limit, durationMinutes))
}

function isOpen({ hours }: SpecialDays): boolean {
  return hours.some(({ startSeconds, endSeconds }) => startSeconds < endSeconds)
}

/** True when the weekly hours are long enough for the type. */
function fitsIn(page: CheckedPage, type: CheckedType): boolean {
  return hasStarts({ ...page, busy: [], specialDays: [] }, type, null)
}

function offersTimes(page: CheckedPage, type: CheckedType): boolean {
  return hasStarts(page, type, page.nowMs)
}

function hasStarts(page: CheckedPage, type: CheckedType, nowMs: number | null): boolean {
  const firstMs = Math.max(
    page.nowMs + page.rules.noticeMinutes * MINUTE_MS,
    toBookableTime(type.bookable, page.timeZone).startMs,
  )
  return listOpenSlots({
    ...page,
    ...type,
    nowMs,
    firstDate: localDateOf(firstMs, page.timeZone),
    // The first day may be partly over.
    dayCount: CHECKED_DAYS + 1,
    locationBusy: [],
    // A page that is full by its limits has no problem.
    ...NO_LIMITS,
  }).some(({ startsMs }) => startsMs.length > 0)
}

/** A calendar without types has its problem in `findProblemOfWholePage`. */
function toProblems(kind: PageProblemKind, types: readonly CheckedType[]): PageProblem[] {
  return types.flatMap(({ id }) => (id === null ? [] : [{ kind, typeId: id }]))
}
