import {
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { AgendaDay, AppointmentRow } from '#contract/appointments/appointments.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import type { ShownHours } from './agenda-layout.ts'
import { type GridPosition, instantAtPosition, positionAfterArrowKey, snapToGrid } from './grid-move.ts'
import { durationMinutesOf, formatStart, isMovable } from './use-move.ts'

/** An appointment that is being moved in the grid. */
export type MovingAppointment = {
  readonly appointment: AppointmentRow
  /** How the appointment is being moved. `server`: it has been dropped, and the server has not responded yet. */
  readonly by: 'pointer' | 'keyboard' | 'server'
  readonly place: GridPosition
  readonly lengthMinutes: number
}

type GridMoveInput = {
  readonly days: readonly AgendaDay[]
  readonly shown: ShownHours
  readonly hourPx: number
  readonly slotMinutes: number
  readonly nowMs: number
  readonly timeZone: string
  /** Moves an appointment. Resolves when the move has succeeded or failed. */
  readonly onMove: (appointment: AppointmentRow, startsAt: string) => Promise<void>
}

/** Minimum distance of a drag with the mouse, in pixels. A shorter movement is a click. */
const PRESS_PX = 5
/** Minimum duration of a touch that picks up an appointment, in milliseconds. A shorter touch scrolls. */
const HOLD_MS = 350

/**
 * Lets the owner move appointments in the day and week view by mouse, long touch or keyboard. Escape cancels the move.
 * Source: rule A20.
 */
export function useMoveInGrid({ days, shown, hourPx, slotMinutes, nowMs, timeZone, onMove }: GridMoveInput) {
  const [held, setHeld] = useState<MovingAppointment | null>(null)
  const [said, setSaid] = useState('')
  const grid = useRef<HTMLDivElement>(null)
  const endPointer = useRef<(() => void) | null>(null)
  /** True just after a move, because the click that ends it must not open the appointment. */
  const ignoresClick = useRef(false)
  /** The id of the appointment to focus again once it has been rendered at its new position. */
  const focusNext = useRef<string | null>(null)
  useEffect(() => () => endPointer.current?.(), [])
  useEffect(() => {
    if (focusNext.current === null || held !== null) return
    const block = grid.current?.querySelector<HTMLElement>(`[data-appointment="${focusNext.current}"]`)
    if (document.activeElement === document.body) block?.focus()
  })

  const rules = { days, shown, slotMinutes }
  const clock = { time_zone: timeZone, hour_cycle: useHourCycle() }
  const wordsOf = (place: GridPosition) => formatStart(instantAtPosition(days, place), clock)

  const put = async (moved: MovingAppointment, origin: GridPosition) => {
    const { appointment, place } = moved
    if (place.dayIndex === origin.dayIndex && place.from === origin.from) {
      setHeld(null)
      return setSaid('It stays where it was.')
    }
    setHeld({ ...moved, by: 'server' })
    setSaid('')
    await onMove(appointment, instantAtPosition(days, place))
    setHeld(null)
  }
  const cancel = () => {
    setHeld(null)
    setSaid('Move cancelled. The appointment stays where it was.')
  }

  /** Returns the grid position under the pointer. */
  const placeAt = ({ clientX, clientY }: { clientX: number; clientY: number }): GridPosition => {
    const columns = [...(grid.current?.children ?? [])].map((column) => column.getBoundingClientRect())
    const found = columns.findIndex(({ left, right }) => clientX >= left && clientX < right)
    const nearest = clientX < (columns[0]?.left ?? 0) ? 0 : columns.length - 1
    const isRightToLeft = (columns[0]?.left ?? 0) > (columns.at(-1)?.left ?? 0)
    const dayIndex = found !== -1 ? found : isRightToLeft ? columns.length - 1 - nearest : nearest
    const top = columns[dayIndex]?.top ?? 0
    return { dayIndex, from: shown.from + ((clientY - top) / hourPx) * 60 }
  }

  /** Returns the start of the slot under the pointer, as an instant. */
  const startAt = (event: { clientX: number; clientY: number }): string =>
    instantAtPosition(days, snapToGrid(rules, placeAt(event), slotMinutes, Math.floor))

  const hold = (event: ReactPointerEvent, appointment: AppointmentRow, origin: GridPosition) => {
    if (event.button !== 0 || held !== null) return
    const { pointerId, clientX, clientY, pointerType } = event
    const lengthMinutes = durationMinutesOf(appointment)
    const grabbed = placeAt(event).from - origin.from
    let moved: MovingAppointment | null = null
    const take = () => {
      moved = { appointment, by: 'pointer', place: origin, lengthMinutes }
      setHeld(moved)
    }
    const timer = pointerType === 'touch' ? setTimeout(take, HOLD_MS) : undefined
    const onPointerMove = (to: PointerEvent) => {
      if (to.pointerId !== pointerId) return
      if (moved === null) {
        if (Math.hypot(to.clientX - clientX, to.clientY - clientY) < PRESS_PX) return
        if (pointerType === 'touch') return end()
        take()
      }
      const { dayIndex, from } = placeAt(to)
      const place = snapToGrid(rules, { dayIndex, from: from - grabbed }, lengthMinutes)
      moved = { appointment, by: 'pointer', place, lengthMinutes }
      setHeld(moved)
    }
    const onPointerUp = () => {
      const dropped = moved
      end()
      if (dropped === null) return
      skipNextClick()
      void put(dropped, origin)
    }
    const giveUp = () => {
      const wasHeld = moved !== null
      end()
      if (wasHeld) cancel()
    }
    const onKey = (pressed: globalThis.KeyboardEvent) => {
      if (pressed.key !== 'Escape' || moved === null) return
      skipNextClick()
      giveUp()
    }
    // While a touch moves an appointment, prevent it from scrolling the page or opening the context menu.
    const keepStill = (touch: Event) => moved !== null && touch.preventDefault()
    const end = () => {
      clearTimeout(timer)
      endPointer.current = null
      window.removeEventListener('pointermove', onPointerMove)
      window.removeEventListener('pointerup', onPointerUp)
      window.removeEventListener('pointercancel', giveUp)
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('touchmove', keepStill)
      window.removeEventListener('contextmenu', keepStill)
    }
    window.addEventListener('pointermove', onPointerMove)
    window.addEventListener('pointerup', onPointerUp)
    window.addEventListener('pointercancel', giveUp)
    window.addEventListener('keydown', onKey)
    window.addEventListener('touchmove', keepStill, { passive: false })
    window.addEventListener('contextmenu', keepStill)
    endPointer.current = end
  }

  const skipNextClick = () => {
    ignoresClick.current = true
    // Reset after a moment: a click event, if there is one, immediately follows the pointer event.
    setTimeout(() => {
      ignoresClick.current = false
    }, 50)
  }

  const takeByKey = (event: KeyboardEvent, appointment: AppointmentRow, origin: GridPosition) => {
    if (event.key !== 'm' && event.key !== 'M') return
    event.preventDefault()
    setHeld({ appointment, by: 'keyboard', place: origin, lengthMinutes: durationMinutesOf(appointment) })
    const who = appointment.customers.name || 'the appointment'
    setSaid(
      `Moving ${who}. ${wordsOf(origin)}. The arrow keys move it, Enter puts it down, and Escape cancels.`,
    )
  }
  const moveByKey = (event: KeyboardEvent, moved: MovingAppointment, origin: GridPosition) => {
    const { appointment, lengthMinutes } = moved
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const place = positionAfterArrowKey(rules, moved.place, { key: event.key, lengthMinutes, isRightToLeft })
    const isDrop = event.key === 'Enter' || event.key === ' '
    if (place === null && !isDrop && event.key !== 'Escape') return
    event.preventDefault()
    // Stop the event, so that Escape does not also close something else.
    event.stopPropagation()
    if (place !== null) {
      setHeld({ ...moved, place })
      return setSaid(wordsOf(place))
    }
    if (!isDrop) return cancel()
    skipNextClick()
    focusNext.current = appointment.id
    void put(moved, origin)
  }
  const onKeyDown = (event: KeyboardEvent, appointment: AppointmentRow, origin: GridPosition) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (held === null) takeByKey(event, appointment, origin)
    else if (held.by === 'keyboard' && held.appointment.id === appointment.id) moveByKey(event, held, origin)
  }

  /** Returns the event handlers of an appointment's block; null if the appointment cannot be moved. */
  const handlersOf = (appointment: AppointmentRow, origin: GridPosition) =>
    isMovable(appointment, nowMs) &&
    instantAtPosition(days, origin) === new Date(appointment.starts_at).toISOString()
      ? {
          onPointerDown: (event: ReactPointerEvent) => hold(event, appointment, origin),
          onKeyDown: (event: KeyboardEvent) => onKeyDown(event, appointment, origin),
          onBlur: () => held?.by === 'keyboard' && cancel(),
          'aria-keyshortcuts': 'm',
        }
      : null

  return { held, said, grid, handlersOf, startAt, ignoresClick }
}

export type MoveHandlers = NonNullable<ReturnType<ReturnType<typeof useMoveInGrid>['handlersOf']>>
