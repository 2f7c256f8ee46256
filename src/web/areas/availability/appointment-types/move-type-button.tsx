import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { GripVertical } from '#web/ui/icons/grip-vertical.ts'
import { ClickMenu } from '#web/ui/menu.tsx'

type MoveTypeButtonProps = {
  name: string
  /** The id of the element that says how to move a type. */
  hintId: string
  isFirst: boolean
  isLast: boolean
  /** Moves the type up (-1) or down (1) by one place. */
  onMove: (step: -1 | 1) => void
  onDrag: (event: PointerEvent<HTMLElement>) => void
}

/**
 * The handle by which the owner drags an appointment type, or moves it with the arrow keys. A click that ends no drag opens a
 * menu, for people who can do neither. Source: rule C18.
 */
export function MoveTypeButton({ name, hintId, isFirst, isLast, onMove, onDrag }: MoveTypeButtonProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const press = useRef({ x: 0, y: 0, isDrag: false })

  const move = (step: -1 | 1) => {
    flushSync(() => onMove(step))
    button.current?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }
  const moveByKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key]
    if (open || step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    move(step)
  }
  const startPress = (event: PointerEvent<HTMLElement>) => {
    press.current = { x: event.clientX, y: event.clientY, isDrag: false }
    onDrag(event)
  }
  const noticeDrag = ({ buttons, clientX, clientY }: PointerEvent<HTMLElement>) => {
    const { x, y, isDrag } = press.current
    if (buttons === 0 || isDrag || Math.hypot(clientX - x, clientY - y) < DRAG_PX) return
    press.current.isDrag = true
    setOpen(false)
  }
  const ignoreClickAfterDrag = (event: MouseEvent<HTMLElement>) => {
    // A click by the keyboard has the detail 0. It never ends a drag.
    if (press.current.isDrag && event.detail > 0) event.preventDefault()
    press.current.isDrag = false
  }
  return (
    <ClickMenu
      open={open}
      onOpenChange={setOpen}
      items={isFirst ? [DOWN] : isLast ? [UP] : [UP, DOWN]}
      onChoose={(id) => move(id === 'up' ? -1 : 1)}
      button={
        <button
          ref={button}
          type="button"
          aria-label={`Move ${name}`}
          aria-describedby={hintId}
          className="grid w-9 shrink-0 cursor-grab touch-none place-items-center rounded-control text-ink-soft select-none hover:text-ink focus-visible:-outline-offset-2 active:cursor-grabbing touch:w-11"
          onPointerDown={startPress}
          onPointerMove={noticeDrag}
          onClick={ignoreClickAfterDrag}
          onKeyDown={moveByKey}
        >
          <GripVertical className="size-5" />
        </button>
      }
    />
  )
}

/** A pointer that moved this far while it pressed the handle dragged it, in pixels. */
const DRAG_PX = 8

const STEPS: Partial<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 }
const UP = { id: 'up', label: 'Move up' } as const
const DOWN = { id: 'down', label: 'Move down' } as const
