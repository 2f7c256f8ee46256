import { type PointerEvent as ReactPointerEvent, useState } from 'react'
import type { Availability } from '#contract/availability/opening-hours.ts'
import { moveEdge } from '#core/availability/day-hours.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useDragRange } from './use-hours-changes.ts'
import { clockTimeToHours, formatRange, toClocks } from './week.ts'

type Edge = 'start' | 'end'

type DayBandProps = {
  calendarId: string
  ranges: readonly Availability[]
  className?: string | undefined
}

/**
 * Draws one day from midnight to midnight, with its open hours and a line at noon. A mouse can drag the start and end of a range;
 * on a touch screen, a quarter of an hour is too narrow for that. Hidden from screen readers, because the ranges beside it contain
 * the same information and can be edited with the keyboard.
 */
export function DayBand({ calendarId, ranges, className }: DayBandProps) {
  const hourCycle = useHourCycle()
  const { mutate, isPending } = useDragRange(calendarId)
  const [dragged, setDragged] = useState<Availability | null>(null)
  const shown = ranges.map((range) => (dragged?.id === range.id ? dragged : range))
  const drag = (event: ReactPointerEvent<HTMLElement>, range: Availability, edge: Edge) => {
    if (event.button !== 0 || event.pointerType === 'touch' || isPending) return
    event.preventDefault()
    dragEdge(event, {
      onMove: (share) => setDragged(moveTo({ ranges, range, edge, share })),
      onCancel: () => setDragged(null),
      onDrop: (share) => {
        const moved = moveTo({ ranges, range, edge, share })
        if (moved === range) setDragged(null)
        else mutate({ range, times: moved }, { onSettled: () => setDragged(null) })
      },
    })
  }
  return (
    <div aria-hidden="true" className={classNames('group relative flex items-center', className)}>
      <div className="relative h-5 w-full rounded-full bg-sunken">
        {shown.map(({ id, start_time, end_time }) => (
          <OpenSky key={id} from={clockTimeToHours(start_time)} to={clockTimeToHours(end_time)} />
        ))}
        {shown.flatMap((range) =>
          (['start', 'end'] as const).map((edge) => (
            <span
              key={`${range.id}-${edge}`}
              data-edge={edge}
              onPointerDown={(event) => drag(event, range, edge)}
              className="absolute -inset-y-2 hidden w-4 -translate-x-1/2 cursor-ew-resize place-items-center rtl:translate-x-1/2 pointer-fine:grid"
              style={{ insetInlineStart: `${(clockTimeToHours(range[`${edge}_time`]) / 24) * 100}%` }}
            >
              <span className="h-4 w-1.5 rounded-full border border-surface bg-ink opacity-0 transition-opacity group-hover:opacity-100" />
            </span>
          )),
        )}
        {dragged !== null && (
          <span className="absolute start-1/2 top-full z-10 mt-1 -translate-x-1/2 rounded-control bg-night px-2 py-0.5 text-sm whitespace-nowrap text-on-night tabular-nums rtl:translate-x-1/2">
            {formatRange(dragged, hourCycle)}
          </span>
        )}
      </div>
      <span className="pointer-events-none absolute inset-y-0 start-1/2 w-[1.5px] -translate-x-1/2 bg-ink/35 rtl:translate-x-1/2" />
    </div>
  )
}

type Move = {
  readonly ranges: readonly Availability[]
  readonly range: Availability
  readonly edge: Edge
  /** The position of the pointer on the band, from 0 at midnight to 1 at the next one. */
  readonly share: number
}

/** Returns the range with one end moved to the pointer, as far as the other ranges leave room. */
function moveTo({ ranges, range, edge, share }: Move): Availability {
  const { start, end } = moveEdge(ranges.map(toClockRange), toClockRange(range), {
    edge,
    minutes: share * DAY_MINUTES,
  })
  const { start: startBefore, end: endBefore } = toClocks(range)
  return start === startBefore && end === endBefore ? range : { ...range, start_time: start, end_time: end }
}

const DAY_MINUTES = 1_440

function toClockRange({ id, ...times }: Availability) {
  return { id, ...toClocks(times) }
}

type DragListeners = {
  /** Called with the position on the band, from 0 to 1, whenever the pointer moves. */
  onMove: (share: number) => void
  onDrop: (share: number) => void
  onCancel: () => void
}

/** Follows the pointer that pressed a handle of the band until it is released. Escape cancels. */
function dragEdge(
  { currentTarget, pointerId }: ReactPointerEvent<HTMLElement>,
  { onMove, onDrop, onCancel }: DragListeners,
): void {
  const handle: HTMLElement = currentTarget
  const listeners = new AbortController()
  const { signal } = listeners
  const toShare = ({ clientX }: PointerEvent) => {
    const band = handle.parentElement?.getBoundingClientRect() ?? handle.getBoundingClientRect()
    const isRightToLeft = getComputedStyle(handle).direction === 'rtl'
    return (isRightToLeft ? band.right - clientX : clientX - band.left) / band.width
  }
  handle.setPointerCapture(pointerId)
  handle.addEventListener('pointermove', (event) => onMove(toShare(event)), { signal })
  handle.addEventListener(
    'pointerup',
    (event) => {
      listeners.abort()
      onDrop(toShare(event))
    },
    { signal },
  )
  const cancel = () => {
    listeners.abort()
    onCancel()
  }
  handle.addEventListener('pointercancel', cancel, { signal })
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape') cancel()
    },
    { signal },
  )
}

/** Draws a section of one gradient that spans the whole day, so that each hour has the same colour in every row. */
function OpenSky({ from, to }: { from: number; to: number }) {
  const hours = to - from
  return (
    <span
      className="absolute inset-y-0 overflow-hidden rounded-full"
      style={{ insetInlineStart: `${(from / 24) * 100}%`, width: `${(hours / 24) * 100}%` }}
    >
      <span
        className="absolute inset-y-0 rtl:-scale-x-100 bg-[linear-gradient(to_right,var(--dusk)_8%,var(--dawn)_30%,var(--day)_46%,var(--day)_62%,var(--dusk)_84%)]"
        style={{ insetInlineStart: `${(-from / hours) * 100}%`, width: `${(24 / hours) * 100}%` }}
      />
    </span>
  )
}
