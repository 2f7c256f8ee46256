import type { KeyboardEvent, PointerEvent } from 'react'
import { flushSync } from 'react-dom'
import { GripVertical } from '#web/ui/icons/grip-vertical.ts'

type MoveTypeButtonProps = {
  name: string
  /** The id of the element that says how to move a type. */
  hintId: string
  /** Moves the type up (-1) or down (1) by one place. */
  onMove: (step: -1 | 1) => void
  onDrag: (event: PointerEvent<HTMLElement>) => void
}

/** The handle by which the owner drags an appointment type, or moves it with the arrow keys. Source: rule C18. */
export function MoveTypeButton({ name, hintId, onMove, onDrag }: MoveTypeButtonProps) {
  const moveByKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const row = event.currentTarget.closest('li')
    flushSync(() => onMove(step))
    row?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <button
      type="button"
      aria-label={`Move ${name}`}
      aria-describedby={hintId}
      className="grid w-9 shrink-0 cursor-grab touch-none place-items-center rounded-control text-ink-soft select-none hover:text-ink focus-visible:-outline-offset-2 active:cursor-grabbing touch:w-11"
      onPointerDown={onDrag}
      onKeyDown={moveByKey}
    >
      <GripVertical className="size-5" />
    </button>
  )
}

const STEPS: Partial<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 }
