import type { AgendaDay, AppointmentRow } from '#contract/appointments.ts'

/**
 * Minutes from noon, negative in the morning: noon is at one height on every day, however long the day is.
 * Source: rule V7.
 */
export type FromNoon = number

export type GridWindow = { readonly from: FromNoon; readonly until: FromNoon }

/** An appointment, or the part of it that lies on one day, in its place of the grid. */
export type GridBlock = {
  readonly appointment: AppointmentRow
  readonly from: FromNoon
  readonly until: FromNoon
  /** Which of `lanes` side by side. There is more than one only where cancelled ones are shown. */
  readonly lane: number
  readonly lanes: number
  /** The appointment began on the day before, or goes on to the next. */
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

/**
 * Computes the positions of everything that touches a day. Times that overlap, as a cancelled one's may, are side by
 * side.
 */
export function placeBlocks(day: AgendaDay, appointments: readonly AppointmentRow[]): GridBlock[] {
  const [startMs, endMs] = [Date.parse(day.starts_at), Date.parse(day.ends_at)]
  const touching = appointments
    .map((appointment) => ({
      appointment,
      fromMs: Date.parse(appointment.starts_at),
      untilMs: Date.parse(appointment.ends_at),
    }))
    .filter(({ fromMs, untilMs }) => fromMs < endMs && untilMs > startMs)
    .map((each) => ({
      appointment: each.appointment,
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
  const shortest = Math.min(HOUR, ...blocks.map(({ from, until }) => until - from))
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

type Unplaced = Omit<GridBlock, 'lane' | 'lanes'>

/** Each takes the first free lane; overlapping ones share the width equally. */
function shareLanes(blocks: readonly Unplaced[]): GridBlock[] {
  const placed: GridBlock[] = []
  let group: { block: Unplaced; lane: number }[] = []
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
