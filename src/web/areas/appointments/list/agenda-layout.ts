import type { AgendaDay, AppointmentRow } from '#contract/appointments/appointments.ts'
import type { ExternalEvents } from '#contract/external-calendars/external-calendars.ts'

/** An event in one of the owner's external calendars. */
export type ExternalEvent = ExternalEvents['events'][number]

/** An appointment or external event in the agenda. */
export type AgendaEntry = AppointmentRow | ExternalEvent

/**
 * Minutes from noon, negative in the morning. In the grid, noon is at the same height on every day, even on days with 23
 * or 25 hours. Source: rule V7.
 */
export type MinutesFromNoon = number

export type Stretch = { readonly from: MinutesFromNoon; readonly until: MinutesFromNoon }

/** The hours that the grid shows. */
export type ShownHours = Stretch

/** An appointment or event, or its part on one day, with its position in the grid. */
export type GridBlock<Thing = AgendaEntry> = {
  readonly of: Thing
  readonly from: MinutesFromNoon
  readonly until: MinutesFromNoon
  /**
   * The index of the block's lane among `lanes` lanes side by side. Several lanes are needed because cancelled
   * appointments and external events can overlap other blocks.
   */
  readonly lane: number
  readonly lanes: number
  /** True if the appointment or event started the day before, or continues the next day. */
  readonly isContinued: boolean
}

const HOUR = 60
/** The hours shown if there are no opening hours, appointments or events: 9 AM to 5 PM. */
const USUAL: ShownHours = { from: -3 * HOUR, until: 5 * HOUR }
/** Minimum length of the shown hours, in minutes, so that one short appointment does not fill the grid. */
const SHOWN_MIN = 8 * HOUR
const MIDNIGHT = 12 * HOUR
/**
 * Height of a line of text, and minimum and maximum height of an hour, in pixels. The shortest appointment has room for a
 * line of text, unless an hour would then fill the screen.
 */
const LINE_PX = 26
const HOUR_PX_MIN = 72
const HOUR_PX_MAX = 312
/**
 * Minimum length of an external event that makes the grid taller, in minutes. The grid does not grow for shorter ones,
 * even if their text does not fit.
 */
const EXTERNAL_MIN = 15

/** True for an external event, false for an appointment. */
export function isExternalEvent(thing: AgendaEntry): thing is ExternalEvent {
  return 'external_calendar_id' in thing
}

/** Builds a React key for an external event, because these events have no id. */
export function externalEventKey({ external_calendar_id, starts_at, ends_at, title }: ExternalEvent): string {
  return [external_calendar_id, starts_at, ends_at, title].join(' ')
}

/** Lists the events that cover the whole day, which are shown in a row above the hours. */
export function listAllDayEvents(day: AgendaDay, events: readonly ExternalEvent[]): ExternalEvent[] {
  return events.filter((event) => isWholeDay(day, event))
}

/** Lists the day's appointments and events that are placed at their hours in the grid. */
export function listTimedEntries(
  day: AgendaDay,
  appointments: readonly AppointmentRow[],
  events: readonly ExternalEvent[],
): AgendaEntry[] {
  return [...appointments, ...events.filter((event) => !isWholeDay(day, event))]
}

function isWholeDay(day: AgendaDay, { starts_at, ends_at }: ExternalEvent): boolean {
  return Date.parse(starts_at) <= Date.parse(day.starts_at) && Date.parse(ends_at) >= Date.parse(day.ends_at)
}

/** Computes the position of each entry that overlaps a day. Places overlapping entries side by side. */
export function layOutBlocks<Thing extends AgendaEntry>(
  day: AgendaDay,
  things: readonly Thing[],
): GridBlock<Thing>[] {
  const [startMs, endMs] = [Date.parse(day.starts_at), Date.parse(day.ends_at)]
  const touching = things
    .map((of) => ({ of, fromMs: Date.parse(of.starts_at), untilMs: Date.parse(of.ends_at) }))
    .filter(({ fromMs, untilMs }) => fromMs < endMs && untilMs > startMs)
    .map((each) => ({
      of: each.of,
      from: minutesFromNoon(day, Math.max(each.fromMs, startMs)),
      until: minutesFromNoon(day, Math.min(each.untilMs, endMs)),
      isContinued: each.fromMs < startMs || each.untilMs > endMs,
    }))
    .sort((a, b) => a.from - b.from || b.until - a.until)
  return shareLanes(touching)
}

/** A part of a day in which more things overlap than have a lane. */
export type CrowdedStretch = Stretch & {
  /** The number of things without a lane. */
  readonly count: number
}

/**
 * Returns the blocks of a day that are shown, and the stretches in which the others are. Where more than `maxLanes` are needed,
 * the last of these is kept free for the number of the others. Source: rule V7.
 */
export function limitLanes<Thing>(
  blocks: readonly GridBlock<Thing>[],
  maxLanes: number,
): { shown: GridBlock<Thing>[]; crowded: CrowdedStretch[] } {
  const crowded: CrowdedStretch[] = []
  const isShown = ({ lane, lanes }: GridBlock<Thing>) => lanes <= maxLanes || lane < maxLanes - 1
  for (const block of blocks) {
    if (isShown(block)) continue
    const { from, until } = block
    const last = crowded.at(-1)
    if (last === undefined || from >= last.until) crowded.push({ from, until, count: 1 })
    else {
      const end = Math.max(last.until, until)
      crowded.splice(-1, 1, { from: last.from, until: end, count: last.count + 1 })
    }
  }
  return { shown: blocks.filter(isShown), crowded }
}

/** Returns the elapsed minutes from the day's noon to an instant. */
export function minutesFromNoon(day: Pick<AgendaDay, 'noon_at'>, epochMs: number): MinutesFromNoon {
  return (epochMs - Date.parse(day.noon_at)) / 60_000
}

/** Returns the whole hours to show: at least eight, and all that contain opening hours, appointments or events. */
export function chooseShownHours(days: readonly AgendaDay[], blocks: readonly Stretch[]): ShownHours {
  const stretches = [
    ...days.flatMap((day) =>
      day.openings.map((opening) => ({
        from: minutesFromNoon(day, Date.parse(opening.starts_at)),
        until: minutesFromNoon(day, Date.parse(opening.ends_at)),
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

/** Returns the height of an hour at which the shortest appointment is readable. */
export function hourHeightPx(blocks: readonly GridBlock[]): number {
  const lengths = blocks.map(({ of, from, until }) =>
    isExternalEvent(of) ? Math.max(until - from, EXTERNAL_MIN) : until - from,
  )
  const shortest = Math.min(HOUR, ...lengths)
  return Math.min(HOUR_PX_MAX, Math.max(HOUR_PX_MIN, Math.round((LINE_PX * HOUR) / Math.max(1, shortest))))
}

/** Lists the full hours in the shown window, including both ends. */
export function listFullHours({ from, until }: ShownHours): MinutesFromNoon[] {
  return Array.from({ length: Math.floor((until - from) / HOUR) + 1 }, (_, i) => from + i * HOUR)
}

/** Converts minutes from noon to an hour (0 to 23) on a day without a clock change. */
export function hourOfDay(hour: MinutesFromNoon): number {
  return (((12 + hour / HOUR) % 24) + 24) % 24
}

type Unplaced<Thing> = Omit<GridBlock<Thing>, 'lane' | 'lanes'>

/** Puts each block into the first free lane. Overlapping blocks share the width equally. */
function shareLanes<Thing>(blocks: readonly Unplaced<Thing>[]): GridBlock<Thing>[] {
  const placed: GridBlock<Thing>[] = []
  let group: { block: Unplaced<Thing>; lane: number }[] = []
  let laneEnds: MinutesFromNoon[] = []
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
