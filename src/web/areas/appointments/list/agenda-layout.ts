import type { AgendaDay, AppointmentRow } from '#contract/appointments/appointments.ts'
import type { ExternalEvents } from '#contract/external-calendars/external-calendars.ts'

/** An event of one of the owner's own calendars. */
export type ExternalEvent = ExternalEvents['events'][number]

/** What takes time on a day. */
export type AgendaThing = AppointmentRow | ExternalEvent

/**
 * Minutes from noon, negative in the morning: noon is at one height on every day, however long the day is.
 * Source: rule V7.
 */
export type FromNoon = number

export type GridWindow = { readonly from: FromNoon; readonly until: FromNoon }

/** An appointment or an event, or the part of it that lies on one day, in its place of the grid. */
export type GridBlock<Thing = AgendaThing> = {
  readonly of: Thing
  readonly from: FromNoon
  readonly until: FromNoon
  /** Which of `lanes` side by side, of those that overlap: cancelled appointments, or events of other calendars. */
  readonly lane: number
  readonly lanes: number
  /** It began on the day before, or goes on to the next. */
  readonly isContinued: boolean
}

const HOUR = 60
/** The hours of a grid without opening hours and appointments: 9 to 17 o'clock. */
const USUAL: GridWindow = { from: -3 * HOUR, until: 5 * HOUR }
/** A grid never shows less, so that one short appointment does not fill a day. */
const SHOWN_MIN = 8 * HOUR
const MIDNIGHT = 12 * HOUR
/** Heights in pixels. The shortest appointment has room for a line of text; an hour never fills the screen. */
const LINE_PX = 26
const HOUR_PX_MIN = 72
const HOUR_PX_MAX = 312
/** An event of five minutes may have no room for its words: it is not worth a day that is four times as high. */
const EXTERNAL_MIN = 15

/** Tells an event of the owner's own calendars from an appointment. */
export function isExternal(thing: AgendaThing): thing is ExternalEvent {
  return 'external_calendar_id' in thing
}

/** Tells events of a day apart. The copy of a provider's event has no id of its own here. */
export function keyOf({ external_calendar_id, starts_at, ends_at, title }: ExternalEvent): string {
  return [external_calendar_id, starts_at, ends_at, title].join(' ')
}

/** The events that take the whole of a day, whatever its clocks do: they have a row of their own above the hours. */
export function listWholeDay(day: AgendaDay, events: readonly ExternalEvent[]): ExternalEvent[] {
  return events.filter((event) => isWholeDay(day, event))
}

/** The things of a day that have a place among its hours. */
export function listWithinDay(
  day: AgendaDay,
  appointments: readonly AppointmentRow[],
  events: readonly ExternalEvent[],
): AgendaThing[] {
  return [...appointments, ...events.filter((event) => !isWholeDay(day, event))]
}

function isWholeDay(day: AgendaDay, { starts_at, ends_at }: ExternalEvent): boolean {
  return Date.parse(starts_at) <= Date.parse(day.starts_at) && Date.parse(ends_at) >= Date.parse(day.ends_at)
}

/** Computes the positions of everything that touches a day. Times that overlap are side by side. */
export function placeBlocks<Thing extends AgendaThing>(
  day: AgendaDay,
  things: readonly Thing[],
): GridBlock<Thing>[] {
  const [startMs, endMs] = [Date.parse(day.starts_at), Date.parse(day.ends_at)]
  const touching = things
    .map((of) => ({ of, fromMs: Date.parse(of.starts_at), untilMs: Date.parse(of.ends_at) }))
    .filter(({ fromMs, untilMs }) => fromMs < endMs && untilMs > startMs)
    .map((each) => ({
      of: each.of,
      from: fromNoon(day, Math.max(each.fromMs, startMs)),
      until: fromNoon(day, Math.min(each.untilMs, endMs)),
      isContinued: each.fromMs < startMs || each.untilMs > endMs,
    }))
    .sort((a, b) => a.from - b.from || b.until - a.until)
  return shareLanes(touching)
}

/** Elapsed minutes from the day's noon to an instant. */
export function fromNoon(day: Pick<AgendaDay, 'noon_at'>, epochMs: number): FromNoon {
  return (epochMs - Date.parse(day.noon_at)) / 60_000
}

/** The hours that a grid shows: all openings and appointments, in whole hours, and at least eight. */
export function windowOf(days: readonly AgendaDay[], blocks: readonly GridBlock[]): GridWindow {
  const stretches = [
    ...days.flatMap((day) =>
      day.openings.map((opening) => ({
        from: fromNoon(day, Date.parse(opening.starts_at)),
        until: fromNoon(day, Date.parse(opening.ends_at)),
      })),
    ),
    ...blocks,
  ]
  if (stretches.length === 0) return USUAL
  const from = Math.floor(Math.min(...stretches.map((stretch) => stretch.from)) / HOUR) * HOUR
  const end = Math.ceil(Math.max(...stretches.map((stretch) => stretch.until)) / HOUR) * HOUR
  const until = Math.max(end, Math.min(from + SHOWN_MIN, MIDNIGHT))
  return { from: Math.min(from, until - SHOWN_MIN), until }
}

/** How high an hour is drawn, so that the shortest appointment is readable. */
export function hourHeightPx(blocks: readonly GridBlock[]): number {
  const lengths = blocks.map(({ of, from, until }) =>
    isExternal(of) ? Math.max(until - from, EXTERNAL_MIN) : until - from,
  )
  const shortest = Math.min(HOUR, ...lengths)
  return Math.min(HOUR_PX_MAX, Math.max(HOUR_PX_MIN, Math.round((LINE_PX * HOUR) / Math.max(1, shortest))))
}

/** The full hours of a window, first and last included. */
export function listHours({ from, until }: GridWindow): FromNoon[] {
  return Array.from({ length: Math.floor((until - from) / HOUR) + 1 }, (_, i) => from + i * HOUR)
}

/** The hour, 0 to 23, that the clock reads on a day without a change. */
export function hourOfDay(hour: FromNoon): number {
  return (((12 + hour / HOUR) % 24) + 24) % 24
}

type Unplaced<Thing> = Omit<GridBlock<Thing>, 'lane' | 'lanes'>

/** Each takes the first free lane; overlapping ones share the width equally. */
function shareLanes<Thing>(blocks: readonly Unplaced<Thing>[]): GridBlock<Thing>[] {
  const placed: GridBlock<Thing>[] = []
  let group: { block: Unplaced<Thing>; lane: number }[] = []
  let laneEnds: FromNoon[] = []
  const close = () => {
    for (const { block, lane } of group) placed.push({ ...block, lane, lanes: laneEnds.length })
    group = []
    laneEnds = []
  }
  for (const block of blocks) {
    if (laneEnds.every((end) => end <= block.from)) close()
    const free = laneEnds.findIndex((end) => end <= block.from)
    const lane = free === -1 ? laneEnds.length : free
    laneEnds[lane] = block.until
    group.push({ block, lane })
  }
  close()
  return placed
}
